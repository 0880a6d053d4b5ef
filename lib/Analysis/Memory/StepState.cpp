#include "Analysis/Memory/StepState.h"
#include "Analysis/Activity/Activity.h"
#include "Analysis/Memory/OffsetBounds.h"
#include "Analysis/Types/MemoryTypes.h"
#include "Prepare/Checkpoint.h"
#include "Prepare/Prepare.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace tapefree {

std::string stateName(const Value *Base) {
  if (auto *A = dyn_cast<Argument>(Base))
    if (Attribute Name = A->getParent()->getAttributes().getParamAttr(A->getArgNo(), ObjectName);
        Name.isValid())
      return "'" + Name.getValueAsString().str() + "'";
  if (isa<GlobalVariable>(Base))
    return "'" + demangle(Base->getName().str()) + "'";
  return "a buffer";
}

void StepState::refuse(const Instruction &I, const Twine &Why) {
  if (Refused) // one reason is enough
    return;
  Refused = true;
  D.error(I, "the steps of the loop that is marked by checkpoint cannot be run again: " + Why);
}

/// Whether a block that a step makes is only used by the step itself.
bool StepState::staysInStep(CallBase &Allocation) {
  SmallVector<const Value *, 8> Todo = {&Allocation};
  SmallPtrSet<const Value *, 8> Seen;
  while (!Todo.empty()) {
    const Value *V = Todo.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    for (const Use &U : V->uses()) {
      auto *I = cast<Instruction>(U.getUser());
      if (!L.contains(I))
        return false;
      if (isa<GetElementPtrInst, PHINode, SelectInst>(I)) {
        Todo.push_back(I);
        continue;
      }
      auto *Call = dyn_cast<CallBase>(I);
      bool Fine =
          isa<LoadInst, ICmpInst, MemIntrinsic>(I) || (isa<StoreInst>(I) && U.getOperandNo() == 1) ||
          (Call && (rules::callEffect(*Call).Kind == rules::CallKind::Free || Call->onlyReadsMemory()));
      if (!Fine)
        return false;
    }
  }
  return true;
}

void StepState::collectCall(CallBase &Call) {
  if ((Call.getCalledFunction() && isCheckpoint(*Call.getCalledFunction())) || Call.doesNotAccessMemory() ||
      rules::scalarRule(Call))
    return;
  if (isa<IntrinsicInst>(Call) && Call.onlyAccessesInaccessibleMemory())
    return;
  Type *I64 = Type::getInt64Ty(F.getContext());
  auto Size = [&](Type *T) { return SE.getConstant(I64, F.getDataLayout().getTypeStoreSize(T)); };
  switch (Call.getIntrinsicID()) {
  case Intrinsic::masked_load:
    Accesses.push_back({&Call, Call.getArgOperand(0), Size(Call.getType()), false});
    return;
  case Intrinsic::masked_store:
    Accesses.push_back({&Call, Call.getArgOperand(1), Size(Call.getArgOperand(0)->getType()), true});
    return;
  default:
    break;
  }
  if (callsVisibleBody(Call))
    return refuse(Call,
                  "what " + calleeName(Call) +
                      " writes is not known, since it calls itself or is too large; write a loop in place "
                      "of recursion");
  rules::CallEffect Effect = rules::callEffect(Call);
  switch (Effect.Kind) {
  case rules::CallKind::NoReturn:
    return;
  case rules::CallKind::Allocate:
  case rules::CallKind::AllocateZeroed:
    if (Call.hasMetadata(ScopedMark))
      return refuse(Call, "an array of variable length is made in each; make it before the loop");
    if (!staysInStep(Call))
      return refuse(Call, "a step makes memory that others use; make it before the loop");
    return;
  case rules::CallKind::Free: {
    const Value *Object = getUnderlyingObject(Call.getArgOperand(unsigned(Effect.Pointer)), 0);
    auto *Made = dyn_cast<Instruction>(Object);
    if (!Made || !isAllocation(Made) || !L.contains(Made))
      refuse(Call, "a step releases memory that it did not make; release it behind the loop");
    return;
  }
  default:
    break;
  }
  // What sanitizers ask for changes nothing.
  StringRef Name = Call.getCalledFunction() ? Call.getCalledFunction()->getName() : "";
  if (Effect.Kind == rules::CallKind::Inactive &&
      (Name.starts_with("__ubsan_") || Name.starts_with("__asan_") || Name.starts_with("__sanitizer_")))
    return;
  if (Call.onlyReadsMemory() && Call.doesNotThrow()) {
    ReadsAnything = true;
    return;
  }
  refuse(Call, "the call of " + calleeName(Call) + " would be made again, too; take it out of the loop");
}

