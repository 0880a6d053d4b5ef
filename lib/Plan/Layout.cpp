// Where kept values lie: one flat array for each value, one element for each iteration of its loop over all
// runs of that loop, exactly sized where the counts allow.
#include "Plan/Plan.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

// Arrays of a constant size up to this many bytes lie on the stack.
static constexpr uint64_t StackLimit = 16384;

static void sizeLoop(LoopPlan &LP, const Facts &F) {
  const LoopCounts &C = F.P.Counts.find(LP.L->getHeader())->second;
  const BasicBlock *Header = LP.L->getHeader();
  LP.BodyOnly =
      LP.L->getExitingBlock() == Header && none_of(LP.Kept, [&](const KeptArray &K) {
        return cast<Instruction>(K.Value.V)->getParent() == Header; // header values share with nothing
      });
  Value *Rows = LP.BodyOnly ? C.TotalBody : C.TotalHeader;
  if (!Rows) {
    LP.Size = LoopPlan::Growing;
    return;
  }
  LP.Size = LoopPlan::Exact;
  LP.TotalRows = Rows;
  if (auto *Constant = dyn_cast<ConstantInt>(Rows);
      Constant && Constant->getValue().ult(StackLimit / LP.RowBytes + 1)) {
    LP.Size = LoopPlan::Stack;
    LP.StackRows = std::max<uint64_t>(Constant->getZExtValue(), 1);
  }
}

/// Whether control can pass both blocks in one iteration of their innermost loop `L`.
static bool sameIteration(const BasicBlock *A, const BasicBlock *B, const Loop *L, const Facts &F) {
  if (A == B || F.DT.dominates(A, B) || F.DT.dominates(B, A))
    return true;
  // Without the header, no path can go through the back edge.
  SmallPtrSet<BasicBlock *, 1> Header = {L->getHeader()};
  return isPotentiallyReachable(A, B, &Header, &F.DT, &F.LI) ||
         isPotentiallyReachable(B, A, &Header, &F.DT, &F.LI);
}

static bool share(LoopPlan &LP, const KeptArray &New, const Facts &F) {
  const BasicBlock *Block = cast<Instruction>(New.Value.V)->getParent();
  for (KeptArray &Old : LP.Kept) {
    if (Old.Bytes != New.Bytes)
      continue;
    bool Together = sameIteration(cast<Instruction>(Old.Value.V)->getParent(), Block, LP.L, F) ||
                    any_of(Old.Sharing, [&](const auto &S) {
                      return sameIteration(cast<Instruction>(S.first.V)->getParent(), Block, LP.L, F);
                    });
    if (Together)
      continue;
    Old.Sharing.push_back({New.Value, New.Element});
    return true;
  }
  return false;
}

void planLayout(Plan &Out, const Facts &F) {
  const DataLayout &DL = F.P.F->getDataLayout();
  for (auto &[R, VP] : Out.Values) {
    if (VP.F != Fate::Keep)
      continue;
    LoopPlan &LP = Out.Loops[levelOf(R, F.LI)];
    KeptArray K;
    K.Value = R;
    K.Element = typeOf(R, F.L);
    // A condition takes a byte, not a bit: rows must be addressable.
    if (K.Element->isIntegerTy(1))
      K.Element = Type::getInt8Ty(K.Element->getContext());
    K.Bytes = DL.getTypeAllocSize(K.Element);
    if (!share(LP, K, F))
      LP.Kept.push_back(K);
  }
  for (auto &[L, LP] : Out.Loops) {
    if (LP.Kept.empty())
      continue;
    for (const KeptArray &K : LP.Kept)
      LP.RowBytes += K.Bytes;
    sizeLoop(LP, F);
  }
}

unsigned Plan::keptValues() const {
  return unsigned(count_if(Values, [](const auto &V) { return V.second.F == Fate::Keep; }));
}

uint64_t Plan::heapWeight() const {
  uint64_t Sum = 0;
  for (auto &[L, LP] : Loops)
    if (LP.Size == LoopPlan::Exact || LP.Size == LoopPlan::Growing)
      Sum = SaturatingMultiplyAdd<uint64_t>(LP.RowBytes, assumedRuns(L->getLoopDepth()), Sum);
  return Sum;
}

bool Plan::keepsOnHeap() const {
  return any_of(Loops, [](const auto &P) {
    return P.second.Size == LoopPlan::Exact || P.second.Size == LoopPlan::Growing;
  });
}

} // namespace tapefree
