#include "Emit/RangeWalk.h"
#include "Emit/Emission.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace tapefree {

// More stages than arrays of indices of indices are of no use to anybody.
static constexpr unsigned MaxStages = 3;

namespace {
/// What depends on what in one function: which branches decide whether a block runs.
class Control {
public:
  explicit Control(Function &F) : PDT(F) {
    for (BasicBlock &B : F)
      for (BasicBlock *S : successors(&B)) {
        const DomTreeNode *Stop = PDT.getNode(&B) ? PDT.getNode(&B)->getIDom() : nullptr;
        for (const DomTreeNode *N = PDT.getNode(S); N && N != Stop && N->getBlock(); N = N->getIDom())
          Deciders[N->getBlock()].insert(&B);
      }
  }
  ArrayRef<BasicBlock *> deciders(const BasicBlock *B) { return Deciders[B].getArrayRef(); }
  /// Where all ways from `B` meet again; null when some end elsewhere.
  BasicBlock *meeting(const BasicBlock *B) const {
    const DomTreeNode *N = PDT.getNode(B);
    return N && N->getIDom() ? N->getIDom()->getBlock() : nullptr;
  }

private:
  PostDominatorTree PDT;
  DenseMap<const BasicBlock *, SmallSetVector<BasicBlock *, 4>> Deciders;
};

using Live = SmallPtrSet<const Instruction *, 32>;

class WalkBuilder {
public:
  WalkBuilder(const Prepared &P, Extents &Known, FunctionAnalysisManager &FAM, bool Trusted)
      : P(P), Known(Known), FAM(FAM), Trusted(Trusted) {}
  RangeWalk run();
  void discard() {
    FAM.clear(*Walk, Walk->getName());
    Walk->eraseFromParent();
  }

private:
  struct Ends {
    const Value *Frozen;
    AllocaInst *Low, *High;
    SmallVector<Instruction *, 8> Updates;
  };
  bool clone();
  void findBuffers(const Extents &Mine);
  void update(const WalkedAccess &W, Ends &E, SCEVExpander &Expander);
  bool mayRead(const LoadInst &Load, const Extents &Mine) const;
  bool slice(Live &Out, ArrayRef<Instruction *> Roots, const Extents &Mine, Control &Flow) const;
  bool strip(const Live &Keep, Control &Flow);
  void finish();

  const Prepared &P;
  Extents &Known;
  FunctionAnalysisManager &FAM;
  bool Trusted; // every write of the primal is in a range that the tests before this stage compare
  Function *Walk = nullptr;
  ValueToValueMapTy Map;                           // frozen primal -> walk
  DenseMap<const Value *, const Value *> FrozenOf; // buffers of the walk -> frozen primal
  SmallVector<Ends, 4> Found;
  ReturnInst *Return = nullptr;
};
} // namespace