void StepState::collect() {
  const DataLayout &DL = F.getDataLayout();
  Type *I64 = Type::getInt64Ty(F.getContext());
  MemoryTypes Types(F, DL);
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B) {
      if (I.isAtomic() || I.isVolatile()) {
        refuse(I, "an access is volatile or atomic, and so must be made as often as it is written");
      } else if (Value *P = const_cast<Value *>(getLoadStorePointerOperand(&I))) {
        bool Write = isa<StoreInst>(I);
        Accesses.push_back({&I, P, SE.getConstant(I64, DL.getTypeStoreSize(getLoadStoreType(&I))), Write});
        if (Write && holdsPointer(getLoadStoreType(&I)))
          refuse(I,
                 "a step stores a pointer, whose shadow would have to go with it; keep pointers that change "
                 "places in local variables, which are no members");
      } else if (auto *Mem = dyn_cast<MemIntrinsic>(&I)) {
        const SCEV *Bytes = SE.getTruncateOrZeroExtend(SE.getSCEV(Mem->getLength()), I64);
        Accesses.push_back({&I, Mem->getRawDest(), Bytes, true});
        if (auto *Copy = dyn_cast<MemTransferInst>(Mem)) {
          Accesses.push_back({&I, Copy->getRawSource(), Bytes, false});
          if (any_of(Types.pattern(*Mem).Fields,
                     [](const TypeField &T) { return T.Kind == ScalarKind::Pointer; }))
            refuse(I, "a step copies pointers, whose shadows would have to go with them; copy the data");
        }
      } else if (auto *Call = dyn_cast<CallBase>(&I)) {
        collectCall(*Call);
      } else if (I.mayWriteToMemory()) {
        refuse(I, "it writes memory in a way that is not followed");
      }
    }
}

bool StepState::knownBefore(const SCEV *S, bool InStep) const {
  if (isa<SCEVCouldNotCompute>(S))
    return false;
  return !SCEVExprContains(S, [&](const SCEV *E) {
    if (auto *U = dyn_cast<SCEVUnknown>(E))
      return !isa<Argument, Constant>(U->getValue());
    if (auto *Div = dyn_cast<SCEVUDivExpr>(E)) // must not trap where its loop would not have run
      return !isa<SCEVConstant>(Div->getRHS());
    if (auto *AR = dyn_cast<SCEVAddRecExpr>(E))
      return !InStep || AR->getLoop() != &L;
    return false;
  });
}

/// Whether a condition can be had before the loop: an argument, or what is compared are such.
bool StepState::knownBefore(const Value *C) const {
  if (isa<Argument, Constant>(C))
    return true;
  return isa<CmpInst, BinaryOperator, CastInst>(C) && !cast<Instruction>(C)->isIntDivRem() &&
         all_of(cast<Instruction>(C)->operands(), [&](const Use &U) { return knownBefore(U.get()); });
}

