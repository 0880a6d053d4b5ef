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
// The instructions from an element of an index array to the address.
static constexpr unsigned ScanBudget = 12;
// An index array is gone over where it is read at least this densely.
static constexpr int64_t MaxScanStep = 64;

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
  WalkBuilder(const Prepared &P, Extents &Known, FunctionAnalysisManager &FAM, bool Trusted, bool Exact)
      : P(P), Known(Known), FAM(FAM), Trusted(Trusted), Exact(Exact) {}
  RangeWalk run();
  void discard() {
    FAM.clear(*Walk, Walk->getName());
    Walk->eraseFromParent();
  }

private:
  struct Ends {
    const Value *Frozen;
    AllocaInst *Low, *High, *Counted;
    SmallVector<Instruction *, 8> Updates;
    bool Failed = false;
  };
  /// An access whose address depends on the element `Index` of the index array `Array` (all frozen).
  struct Scan {
    const WalkedAccess *W;
    const LoadInst *Index;
    const Value *Array;
  };
  void findScans();
  bool endsAreRead(const Value *Array) const;
  const Value *readable(const LoadInst &Load) const;
  bool clone();
  void findBuffers(const Extents &Mine);
  void update(const WalkedAccess &W, Ends &E, SCEVExpander &Expander);
  void widen(IRBuilderBase &B, Ends &E, Value *Low, Value *High);
  void emitScan(const Scan &S);
  bool mayRead(const LoadInst &Load, const Extents &Mine) const;
  bool slice(Live &Out, ArrayRef<Instruction *> Roots, const Extents &Mine, Control &Flow) const;
  bool strip(const Live &Keep, Control &Flow);
  void finish();

  const Prepared &P;
  Extents &Known;
  FunctionAnalysisManager &FAM;
  bool Trusted; // every write of the primal is in a range that the tests before this stage compare
  bool Exact;   // without scans
  Function *Walk = nullptr;
  ValueToValueMapTy Map;                           // frozen primal -> walk
  DenseMap<const Value *, const Value *> FrozenOf; // walk -> frozen primal
  SmallVector<Ends, 4> Found;
  SmallVector<Scan, 4> Scans;
  SmallSetVector<const Value *, 4> Scanned;
  ReturnInst *Return = nullptr;
};
} // namespace

/// The index array that a load of the frozen primal reads, if it is there before the primal runs.
const Value *WalkBuilder::readable(const LoadInst &Load) const {
  const Value *Base = getUnderlyingObject(Load.getPointerOperand(), 0);
  auto It = Known.buffers().find(Base);
  bool Good = Trusted && Load.isSimple() && Known.coversAll(Base) && It != Known.buffers().end() &&
              !It->second.Written;
  return Good ? Base : nullptr;
}

/// What the address is computed from: arguments, constants, and one load, which is returned.
static const LoadInst *onlyIndex(const Value *Address, const Value *Base) {
  const LoadInst *Index = nullptr;
  SmallVector<const Value *, 8> Todo = {Address};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Todo.empty()) {
    const auto *I = dyn_cast<Instruction>(Todo.pop_back_val());
    if (!I || !Seen.insert(I).second)
      continue;
    if (I == Base || Seen.size() > ScanBudget)
      return nullptr;
    if (auto *Load = dyn_cast<LoadInst>(I)) {
      if (Index)
        return nullptr;
      Index = Load;
    } else if (isa<BinaryOperator, CastInst, GetElementPtrInst>(I) && computedAgain(*I) &&
               !I->isIntDivRem()) {
      Todo.append(I->op_begin(), I->op_end());
    } else {
      return nullptr;
    }
  }
  return Index;
}

/// Whether the pointer stays in the object that the buffer points to.
static bool staysInside(const Value *Pointer, const Value *Base) {
  while (Pointer != Base) {
    auto *GEP = dyn_cast<GetElementPtrInst>(Pointer);
    if (!GEP || !GEP->isInBounds())
      return false;
    Pointer = GEP->getPointerOperand();
  }
  return true;
}

