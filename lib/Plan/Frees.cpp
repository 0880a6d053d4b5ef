// Memory that the primal makes and frees must live until the reverse sweep has passed the place where it was made. The
// plan moves each such free there: the primal's call is left out, and the reverse of the allocation frees the block.
//
// A free whose pointer was read from memory does not say which allocation it ends. That does not matter as long as no
// allocation outlives the function: a block that nobody outside can reach is freed by the reverse of its allocation in any
// case (and a block that the primal leaks is leaked no longer).
//
// Where the primal is a derivative itself, the blocks of that derivative are marked (PairedMark): the reverse of each
// marked allocation frees the block, and every marked free is left out, also where the two are in different functions.
#include "Plan/Plan.h"
#include "Rules/CallEffects.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace tapefree {

namespace {
class FreePlanner {
public:
  FreePlanner(Plan &Out, const Facts &F, Diag &D) : Out(Out), F(F), D(D) {}
  bool run();

private:
  bool localMemory(const Value *Address) const;
  void findEscapes();
  void planFree(const CallBase &Call, const Value *Pointer);

  Plan &Out;
  const Facts &F;
  Diag &D;
  SmallVector<const CallBase *, 8> Allocations;
  DenseSet<const Value *> Escaped; // reachable from outside
  bool ForeignStored = false;      // pointers to memory of others are kept in local memory
};
} // namespace

static SmallVector<const Value *, 4> objectsOf(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  return Objects;
}

/// Whether an address lies in memory that this function made and nobody outside can reach: a local, or what a pointer kept
/// in such memory leads to.
bool FreePlanner::localMemory(const Value *Address) const {
  SmallPtrSet<const Value *, 8> Seen;
  SmallVector<const Value *, 8> Todo = {Address};
  while (!Todo.empty()) {
    for (const Value *O : objectsOf(Todo.pop_back_val())) {
      if (!Seen.insert(O).second || isa<AllocaInst, ConstantPointerNull, UndefValue>(O))
        continue;
      if (auto *Load = dyn_cast<LoadInst>(O))
        Todo.push_back(Load->getPointerOperand()); // ForeignStored tells whether anything else lies there
      else if (!isAllocation(O) || Escaped.contains(O))
        return false;
    }
  }
  return true;
}

void FreePlanner::findEscapes() {
  // A store into memory that escapes later makes its value escape: iterate until nothing changes.
  for (bool Again = true; Again;) {
    size_t Before = Escaped.size();
    for (const Instruction &I : instructions(*F.P.F)) {
      const Value *Leaves = nullptr;
      if (auto *Store = dyn_cast<StoreInst>(&I)) {
        if (Store->getValueOperand()->getType()->isPointerTy() && !localMemory(Store->getPointerOperand()))
          Leaves = Store->getValueOperand();
        else if (Store->getValueOperand()->getType()->isPointerTy() && !localMemory(Store->getValueOperand()))
          ForeignStored = true;
      } else if (auto *Ret = dyn_cast<ReturnInst>(&I)) {
        if (Ret->getReturnValue() && Ret->getReturnValue()->getType()->isPointerTy())
          Leaves = Ret->getReturnValue();
      } else if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
        AccessPattern P = F.Types.pattern(*Copy);
        bool Pointers = any_of(P.Fields, [](const TypeField &T) { return T.Kind == ScalarKind::Pointer; });
        if (Pointers && localMemory(Copy->getRawSource()) && !localMemory(Copy->getRawDest()))
          Escaped.insert(Allocations.begin(), Allocations.end()); // any address may be among the copied ones
      }
      if (Leaves)
        for (const Value *O : objectsOf(Leaves))
          if (isAllocation(O))
            Escaped.insert(O);
    }
    Again = Escaped.size() != Before;
  }
}

void FreePlanner::planFree(const CallBase &Call, const Value *Pointer) {
  SmallVector<const Value *, 4> Objects = objectsOf(Pointer);
  bool Named = all_of(Objects, [](const Value *O) { return isa<ConstantPointerNull, UndefValue>(O) || isAllocation(O); });
  if (Named) {
    Out.DelayedFrees.insert(&Call);
    for (const Value *O : Objects)
      if (isAllocation(O))
        Out.FreedAllocations.insert(O);
    return;
  }
  bool FromLocals = localMemory(Pointer);
  if (FromLocals && Escaped.empty() && !ForeignStored) {
    Out.DelayedFrees.insert(&Call);
    Out.FreedAllocations.insert(Allocations.begin(), Allocations.end());
    return;
  }
  if (FromLocals || F.Act.hasShadow(Pointer))
    D.error(Call, "cannot see which allocation is freed here, so its memory cannot be kept for the reverse sweep: free the "
                  "pointer that malloc or new returned, in the function that allocated it");
}

bool FreePlanner::run() {
  unsigned Before = D.errors();
  SmallVector<std::pair<const CallBase *, const Value *>, 8> Frees;
  for (const Instruction &I : instructions(*F.P.F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || callsVisibleBody(*Call))
      continue;
    bool Paired = Call->hasMetadata(PairedMark);
    if (isAllocation(Call)) {
      if (Paired || Call->hasMetadata(ScopedMark))
        Out.FreedAllocations.insert(Call);
      if (!Paired)
        Allocations.push_back(Call);
    }
    rules::CallEffect E = rules::callEffect(*Call);
    if (E.Kind == rules::CallKind::Free && Paired)
      Out.DelayedFrees.insert(Call);
    else if (E.Kind == rules::CallKind::Free)
      Frees.push_back({Call, Call->getArgOperand(E.Pointer)});
  }
  if (Frees.empty())
    return true;
  findEscapes();
  for (auto &[Call, Pointer] : Frees)
    planFree(*Call, Pointer);
  return D.errors() == Before;
}

bool planFrees(Plan &Out, const Facts &F, Diag &D) { return FreePlanner(Out, F, D).run(); }

} // namespace tapefree