/// Where a pointer may point. One that changes places with others is a choice by the number of the step.
bool StepState::places(Value *Pointer, const SCEV *Offset, unsigned Depth, SmallVectorImpl<Place> &Out) {
  const SCEV *S = SE.getSCEV(Pointer);
  auto *Root = dyn_cast<SCEVUnknown>(SE.getPointerBase(S));
  if (!Root || Depth > 8)
    return false;
  const SCEV *More = SE.getMinusSCEV(S, Root);
  if (isa<SCEVCouldNotCompute>(More))
    return false;
  Offset = SE.getAddExpr(Offset, More);
  Value *V = Root->getValue();
  if (isa<Argument, GlobalVariable>(V)) {
    Out.push_back({V, Offset});
    return true;
  }
  if (auto *Choice = dyn_cast<SelectInst>(V))
    return places(Choice->getTrueValue(), Offset, Depth + 1, Out) &&
           places(Choice->getFalseValue(), Offset, Depth + 1, Out);
  auto *Made = dyn_cast<Instruction>(V);
  return Made && isAllocation(Made) && L.contains(Made); // nobody else's: no place
}

bool StepState::places(const Access &A, SmallVectorImpl<Place> &Out) {
  return SE.isSCEVable(A.Pointer->getType()) &&
         places(A.Pointer, SE.getZero(Type::getInt64Ty(F.getContext())), 0, Out);
}

std::optional<StateRange> StepState::range(const Access &A, const Place &P, bool InStep) {
  auto Known = [&](const SCEV *S) { return knownBefore(S, InStep); };
  OffsetBounds Bounds(SE, Known, /*KeepKnown=*/InStep);
  const SCEV *Low = Bounds.bound(P.Offset, false), *High = Bounds.bound(P.Offset, true),
             *Size = Bounds.bound(A.Bytes, true);
  if (!Low || !High || !Size || !Known(Low) || !Known(High) || !Known(Size))
    return std::nullopt;
  return StateRange{Low, SE.getAddExpr(High, Size), {}};
}

/// Whether both ends of the range are reached, if all iterations of all loops are.
bool StepState::exact(const Place &P) {
  const SCEV *S = P.Offset;
  while (auto *AR = dyn_cast<SCEVAddRecExpr>(S)) {
    if (!AR->isAffine() || !knownBefore(AR->getStepRecurrence(SE), false) ||
        !knownBefore(SE.getBackedgeTakenCount(AR->getLoop()), false))
      return false;
    S = AR->getStart();
  }
  return knownBefore(S, false);
}

/// All of an object whose size is known.
std::optional<StateRange> StepState::object(Value *Base) const {
  Type *I64 = Type::getInt64Ty(F.getContext());
  uint64_t Bytes = 0;
  if (auto *G = dyn_cast<GlobalVariable>(Base)) {
    if (!G->hasDefinitiveInitializer() && G->isDeclaration())
      return std::nullopt;
    Bytes = F.getDataLayout().getTypeAllocSize(G->getValueType());
  } else {
    auto *A = cast<Argument>(Base);
    Attribute Known = F.getAttributes().getParamAttr(A->getArgNo(), ObjectBytes);
    if (!Known.isValid() || Known.getValueAsString().getAsInteger(10, Bytes))
      return std::nullopt;
  }
  return StateRange{SE.getZero(I64), SE.getConstant(I64, Bytes), {}};
}

/// Goes up from `B` to a block through which every way to `To` goes, by conditions that are known before.
bool StepState::climb(BasicBlock *&B, const BasicBlock *To, Conditions &If) const {
  while (!DT.dominates(B, To)) {
    BasicBlock *Above = DT.getNode(B)->getIDom()->getBlock();
    auto *Branch = dyn_cast<BranchInst>(Above->getTerminator());
    if (!Branch || !Branch->isConditional() || !knownBefore(Branch->getCondition()) || !L.contains(Above))
      return false;
    bool Side = false;
    if (DT.dominates(BasicBlockEdge(Above, Branch->getSuccessor(0)), B))
      Side = true;
    else if (!DT.dominates(BasicBlockEdge(Above, Branch->getSuccessor(1)), B))
      return false;
    // Within the guarded part every way must come to B.
    If.push_back({Branch->getCondition(), Side});
    BasicBlock *Begin = Branch->getSuccessor(Side ? 0 : 1);
    if (Begin != B && !DT.dominates(Begin, B))
      return false;
    for (BasicBlock *At = B; At != Begin;) { // straight down
      BasicBlock *Pred = At->getSinglePredecessor();
      if (!Pred || Pred->getSingleSuccessor() != At)
        return false;
      At = Pred;
    }
    B = Above;
  }
  return true;
}

