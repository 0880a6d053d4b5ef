#include "Emit/PromoteSlots.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"

using namespace llvm;

namespace tapefree {

// LLVM's updater looks for the last store block by block, backwards from each load.
static constexpr unsigned MostBlocks = 24;

namespace {
/// An alloca with the store that gives it its first value, and all that uses it.
struct Slot {
  AllocaInst *Memory;
  StoreInst *First;
  SmallVector<Instruction *, 16> Accesses; // First too
};
} // namespace

/// The block that is run once, before all accesses but the first, and as late as that allows. Null if there
/// is none but the entry.
static BasicBlock *whereUsesBegin(const Slot &S, const DominatorTree &DT, const LoopInfo &Loops) {
  BasicBlock *Begin = nullptr;
  SmallPtrSet<BasicBlock *, 16> Blocks;
  for (Instruction *I : S.Accesses) {
    if (I == S.First)
      continue;
    BasicBlock *Block = I->getParent();
    if (!Blocks.insert(Block).second)
      continue;
    if (Blocks.size() > MostBlocks || !DT.isReachableFromEntry(Block))
      return nullptr;
    Begin = Begin ? DT.findNearestCommonDominator(Begin, Block) : Block;
  }
  while (Begin && Loops.getLoopFor(Begin))
    Begin = DT.getNode(Loops.getLoopFor(Begin)->getOutermostLoop()->getHeader())->getIDom()->getBlock();
  return Begin == S.Memory->getParent() ? nullptr : Begin;
}

static bool collect(AllocaInst &Memory, Slot &S) {
  S = {&Memory, nullptr, {}};
  if (!isAllocaPromotable(&Memory))
    return false;
  for (User *U : Memory.users()) {
    auto *I = cast<Instruction>(U);
    if (!isa<LoadInst, StoreInst>(I))
      return false;
    auto *Store = dyn_cast<StoreInst>(I);
    if (Store && Store == Memory.getNextNode() && isa<Constant>(Store->getValueOperand()))
      S.First = Store;
    S.Accesses.push_back(I);
  }
  return S.First && S.Accesses.size() > 1;
}

void promoteSlots(Function &F, const DominatorTree &DT, const LoopInfo &Loops) {
  ReversePostOrderTraversal<const Function *> Order(&F);
  if (containsIrreducibleCFG<const BasicBlock *>(Order, Loops))
    return;
  SmallVector<AllocaInst *, 16> Allocas;
  for (Instruction &I : F.getEntryBlock())
    if (auto *A = dyn_cast<AllocaInst>(&I))
      Allocas.push_back(A);
  for (AllocaInst *Memory : Allocas) {
    Slot S;
    BasicBlock *Begin = collect(*Memory, S) ? whereUsesBegin(S, DT, Loops) : nullptr;
    if (!Begin || Begin->getFirstInsertionPt() == Begin->end())
      continue;
    S.First->moveBefore(*Begin, Begin->getFirstInsertionPt());
    SSAUpdater Updater;
    LoadAndStorePromoter(ArrayRef<const Instruction *>(S.Accesses.begin(), S.Accesses.end()), Updater,
                         Memory->getName())
        .run(S.Accesses);
    Memory->eraseFromParent();
  }
}

} // namespace tapefree