/// Whether the primal reads the array at both ends of what an earlier walk found, so that all between them is
/// part of one object, and reads it densely.
bool WalkBuilder::endsAreRead(const Value *Array) const {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(*P.F);
  auto &LI = FAM.getResult<LoopAnalysis>(*P.F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(*P.F);
  if (Known.buffers().find(Array)->second.Low)
    return false; // ends of loops that need not run, or not all of their body
  return all_of(Known.walks(), [&](const WalkedAccess &W) {
    if (W.Base != Array)
      return true;
    const BasicBlock *Exiting = W.Inner ? W.Inner->getExitingBlock() : nullptr;
    auto *Address = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<Value *>(W.Pointer)));
    auto *Step = Address ? dyn_cast<SCEVConstant>(Address->getStepRecurrence(SE)) : nullptr;
    return Exiting && LI.getLoopFor(W.I->getParent()) == W.Inner && DT.dominates(W.I->getParent(), Exiting) &&
           Step && Address->getLoop() == W.Inner && Step->getAPInt().abs().ule(MaxScanStep) &&
           staysInside(W.Pointer, Array);
  });
}

void WalkBuilder::findScans() {
  const DataLayout &DL = P.F->getDataLayout();
  for (const WalkedAccess &W : Known.walks()) {
    if (W.Inner || Known.coversAll(W.Base))
      continue;
    const LoadInst *Index = onlyIndex(W.Pointer, W.Base);
    const Value *Array = Index && Index->getType()->isIntegerTy() ? readable(*Index) : nullptr;
    if (!Array || Index->getAlign().value() < DL.getTypeStoreSize(Index->getType()) || !endsAreRead(Array))
      continue;
    Scans.push_back({&W, Index, Array});
    Scanned.insert(Array);
  }
}

/// The primal as a function that returns nothing and is given the place for the ends.
bool WalkBuilder::clone() {
  LLVMContext &C = P.F->getContext();
  SmallVector<Type *, 8> Params(P.F->getFunctionType()->params());
  Params.push_back(PointerType::getUnqual(C));
  Params.append(2 * Scanned.size(), Type::getInt64Ty(C));
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
  for (const auto &[Frozen, Copy] : Map)
    if (Copy)
      FrozenOf[Copy] = Frozen;
  for (const WalkedAccess &W : Known.walks()) {
    if (Known.coversAll(W.Base) || any_of(Found, [&](const Ends &E) { return E.Frozen == W.Base; }))
      continue;
    IRBuilder<> B(&*Walk->getEntryBlock().begin());
    Ends E{W.Base,
           B.CreateAlloca(B.getInt64Ty(), nullptr, "low"),
           B.CreateAlloca(B.getInt64Ty(), nullptr, "high"),
           B.CreateAlloca(B.getInt64Ty(), nullptr, "counted"),
           {}};
    E.Updates.push_back(B.CreateStore(B.getInt64(uint64_t(INT64_MAX)), E.Low));
    E.Updates.push_back(B.CreateStore(B.getInt64(uint64_t(INT64_MIN)), E.High));
    E.Updates.push_back(B.CreateStore(B.getInt64(0), E.Counted));
    Found.push_back(E);
  }
  SCEVExpander Expander(FAM.getResult<ScalarEvolutionAnalysis>(*Walk), "tapefree.walk");
  for (const WalkedAccess &Frozen : Known.walks()) {
    auto E = find_if(Found, [&](const Ends &E) { return E.Frozen == Frozen.Base; });
    if (E == Found.end() || any_of(Scans, [&](const Scan &S) { return S.W == &Frozen; }))
      continue;
    auto W = find_if(Mine.walks(), [&](const WalkedAccess &W) {
      return W.I == Map[Frozen.I] && W.Pointer == Map[Frozen.Pointer] && W.Write == Frozen.Write;
    });
    if (W == Mine.walks().end())
      E->Failed = true;
    else
      update(*W, *E, Expander);
  }
}

/// Puts the ends of one access into those of its buffer, where they are known.
void WalkBuilder::update(const WalkedAccess &W, Ends &E, SCEVExpander &Expander) {
  Instruction *At = W.Inner ? W.Inner->getLoopPreheader()->getTerminator() : const_cast<Instruction *>(W.I);
  IRBuilder<> B(At);
  Value *Low = Expander.expandCodeFor(W.Low, B.getInt64Ty(), At),
        *High = Expander.expandCodeFor(W.High, B.getInt64Ty(), At);
  B.SetInsertPoint(At);
  widen(B, E, Low, High);
}