/// Whether each step makes the access, in all iterations of its loops.
std::optional<StepState::Sure> StepState::surely(Instruction &I) const {
  Sure S{{}, I.getParent()};
  for (const Loop *Inner = LI.getLoopFor(I.getParent()); Inner; Inner = Inner->getParentLoop()) {
    const BasicBlock *Latch = Inner->getLoopLatch();
    if (!Latch || Inner->getExitingBlock() != Latch || !climb(S.From, Latch, S.If))
      return std::nullopt;
    if (Inner == &L)
      return S;
    S.From = Inner->getLoopPreheader();
    if (!S.From)
      return std::nullopt;
  }
  return std::nullopt;
}

bool StepState::within(const StateRange &In, const StateRange &Out) {
  return SE.isKnownPredicate(ICmpInst::ICMP_SLE, Out.Low, In.Low) &&
         SE.isKnownPredicate(ICmpInst::ICMP_SGE, Out.High, In.High);
}

void StepState::findWrites() {
  // What each step surely touches is there; of buffers that change places, nobody knows in which step.
  MapVector<Value *, SmallVector<StateRange, 4>> Touched;
  for (const Access &A : Accesses) {
    SmallVector<Place, 2> Where;
    if (!places(A, Where) || Where.size() != 1)
      continue;
    if (std::optional<Sure> S = surely(*A.I); S && S->If.empty() && exact(Where[0]))
      if (std::optional<StateRange> R = range(A, Where[0], false))
        Touched[Where[0].Base].push_back(*R);
  }
  for (const Access &A : Accesses) {
    if (!A.Write)
      continue;
    SmallVector<Place, 2> Where;
    if (!places(A, Where)) {
      refuse(*A.I,
             "the memory that is written here is reached through a pointer that the step finds; copy the "
             "pointer to a local variable before the loop");
      continue;
    }
    std::optional<Sure> S = surely(*A.I);
    for (const Place &P : Where) {
      std::optional<StateRange> R = range(A, P, false), Whole = object(P.Base);
      bool Exact = R && S && exact(P);
      if (Exact)
        R->If = S->If;
      bool Proved =
          R && (Exact || any_of(Touched[P.Base], [&](const StateRange &T) { return within(*R, T); }));
      if (!Proved && Whole)
        R = Whole;
      if (!Proved && !Whole) {
        refuse(*A.I,
               "how much of " + stateName(P.Base) + " is written " +
                   (R ? "is not certain, since this is not done in each step; write it in each step, in "
                        "loops without a condition, or use a local array"
                      : "here is not known before the loop; write it in loops whose bounds are known "
                        "before, or use a local array"));
        break;
      }
      StateBuffer &B = Buffers[P.Base];
      if (!is_contained(B.Written, *R))
        B.Written.push_back(*R);
    }
  }
}

/// Whether control comes from one block to the other in the same step.
bool StepState::reaches(BasicBlock *From, const BasicBlock *To) const {
  SmallPtrSet<const BasicBlock *, 16> Seen = {L.getHeader()};
  SmallVector<BasicBlock *, 16> Todo = {From};
  while (!Todo.empty()) {
    BasicBlock *B = Todo.pop_back_val();
    if (B == To)
      return true;
    for (BasicBlock *S : successors(B))
      if (L.contains(S) && Seen.insert(S).second)
        Todo.push_back(S);
  }
  return false;
}

