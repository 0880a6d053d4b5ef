#include "Analysis/Memory/TouchedBytes.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace tapefree {

static constexpr int64_t MostBytes = int64_t(1) << 40; // beyond it sums might overflow

/// The lowest and highest value of an offset whose every step a block at `At` is certain to take; false if
/// unknown.
static bool range(const SCEV *S, const BasicBlock *At, ScalarEvolution &SE, DominatorTree &DT, int64_t &Low,
                  int64_t &High) {
  if (auto *C = dyn_cast<SCEVConstant>(S)) {
    if (C->getAPInt().getSignificantBits() > 40)
      return false;
    Low = High = C->getAPInt().getSExtValue();
    return true;
  }
  auto *AR = dyn_cast<SCEVAddRecExpr>(S);
  if (!AR || !AR->isAffine())
    return false;
  const Loop *L = AR->getLoop();
  const BasicBlock *Latch = L->getLoopLatch();
  auto *Times = dyn_cast<SCEVConstant>(SE.getBackedgeTakenCount(L));
  auto *Step = dyn_cast<SCEVConstant>(AR->getStepRecurrence(SE));
  // Left only from its latch, and past `At` on the way there: all iterations pass it.
  if (!Latch || L->getExitingBlock() != Latch || !L->contains(At) || !DT.dominates(At, Latch) || !Times ||
      !Step || Times->getAPInt().getActiveBits() > 31 || Step->getAPInt().getSignificantBits() > 31 ||
      !range(AR->getStart(), At, SE, DT, Low, High))
    return false;
  int64_t Way = Step->getAPInt().getSExtValue() * int64_t(Times->getAPInt().getZExtValue());
  (Way < 0 ? Low : High) += Way;
  return std::abs(Low) < MostBytes && std::abs(High) < MostBytes;
}

uint64_t surelyTouchedBytes(const Argument &A, LoopInfo &LI, ScalarEvolution &SE, DominatorTree &DT) {
  const Function &F = *A.getParent();
  const BasicBlock *Return = nullptr;
  for (const BasicBlock &B : F)
    if (isa<ReturnInst>(B.getTerminator()))
      Return = &B;
  int64_t Low = 0, High = 0;
  bool Any = false;
  for (const Instruction &I : instructions(F)) {
    const Value *Pointer = getLoadStorePointerOperand(&I);
    if (!Pointer || !Return || !DT.dominates(I.getParent(), Return))
      continue;
    Type *T = getLoadStoreType(&I);
    SmallVector<const Value *, 2> Objects;
    getUnderlyingObjects(Pointer, Objects, nullptr, 0);
    if (!(T->isFPOrFPVectorTy() || T->isPointerTy()) || Objects.size() != 1 || Objects[0] != &A)
      continue;
    const SCEV *Offset =
        SE.getMinusSCEV(SE.getSCEVAtScope(const_cast<Value *>(Pointer), LI.getLoopFor(I.getParent())),
                        SE.getSCEV(const_cast<Argument *>(&A)));
    int64_t First, Last;
    if (isa<SCEVCouldNotCompute>(Offset) || !range(Offset, I.getParent(), SE, DT, First, Last))
      continue;
    Last += int64_t(F.getDataLayout().getTypeStoreSize(T).getKnownMinValue());
    Low = Any ? std::min(Low, First) : First;
    High = Any ? std::max(High, Last) : Last;
    Any = true;
  }
  return uint64_t(High - Low);
}

} // namespace tapefree