/// The primal as a function that returns nothing and is given the place for the ends.
bool WalkBuilder::clone() {
  LLVMContext &C = P.F->getContext();
  SmallVector<Type *, 8> Params(P.F->getFunctionType()->params());
  Params.push_back(PointerType::getUnqual(C));
  Walk = Function::Create(FunctionType::get(Type::getVoidTy(C), Params, false), GlobalValue::InternalLinkage,
                          "tapefree.walk." + P.Source->getName(), P.F->getParent());
  for (Argument &A : P.F->args())
    Map[&A] = Walk->getArg(A.getArgNo());
  SmallVector<ReturnInst *, 2> Returns;
  CloneFunctionInto(Walk, P.F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  dropPrimalPromises(*Walk);
  stripDebugInfo(*Walk);
  if (Returns.size() != 1)
    return false;
  Return = ReturnInst::Create(C, nullptr, Returns[0]->getIterator());
  Returns[0]->eraseFromParent();
  return true;
}

/// Buffers of the frozen primal whose accesses the walk looks at, each with its ends: none so far.
void WalkBuilder::findBuffers(const Extents &Mine) {
  for (const WalkedAccess &W : Known.walks()) {
    FrozenOf[Map[W.Base]] = W.Base;
    if (Known.coversAll(W.Base) || any_of(Found, [&](const Ends &E) { return E.Frozen == W.Base; }))
      continue;
    IRBuilder<> B(&*Walk->getEntryBlock().begin());
    Ends E{W.Base, B.CreateAlloca(B.getInt64Ty(), nullptr, "low"),
           B.CreateAlloca(B.getInt64Ty(), nullptr, "high"), {}};
    E.Updates.push_back(B.CreateStore(B.getInt64(uint64_t(INT64_MAX)), E.Low));
    E.Updates.push_back(B.CreateStore(B.getInt64(uint64_t(INT64_MIN)), E.High));
    Found.push_back(E);
  }
  for (auto &[Frozen, Ext] : Known.buffers())
    FrozenOf[Map[Frozen]] = Frozen;
  SCEVExpander Expander(FAM.getResult<ScalarEvolutionAnalysis>(*Walk), "tapefree.walk");
  for (const WalkedAccess &W : Mine.walks())
    for (Ends &E : Found)
      if (Map[E.Frozen] == W.Base)
        update(W, E, Expander);
}

/// Puts the ends of one access into those of its buffer, where they are known.
void WalkBuilder::update(const WalkedAccess &W, Ends &E, SCEVExpander &Expander) {
  Instruction *At = W.Inner ? W.Inner->getLoopPreheader()->getTerminator() : const_cast<Instruction *>(W.I);
  IRBuilder<> B(At);
  Type *I64 = B.getInt64Ty();
  Value *Low = Expander.expandCodeFor(W.Low, I64, At), *High = Expander.expandCodeFor(W.High, I64, At);
  B.SetInsertPoint(At);
  Value *Lower = B.CreateBinaryIntrinsic(Intrinsic::smin, B.CreateLoad(I64, E.Low), Low);
  Value *Higher = B.CreateBinaryIntrinsic(Intrinsic::smax, B.CreateLoad(I64, E.High), High);
  E.Updates.push_back(B.CreateStore(Lower, E.Low));
  E.Updates.push_back(B.CreateStore(Higher, E.High));
}

/// Whether a load gives in the walk what it gives in the primal.
bool WalkBuilder::mayRead(const LoadInst &Load, const Extents &Mine) const {
  const Value *Pointer = Load.getPointerOperand();
  if (any_of(Found, [&](const Ends &E) { return Pointer == E.Low || Pointer == E.High; }))
    return true;
  if (!Load.isSimple())
    return false;
  if (Load.getParent()->isEntryBlock() && Mine.knownAtEntry(&Load))
    return true;
  const Value *Base = FrozenOf.lookup(getUnderlyingObject(Pointer, 0));
  if (!Trusted || !Base || !Known.coversAll(Base))
    return false;
  auto It = Known.buffers().find(Base);
  return It != Known.buffers().end() && !It->second.Written;
}

/// All that the roots depend on, branches included; false if part of it cannot be had before the primal runs.
bool WalkBuilder::slice(Live &Out, ArrayRef<Instruction *> Roots, const Extents &Mine, Control &Flow) const {
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<Instruction *, 32> Todo(Roots);
  auto Reached = [&](const BasicBlock *B) {
    if (Seen.insert(B).second)
      for (BasicBlock *D : Flow.deciders(B))
        Todo.push_back(D->getTerminator());
  };
  while (!Todo.empty()) {
    Instruction *I = Todo.pop_back_val();
    if (!Out.insert(I).second)
      continue;
    Reached(I->getParent());
    if (auto *Phi = dyn_cast<PHINode>(I)) {
      for (BasicBlock *From : Phi->blocks()) {
        Reached(From);
        Todo.push_back(From->getTerminator());
      }
    } else if (auto *Load = dyn_cast<LoadInst>(I)) {
      if (!mayRead(*Load, Mine))
        return false;
    } else if (!computedAgain(*I) && !isa<BranchInst, SwitchInst, AllocaInst>(I) && !is_contained(Roots, I)) {
      return false;
    }
    for (const Use &U : I->operands())
      if (auto *O = dyn_cast<Instruction>(U.get()))
        Todo.push_back(O);
  }
  return true;
}

/// Takes out what is not kept. A branch that decides nothing goes where its ways meet.
bool WalkBuilder::strip(const Live &Keep, Control &Flow) {
  for (BasicBlock &B : *Walk) {
    for (Instruction &I : make_early_inc_range(reverse(B))) {
      if (I.isTerminator() || Keep.contains(&I))
        continue;
      I.replaceAllUsesWith(PoisonValue::get(I.getType()));
      I.eraseFromParent();
    }
  }
  for (BasicBlock &B : *Walk) {
    Instruction *End = B.getTerminator();
    if (End->getNumSuccessors() < 2 || Keep.contains(End))
      continue;
    BasicBlock *Next = Flow.meeting(&B);
    if (!Next || isa<PHINode>(Next->front()))
      return false; // a phi that matters tells its ways apart, so the branch would be kept
    for (BasicBlock *S : successors(&B))
      S->removePredecessor(&B, /*KeepOneInputPHIs=*/true);
    End->eraseFromParent();
    BranchInst::Create(Next, &B);
  }
  return true;
}

void WalkBuilder::finish() {
  IRBuilder<> B(Return);
  Value *Out = Walk->getArg(Walk->arg_size() - 1);
  for (auto [K, E] : enumerate(Found)) {
    B.CreateStore(B.CreateLoad(B.getInt64Ty(), E.Low), B.CreateConstGEP1_64(B.getInt64Ty(), Out, 2 * K));
    B.CreateStore(B.CreateLoad(B.getInt64Ty(), E.High), B.CreateConstGEP1_64(B.getInt64Ty(), Out, 2 * K + 1));
  }
  FAM.invalidate(*Walk, PreservedAnalyses::none());
  removeUnreachableBlocks(*Walk);
}

RangeWalk WalkBuilder::run() {
  RangeWalk Result;
  if (!clone())
    return Result;
  Extents Mine(*Walk, FAM.getResult<LoopAnalysis>(*Walk), FAM.getResult<ScalarEvolutionAnalysis>(*Walk),
               FAM.getResult<MemorySSAAnalysis>(*Walk).getMSSA());
  findBuffers(Mine);
  Control Flow(*Walk);
  // Where ways never meet again, the branch is taken as it is.
  SmallVector<Instruction *, 4> Always;
  for (BasicBlock &B : *Walk)
    if (B.getTerminator()->getNumSuccessors() > 1 && !Flow.meeting(&B))
      Always.push_back(B.getTerminator());
  Live Keep;
  erase_if(Found, [&](const Ends &E) {
    Live Mines;
    SmallVector<Instruction *, 16> Roots(E.Updates.begin(), E.Updates.end());
    Roots.append(Always);
    if (!slice(Mines, Roots, Mine, Flow))
      return true;
    Keep.insert(Mines.begin(), Mines.end());
    return false;
  });
  if (Found.empty() || !strip(Keep, Flow))
    return Result;
  finish();
  Result.F = Walk;
  for (const Ends &E : Found)
    Result.Buffers.push_back(E.Frozen);
  for (const Loop *L : FAM.getResult<LoopAnalysis>(*Walk).getLoopsInPreorder())
    Result.Depth = std::max(Result.Depth, L->getLoopDepth());
  return Result;
}

/// Whether control always comes back from an instruction: the walk looks at what the primal has before it. And whether
/// it writes nothing but what its operands say.
static bool isPlain(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I); Call && !callsVisibleBody(*Call)) {
    rules::CallKind K = rules::callEffect(*Call).Kind;
    if (rules::scalarRule(*Call) || K == rules::CallKind::Inactive || K == rules::CallKind::Allocate ||
        K == rules::CallKind::AllocateZeroed || K == rules::CallKind::Free)
      return true;
  }
  if (!I.isTerminator() && !isGuaranteedToTransferExecutionToSuccessor(&I))
    return false;
  return !I.mayWriteToMemory() || isa<StoreInst, MemIntrinsic>(I) || isa<AssumeInst>(I) || I.isLifetimeStartOrEnd() ||
         isa<NoAliasScopeDeclInst>(I);
}

SmallVector<RangeWalk, 2> emitRangeWalks(const Prepared &P, Extents &Known, FunctionAnalysisManager &FAM) {
  SmallVector<RangeWalk, 2> Walks;
  if (!all_of(instructions(*P.F), isPlain))
    return Walks;
  while (Walks.size() < MaxStages) {
    bool Left = any_of(Known.walks(), [&](const WalkedAccess &W) { return !Known.coversAll(W.Base); });
    if (!Left)
      break;
    WalkBuilder Builder(P, Known, FAM, Known.knowsAllWrites());
    RangeWalk W = Builder.run();
    if (!W.F) {
      Builder.discard();
      break;
    }
    Walks.push_back(W);
    for (const Value *Buffer : W.Buffers)
      Known.walked(Buffer, unsigned(Walks.size()));
  }
  return Walks;
}

} // namespace tapefree