/// Whether each step has written all that R reads, by W, before it reads there.
bool StepState::covers(const Access &W, const Access &R) {
  SmallVector<Place, 2> At, From;
  if (!places(W, At) || !places(R, From) || At.size() != 1 || From.size() != 1 || At[0].Base != From[0].Base)
    return false;
  std::optional<Sure> S = surely(*W.I);
  if (!S)
    return false;
  const Loop *Nest = nullptr;
  for (const Loop *Inner = LI.getLoopFor(W.I->getParent()); Inner != &L; Inner = Inner->getParentLoop())
    Nest = Inner;
  BasicBlock *Reads = R.I->getParent();
  if (Nest ? Nest->contains(Reads) || !DT.dominates(S->From, Reads) : !DT.dominates(W.I, R.I))
    return false;
  if (Nest && reaches(Reads, Nest->getHeader()))
    return false;
  // R runs under the conditions of W.
  for (auto [C, Side] : S->If) {
    bool Implied = false;
    for (auto *N = DT.getNode(Reads); N && !Implied && L.contains(N->getBlock()); N = N->getIDom()) {
      auto *Branch = dyn_cast<BranchInst>(N->getBlock()->getTerminator());
      Implied = Branch && Branch->isConditional() && Branch->getCondition() == C &&
                DT.dominates(BasicBlockEdge(N->getBlock(), Branch->getSuccessor(Side ? 0 : 1)), Reads);
    }
    if (!Implied)
      return false;
  }
  // Element by element without gaps, from the innermost loop outwards.
  const SCEV *Begin = At[0].Offset, *Bytes = W.Bytes;
  for (const Loop *Inner = LI.getLoopFor(W.I->getParent()); Inner != &L; Inner = Inner->getParentLoop()) {
    auto *AR = dyn_cast<SCEVAddRecExpr>(Begin);
    if (!AR || AR->getLoop() != Inner)
      continue;
    const SCEV *Times = SE.getBackedgeTakenCount(Inner);
    if (!AR->isAffine() || isa<SCEVCouldNotCompute>(Times) || AR->getStepRecurrence(SE) != Bytes)
      return false;
    Times = SE.getAddExpr(SE.getNoopOrZeroExtend(Times, Bytes->getType()), SE.getOne(Bytes->getType()));
    Bytes = SE.getMulExpr(Bytes, Times);
    Begin = AR->getStart();
  }
  std::optional<StateRange> Needed = range(R, From[0], true);
  return Needed && knownBefore(Begin, true) && knownBefore(Bytes, true) &&
         within(*Needed, {Begin, SE.getAddExpr(Begin, Bytes), {}});
}

void StepState::findReads() {
  for (const Access &A : Accesses) {
    if (A.Write)
      continue;
    SmallVector<Place, 2> From;
    if (!places(A, From)) {
      ReadsAnything = true;
      continue;
    }
    if (all_of(From, [](const Place &P) {
          auto *G = dyn_cast<GlobalVariable>(P.Base);
          return G && G->isConstant();
        }))
      continue;
    if (any_of(Accesses, [&](const Access &W) { return W.Write && covers(W, A); }))
      continue;
    for (const Place &P : From) {
      if (auto It = Buffers.find(P.Base); It != Buffers.end())
        It->second.Carried = true;
      std::optional<StateRange> R = range(A, P, false);
      if (!R)
        R = object(P.Base);
      if (!R)
        ReadsAnything = true;
      else if (!is_contained(Reads, std::pair(P.Base, *R)))
        Reads.push_back({P.Base, *R});
    }
  }
  if (ReadsAnything)
    for (auto &[Base, B] : Buffers)
      B.Carried = true;
}

StepState::StepState(Function &F, Loop &L, LoopInfo &LI, ScalarEvolution &SE, DominatorTree &DT, Diag &D)
    : F(F), L(L), LI(LI), SE(SE), DT(DT), D(D) {
  unsigned Before = D.errors();
  collect();
  if (D.errors() != Before)
    return;
  findWrites();
  if (D.errors() == Before)
    findReads();
}

} // namespace tapefree
