#include "Analysis/Memory/Harmless.h"
#include "Analysis/Activity/Activity.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace tapefree {

static bool harmlessByName(const CallBase &Call, bool Frees) {
  if (rules::scalarRule(Call))
    return true;
  rules::CallKind K = rules::callEffect(Call).Kind;
  return K == rules::CallKind::Inactive || K == rules::CallKind::Allocate ||
         K == rules::CallKind::AllocateZeroed || (Frees && K == rules::CallKind::Free) ||
         K == rules::CallKind::NoReturn;
}

/// Whether all that `F` and what it calls write are their own local variables.
static bool writesOnlyLocals(const Function &F) {
  SmallSetVector<const Function *, 8> Reached;
  Reached.insert(&F);
  for (unsigned Next = 0; Next < Reached.size(); ++Next)
    for (const Instruction &I : instructions(*Reached[Next])) {
      if (!I.mayWriteToMemory())
        continue;
      const auto *Call = dyn_cast<CallBase>(&I);
      if (Call && callsVisibleBody(*Call)) {
        Reached.insert(Call->getCalledFunction());
        continue;
      }
      if (Call && (Call->isLifetimeStartOrEnd() ||
                   (!isa<AnyMemIntrinsic>(I) && harmlessByName(*Call, /*Frees=*/false))))
        continue;
      const Value *To = nullptr;
      if (auto *Mem = dyn_cast<AnyMemIntrinsic>(&I))
        To = Mem->getRawDest();
      else if (auto *Store = dyn_cast<StoreInst>(&I))
        To = Store->isSimple() ? Store->getPointerOperand() : nullptr;
      if (!To || !isa<AllocaInst>(getUnderlyingObject(To)))
        return false;
    }
  return true;
}

bool leavesMemoryAlone(const CallBase &Call) {
  // Frees are delayed until the reverse sweep has passed the allocation, and nothing is read after a call
  // that does not come back.
  return callsVisibleBody(Call) ? writesOnlyLocals(*Call.getCalledFunction())
                                : harmlessByName(Call, /*Frees=*/true);
}

} // namespace tapefree