void WalkBuilder::widen(IRBuilderBase &B, Ends &E, Value *Low, Value *High) {
  Type *I64 = B.getInt64Ty();
  Value *Lower = B.CreateBinaryIntrinsic(Intrinsic::smin, B.CreateLoad(I64, E.Low), Low);
  Value *Higher = B.CreateBinaryIntrinsic(Intrinsic::smax, B.CreateLoad(I64, E.High), High);
  Value *More = B.CreateAdd(B.CreateLoad(I64, E.Counted), B.CreateSub(High, Low));
  E.Updates.push_back(B.CreateStore(Lower, E.Low));
  E.Updates.push_back(B.CreateStore(Higher, E.High));
  E.Updates.push_back(B.CreateStore(More, E.Counted));
}

/// One loop over the index array between its ends, at the end of the walk.
void WalkBuilder::emitScan(const Scan &S) {
  LLVMContext &C = Walk->getContext();
  unsigned Number = unsigned(find(Scanned, S.Array) - Scanned.begin());
  unsigned First = Walk->arg_size() - 2 * Scanned.size() + 2 * Number;
  Value *Low = Walk->getArg(First), *High = Walk->getArg(First + 1), *Array = Map[S.Array];
  uint64_t Size = P.F->getDataLayout().getTypeStoreSize(S.Index->getType());
  BasicBlock *Before = Return->getParent(),
             *After = Before->splitBasicBlock(Return->getIterator(), "scanned");
  BasicBlock *Loop = BasicBlock::Create(C, "scan", Walk, After);
  Before->getTerminator()->eraseFromParent();
  IRBuilder<> B(Before);
  // Elements are aligned; an end that another access of the array has set need not be.
  Value *Start = B.CreatePtrToInt(Array, B.getInt64Ty());
  Value *Begin = B.CreateAnd(B.CreateAdd(B.CreateAdd(Start, Low), B.getInt64(Size - 1)), B.getInt64(-Size));
  Value *Past = B.CreateAdd(Start, High);
  Value *Count = B.CreateUDiv(B.CreateSub(Past, Begin), B.getInt64(Size));
  Value *Any = B.CreateAnd(B.CreateICmpSLT(Low, High), B.CreateICmpULT(Begin, Past));
  Any = B.CreateAnd(Any, B.CreateICmpNE(Count, B.getInt64(0)));
  Value *FirstElement = B.CreateGEP(B.getInt8Ty(), Array, B.CreateSub(Begin, Start));
  B.CreateCondBr(Any, Loop, After);
  B.SetInsertPoint(Loop);
  PHINode *K = B.CreatePHI(B.getInt64Ty(), 2);
  DenseMap<const Value *, Value *> Again;
  Again[S.Index] = B.CreateAlignedLoad(S.Index->getType(), B.CreateGEP(S.Index->getType(), FirstElement, K),
                                       S.Index->getAlign());
  std::function<Value *(const Value *)> Build = [&](const Value *V) -> Value * {
    auto *I = dyn_cast<Instruction>(V);
    if (!I)
      return isa<Argument>(V) ? static_cast<Value *>(Map[V]) : const_cast<Value *>(V);
    if (Value *Known = Again.lookup(V))
      return Known;
    for (const Use &U : I->operands())
      Again[U.get()] = Build(U.get());
    Instruction *New = I->clone();
    New->setDebugLoc(DebugLoc());
    New->dropPoisonGeneratingFlags(); // of what the primal does not touch, nothing is known
    for (Use &U : New->operands())
      U = Again.lookup(U.get());
    return Again[V] = B.Insert(New);
  };
  Value *Offset = B.CreateSub(B.CreatePtrToInt(Build(S.W->Pointer), B.getInt64Ty()),
                              B.CreatePtrToInt(Map[S.W->Base], B.getInt64Ty()));
  uint64_t Bytes =
      cast<SCEVConstant>(FAM.getResult<ScalarEvolutionAnalysis>(*P.F).getMinusSCEV(S.W->High, S.W->Low))
          ->getAPInt()
          .getZExtValue();
  widen(B, *find_if(Found, [&](const Ends &E) { return E.Frozen == S.W->Base; }), Offset,
        B.CreateAdd(Offset, B.getInt64(Bytes)));
  Value *Next = B.CreateAdd(K, B.getInt64(1));
  K->addIncoming(B.getInt64(0), Before);
  K->addIncoming(Next, Loop);
  B.CreateCondBr(B.CreateICmpEQ(Next, Count), After, Loop);
}

