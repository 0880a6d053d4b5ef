#include "Analysis/Memory/Writers.h"
#include "Analysis/Memory/SweepOrder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/MemoryBuiltins.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace tapefree {

/// How far back to look for the load whose value a store puts back.
static constexpr unsigned MaxNoOpScan = 32;

static bool isErrnoAddress(const Value *V) {
  const auto *Call = dyn_cast<CallBase>(V);
  const Function *F = Call ? Call->getCalledFunction() : nullptr;
  return F && is_contained({"__errno_location", "__errno", "__error", "_errno", "___errno"}, F->getName());
}

Objects::Objects(const Value *Ptr) {
  getUnderlyingObjects(Ptr, List);
  for (const Value *O : List) {
    Identified &= isIdentifiedObject(O);
    MayBeErrno |= isErrnoAddress(O);
  }
}

/// `store (load p), p` with nothing written in between.
static bool putsBack(const StoreInst &S) {
  const auto *L = dyn_cast<LoadInst>(S.getValueOperand());
  if (!L || L->getPointerOperand() != S.getPointerOperand() || L->getParent() != S.getParent() ||
      !L->isUnordered() || !S.isUnordered())
    return false;
  unsigned Left = MaxNoOpScan;
  for (const Instruction *I = S.getPrevNode(); I && Left; I = I->getPrevNode(), --Left) {
    if (I == L)
      return true;
    if (I->mayWriteToMemory())
      return false;
  }
  return false;
}

/// Is it an atomic operation that orders other memory, too?
static bool synchronises(const Instruction &I) {
  if (const auto *L = dyn_cast<LoadInst>(&I))
    return isStrongerThanMonotonic(L->getOrdering());
  if (const auto *S = dyn_cast<StoreInst>(&I))
    return isStrongerThanMonotonic(S->getOrdering());
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return isStrongerThanMonotonic(RMW->getOrdering());
  if (const auto *CX = dyn_cast<AtomicCmpXchgInst>(&I))
    return isStrongerThanMonotonic(CX->getMergedOrdering());
  return false;
}

WriterIndex::WriterIndex(const Function &F, AAResults &AA, const TargetLibraryInfo &TLI,
                         const SweepOrder &Order, OverwriteOptions Options,
                         function_ref<bool(const CallBase &)> CallIsHarmless)
    : AA(AA), TLI(TLI), Options(Options), CallIsHarmless(CallIsHarmless) {
  SmallVector<const BasicBlock *, 0> Blocks;
  for (const BasicBlock &BB : F)
    if (Order.isReachable(&BB))
      Blocks.push_back(&BB);
  llvm::sort(Blocks,
             [&](const BasicBlock *A, const BasicBlock *B) { return Order.number(A) < Order.number(B); });
  for (const BasicBlock *BB : Blocks)
    for (const Instruction &I : *BB)
      add(I);

  for (auto [N, W] : enumerate(All)) {
    if (W.Loc.Ptr) {
      W.Object = getUnderlyingObject(W.Loc.Ptr);
      Objects To(W.Loc.Ptr);
      if (To.identified()) {
        for (const Value *O : To.list())
          ByObject[O].push_back(N);
        continue;
      }
    }
    Anywhere.push_back(N);
  }
  this->CallIsHarmless = {};
}

void WriterIndex::add(const Instruction &I) {
  // Synchronisation: another thread may write what this one has read before it, even if the program has no
  // races.
  if (const auto *Fence = dyn_cast<FenceInst>(&I)) {
    if (Fence->getSyncScopeID() != SyncScope::SingleThread)
      add({&I, OverwriteKind::Volatile, {}});
    return;
  }
  if (synchronises(I))
    add({&I, OverwriteKind::Volatile, {}});

  switch (I.getOpcode()) {
  case Instruction::Store:
    if (!putsBack(cast<StoreInst>(I)))
      add({&I, OverwriteKind::Store, MemoryLocation::get(&I)});
    return;
  case Instruction::AtomicCmpXchg:
  case Instruction::AtomicRMW:
    add({&I, OverwriteKind::Store, MemoryLocation::get(&I)});
    return;
  case Instruction::VAArg: // moves the va_list on
    add({&I, OverwriteKind::Call, MemoryLocation::get(&I)});
    return;
  case Instruction::Call:
  case Instruction::Invoke:
  case Instruction::CallBr:
    if (I.mayWriteToMemory())
      addCall(cast<CallBase>(I));
    return;
  default:
    return; // loads, and what has no memory at all
  }
}

