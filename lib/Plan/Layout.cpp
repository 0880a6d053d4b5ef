// Where kept values lie: one flat array for each value, one element for each iteration of its loop over all runs of that
// loop, exactly sized where the counts allow.
#include "Plan/Plan.h"
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
  LP.BodyOnly = LP.L->getExitingBlock() == Header && none_of(LP.Kept, [&](const KeptArray &K) {
                  return cast<Instruction>(K.Value.V)->getParent() == Header;
                });
  Value *Rows = LP.BodyOnly ? C.TotalBody : C.TotalHeader;
  if (!Rows) {
    LP.Size = LoopPlan::Growing;
    return;
  }
  LP.Size = LoopPlan::Exact;
  LP.TotalRows = Rows;
  if (auto *Constant = dyn_cast<ConstantInt>(Rows); Constant && Constant->getValue().ult(StackLimit / LP.RowBytes + 1)) {
    LP.Size = LoopPlan::Stack;
    LP.StackRows = std::max<uint64_t>(Constant->getZExtValue(), 1);
  }
}

void planLayout(Plan &Out, const Facts &F) {
  const DataLayout &DL = F.P.F->getDataLayout();
  for (auto &[R, VP] : Out.Values) {
    if (VP.F != Fate::Keep)
      continue;
    LoopPlan &LP = Out.Loops[levelOf(R, F.LI)];
    KeptArray K;
    K.Value = R;
    K.Element = typeOf(R);
    // A condition takes a byte, not a bit: rows must be addressable.
    if (K.Element->isIntegerTy(1))
      K.Element = Type::getInt8Ty(K.Element->getContext());
    K.Bytes = DL.getTypeAllocSize(K.Element);
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

bool Plan::keepsOnHeap() const {
  return any_of(Loops, [](const auto &P) {
    return P.second.Size == LoopPlan::Exact || P.second.Size == LoopPlan::Growing;
  });
}

} // namespace tapefree