/// Whether a load gives in the walk what it gives in the primal.
bool WalkBuilder::mayRead(const LoadInst &Load, const Extents &Mine) const {
  const Value *Pointer = Load.getPointerOperand();
  if (any_of(Found, [&](const Ends &E) { return is_contained({E.Low, E.High, E.Counted}, Pointer); }))
    return true;
  if (!Load.isSimple())
    return false;
  if (Load.getParent()->isEntryBlock() && Mine.knownAtEntry(&Load))
    return true;
  const Value *Base = FrozenOf.lookup(getUnderlyingObject(Pointer, 0)), *Address = FrozenOf.lookup(Pointer);
  auto It = Known.buffers().find(Base);
  return Trusted && Base && Address && It != Known.buffers().end() && !It->second.Written &&
         Known.covers(Base, Address,
                      P.F->getDataLayout().getTypeStoreSize(Load.getType()).getKnownMinValue());
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
  for (const Scan &S : Scans)
    if (any_of(Found, [&](const Ends &E) { return E.Frozen == S.W->Base; }))
      emitScan(S);
  IRBuilder<> B(Return);
  Type *I64 = B.getInt64Ty();
  Value *Out = Walk->getArg(P.F->arg_size());
  for (auto [K, E] : enumerate(Found))
    for (unsigned Part = 0; Part < 3; ++Part)
      B.CreateStore(B.CreateLoad(I64, Part == 0   ? E.Low
                                      : Part == 1 ? E.High
                                                  : E.Counted),
                    B.CreateConstGEP1_64(I64, Out, 3 * K + Part));
  FAM.invalidate(*Walk, PreservedAnalyses::none());
  removeUnreachableBlocks(*Walk);
}

RangeWalk WalkBuilder::run() {
  RangeWalk Result;
  if (!Exact)
    findScans();
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
    if (E.Failed || !slice(Mines, Roots, Mine, Flow))
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
  Result.Scanned.assign(Scanned.begin(), Scanned.end());
  for (const Loop *L : FAM.getResult<LoopAnalysis>(*Walk).getLoopsInPreorder())
    Result.Depth = std::max(Result.Depth, L->getLoopDepth());
  return Result;
}

/// Whether control always comes back from an instruction: the walk looks at what the primal has before it.
/// And whether it writes nothing but what its operands say.
static bool isPlain(const Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I); Call && !callsVisibleBody(*Call)) {
    rules::CallKind K = rules::callEffect(*Call).Kind;
    if (rules::scalarRule(*Call) || K == rules::CallKind::Inactive || K == rules::CallKind::Allocate ||
        K == rules::CallKind::AllocateZeroed || K == rules::CallKind::Free)
      return true;
  }
  if (!I.isTerminator() && !isGuaranteedToTransferExecutionToSuccessor(&I))
    return false;
  return !I.mayWriteToMemory() || isa<StoreInst, MemIntrinsic>(I) || isa<AssumeInst>(I) ||
         I.isLifetimeStartOrEnd() || isa<NoAliasScopeDeclInst>(I);
}

SmallVector<RangeWalk, 2> emitRangeWalks(const Prepared &P, Extents &Known, FunctionAnalysisManager &FAM,
                                         bool Exact) {
  SmallVector<RangeWalk, 2> Walks;
  SmallPtrSet<const Value *, 16> All; // as many as can be compared pair by pair
  for (auto &[Buffer, E] : Known.buffers())
    All.insert(Buffer);
  for (const WalkedAccess &W : Known.walks())
    All.insert(W.Base);
  if (All.size() > 16 || !all_of(instructions(*P.F), isPlain))
    return Walks;
  while (Walks.size() < MaxStages) {
    bool Left = any_of(Known.walks(), [&](const WalkedAccess &W) { return !Known.coversAll(W.Base); });
    if (!Left)
      break;
    WalkBuilder Builder(P, Known, FAM, Known.knowsAllWrites(), Exact);
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