void WriterIndex::addCall(const CallBase &Call) {
  auto Whole = [&](unsigned Arg) { return MemoryLocation::getBeforeOrAfter(Call.getArgOperand(Arg)); };
  if (const auto *Mem = dyn_cast<AnyMemIntrinsic>(&Call)) {
    const auto *Bytes = dyn_cast<ConstantInt>(Mem->getLength());
    if (!Bytes || !Bytes->isZero())
      add({&Call, OverwriteKind::MemoryIntrinsic, MemoryLocation::getForDest(Mem),
           Bytes ? nullptr : Mem->getLength()});
    return;
  }
  switch (Call.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
    if (!Options.IgnoreLifetimeEnds)
      add({&Call, OverwriteKind::LifetimeEnd, Whole(0)});
    return;
  case Intrinsic::stackrestore: // see candidates()
    add({&Call, OverwriteKind::LifetimeEnd, {}});
    return;
  case Intrinsic::masked_store:
    add({&Call, OverwriteKind::Store, MemoryLocation::getForArgument(&Call, 1, TLI)});
    return;
  case Intrinsic::vastart:
  case Intrinsic::vacopy:
    add({&Call, OverwriteKind::Call, Whole(0)});
    return;
  case Intrinsic::vaend:
  case Intrinsic::stacksave:
  case Intrinsic::prefetch:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::trap:
  case Intrinsic::ubsantrap:
  case Intrinsic::debugtrap:
    return;
  default:
    break;
  }
  if (const Value *Moved = getReallocatedOperand(&Call)) {
    add({&Call, OverwriteKind::Free, MemoryLocation::getBeforeOrAfter(Moved)});
    return;
  }
  if (const Value *Freed = getFreedOperand(&Call, &TLI)) {
    if (!Options.IgnoreFrees)
      add({&Call, OverwriteKind::Free, MemoryLocation::getBeforeOrAfter(Freed)});
    return;
  }
  // A new object: nobody can have read it before.
  if (isAllocationFn(&Call, &TLI))
    return;
  MemoryEffects Written = AA.getMemoryEffects(&Call).getWithoutLoc(IRMemLocation::InaccessibleMem);
  bool OnlyErrno = !isModSet(Written.getWithoutLoc(IRMemLocation::ErrnoMem).getModRef());
  if (OnlyErrno || (CallIsHarmless && CallIsHarmless(Call))) {
    if (isModSet(Written.getModRef()))
      OnlyOfErrno.push_back({&Call, OverwriteKind::Call, {}});
    return;
  }
  add({&Call, OverwriteKind::Call, {}});
}

/// Allocas of variable size stay where they are, and so does the stackrestore that ends them.
static bool endsWithScope(const Value *Object) {
  const auto *A = dyn_cast<AllocaInst>(Object);
  return A && !isa<ConstantInt>(A->getArraySize());
}

SmallVector<const Writer *, 0> WriterIndex::candidates(const Objects &From) const {
  SmallVector<const Writer *, 0> Out;
  bool OnStack =
      any_of(From.list(), [](const Value *O) { return endsWithScope(O) || !isIdentifiedObject(O); });
  auto Take = [&](const Writer &W) {
    bool IsStackRestore = W.Kind == OverwriteKind::LifetimeEnd && !W.Loc.Ptr;
    if (!IsStackRestore || OnStack)
      Out.push_back(&W);
  };
  if (From.mayBeErrno())
    for_each(OnlyOfErrno, Take);
  if (!From.identified()) {
    for_each(All, Take);
    return Out;
  }
  SmallVector<unsigned, 0> Numbers(Anywhere.begin(), Anywhere.end());
  for (const Value *O : From.list())
    if (auto It = ByObject.find(O); It != ByObject.end())
      append_range(Numbers, It->second);
  llvm::sort(Numbers);
  Numbers.erase(llvm::unique(Numbers), Numbers.end());
  for (unsigned N : Numbers)
    Take(All[N]);
  return Out;
}

} // namespace tapefree
