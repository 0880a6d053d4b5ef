// Memory that the primal makes and frees must live until the reverse sweep has passed the place where it was made. The
// plan moves each such free there: the primal's call is left out, and the reverse of the allocation frees the block.
#include "Plan/Plan.h"
#include "Rules/CallEffects.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace tapefree {

bool planFrees(Plan &Out, const Facts &F, Diag &D) {
  unsigned Before = D.errors();
  for (const Instruction &I : instructions(*F.P.F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call || callsVisibleBody(*Call))
      continue;
    rules::CallEffect E = rules::callEffect(*Call);
    if (isAllocation(Call) && Call->hasMetadata("tapefree.scoped"))
      Out.FreedAllocations.insert(Call);
    if (E.Kind != rules::CallKind::Free)
      continue;
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Call->getArgOperand(E.Pointer), Objects, nullptr, 0);
    bool Foreign = false;
    for (const Value *O : Objects)
      Foreign |= !isa<ConstantPointerNull, UndefValue>(O) && !isAllocation(O);
    if (Foreign) {
      if (any_of(Objects, isAllocation) || F.Act.hasShadow(Call->getArgOperand(E.Pointer)))
        D.error(I, "cannot see which allocation is freed here, so its memory cannot be kept for the reverse sweep: free the "
                   "pointer that malloc or new returned, in the same function");
      continue;
    }
    Out.DelayedFrees.insert(Call);
    for (const Value *O : Objects)
      if (isAllocation(O))
        Out.FreedAllocations.insert(O);
  }
  return D.errors() == Before;
}

} // namespace tapefree
