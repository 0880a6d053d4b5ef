#include "Analysis/Memory/LastStores.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace tapefree {

// A loop with more memory accesses is not looked at: the work is quadratic in them.
static constexpr unsigned MaxAccesses = 64;

LastStores::LastStores(const DominatorTree &DT, const LoopInfo &LI, AAResults &AA) {
  BatchAAResults Batch(AA);
  for (const Loop *L : const_cast<LoopInfo &>(LI).getLoopsInPreorder()) {
    const BasicBlock *Exiting = L->getExitingBlock(), *Latch = L->getLoopLatch();
    if (!Exiting || !Latch || !L->getLoopPreheader())
      continue;
    SmallVector<const Instruction *, 16> Accesses;
    for (const BasicBlock *B : L->blocks())
      for (const Instruction &I : *B)
        if (I.mayReadOrWriteMemory() || I.mayThrow())
          Accesses.push_back(&I);
    if (Accesses.size() > MaxAccesses)
      continue;
    for (const Instruction *I : Accesses) {
      auto *S = dyn_cast<StoreInst>(I);
      if (!S || !S->isSimple() || LI.getLoopFor(S->getParent()) != L ||
          !L->isLoopInvariant(S->getPointerOperand()) || !DT.dominates(S->getParent(), Exiting) ||
          !DT.dominates(S->getParent(), Latch))
        continue;
      MemoryLocation Where = MemoryLocation::get(S);
      if (none_of(Accesses, [&](const Instruction *Other) {
            return Other != S && (Other->mayThrow() || isModOrRefSet(Batch.getModRefInfo(Other, Where)));
          }))
        Stores.insert(S);
    }
  }
}

} // namespace tapefree
