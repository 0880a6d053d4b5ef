// Scratch arrays that an iteration fills in one loop and reads in the next need not be kept: what was stored can be computed
// again, with the storing loop's counter set to the iteration that wrote the element.
//
//   for (j...) diff[j] = x[i][j] - mu[j];       the load of diff[j]   ->   x[i][j] - mu[j] again
//   for (j...) s += diff[j] * diff[j];
#include "Plan/Plan.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace tapefree {

// Past this many instructions a stored value is not computed again for each of its loads.
static constexpr unsigned ForwardBudget = 24;

/// The only instruction that writes to a local object, if it is a store; null when several do or the object's address gets
/// away.
static const StoreInst *onlyStore(const Value *Object) {
  if (!isa<AllocaInst>(Object) && !isAllocation(Object))
    return nullptr;
  const StoreInst *Only = nullptr;
  SmallVector<const Value *, 8> Todo = {Object};
  SmallPtrSet<const Value *, 16> Seen;
  while (!Todo.empty())
    for (const Use &U : Todo.pop_back_val()->uses()) {
      const auto *I = cast<Instruction>(U.getUser());
      if (!Seen.insert(I).second || isa<LoadInst, ICmpInst>(I))
        continue;
      if (auto *Store = dyn_cast<StoreInst>(I)) {
        if (Only || U.getOperandNo() != 1)
          return nullptr;
        Only = Store;
      } else if (isa<GetElementPtrInst, BitCastInst>(I)) {
        Todo.push_back(I);
      } else if (auto *Call = dyn_cast<CallBase>(I); !Call || !Call->getType()->isVoidTy() || isa<MemIntrinsic>(Call) ||
                                                     callsVisibleBody(*Call)) {
        return nullptr; // a free, which is delayed, is the one call that may see the address
      }
    }
  return Only;
}

/// Whether `A` has run in full whenever `B`, a later loop of the same iteration of their parent, runs.
static bool runsBefore(const Loop *A, const Loop *B, const Facts &F) {
  if (A == B || A->getParentLoop() != B->getParentLoop() || !A->getExitingBlock())
    return false;
  if (F.DT.dominates(A->getHeader(), B->getLoopPreheader()))
    return true;
  // Both stand behind their own test of the same condition.
  const BasicBlock *GA = A->getLoopPreheader()->getSinglePredecessor(), *GB = B->getLoopPreheader()->getSinglePredecessor();
  auto *BA = GA ? dyn_cast<BranchInst>(GA->getTerminator()) : nullptr;
  auto *BB = GB ? dyn_cast<BranchInst>(GB->getTerminator()) : nullptr;
  if (!BA || !BB || !BA->isConditional() || !BB->isConditional() || !F.DT.dominates(GA, GB) ||
      BA->getCondition() != BB->getCondition())
    return false;
  return (BA->getSuccessor(0) == A->getLoopPreheader()) == (BB->getSuccessor(0) == B->getLoopPreheader());
}

/// Collects what the value reads from outside the loop `From`; false when something in it cannot be computed again.
static bool collect(const Value *V, const Loop *From, const Facts &F, ValuePlan &VP, unsigned &Budget) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !From->contains(I)) {
    VP.Operands.push_back({V, ValueRef::Primal});
    return true;
  }
  if (F.LI.getLoopFor(I->getParent()) != From || !Budget)
    return false;
  --Budget;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    if (F.P.Counts.find(From->getHeader())->second.Counter == Phi)
      return true;
    auto Steps = F.P.Recurrences.find(Phi);
    if (Steps == F.P.Recurrences.end() || Steps->second.size() != 1)
      return false;
    return collect(Phi->getIncomingValueForBlock(From->getLoopPreheader()), From, F, VP, Budget) &&
           collect(Steps->second[0], From, F, VP, Budget);
  }
  if (auto *Load = dyn_cast<LoadInst>(I); Load ? bool(F.Over.after(*Load)) : !computedAgain(*I))
    return false;
  return all_of(I->operands(), [&](const Use &U) {
    auto *Call = dyn_cast<CallBase>(I);
    return (Call && Call->isCallee(&U)) || collect(U.get(), From, F, VP, Budget);
  });
}

bool describeForward(const LoadInst &Load, const Facts &F, ValuePlan &VP) {
  const Loop *To = F.LI.getLoopFor(Load.getParent());
  const StoreInst *Store = To ? onlyStore(getUnderlyingObject(Load.getPointerOperand(), 0)) : nullptr;
  const Loop *From = Store ? F.LI.getLoopFor(Store->getParent()) : nullptr;
  if (!From || Store->getValueOperand()->getType() != Load.getType() || !runsBefore(From, To, F) ||
      !F.DT.dominates(Store->getParent(), From->getLoopLatch()) ||
      !F.DT.dominates(Store->getParent(), From->getExitingBlock()))
    return false;
  auto Address = [&](const Value *P) {
    return dyn_cast<SCEVAddRecExpr>(F.SE.getSCEV(const_cast<Value *>(P)));
  };
  const SCEVAddRecExpr *W = Address(Store->getPointerOperand()), *R = Address(Load.getPointerOperand());
  if (!W || !R || W->getLoop() != From || R->getLoop() != To || !W->isAffine() || !R->isAffine())
    return false;
  auto *Stride = dyn_cast<SCEVConstant>(W->getStepRecurrence(F.SE)), *Pace = dyn_cast<SCEVConstant>(R->getStepRecurrence(F.SE));
  auto *Gap = dyn_cast<SCEVConstant>(F.SE.getMinusSCEV(R->getStart(), W->getStart()));
  if (!Stride || !Pace || !Gap || Stride->isZero())
    return false;
  int64_t S = Stride->getAPInt().getSExtValue(), P = Pace->getAPInt().getSExtValue(), G = Gap->getAPInt().getSExtValue();
  if (P % S || G % S)
    return false;
  VP.Shift = G / S;
  VP.Scale = P / S;
  const SCEV *Writes = F.SE.getBackedgeTakenCount(From), *Reads = F.SE.getBackedgeTakenCount(To);
  bool Same = VP.Shift == 0 && VP.Scale == 1 && Writes == Reads && !isa<SCEVCouldNotCompute>(Writes);
  if (!Same) { // every element read must have been written: by numbers
    auto *NW = dyn_cast<SCEVConstant>(Writes), *NR = dyn_cast<SCEVConstant>(Reads);
    if (!NW || !NR || NR->getAPInt().getActiveBits() > 31 || NW->getAPInt().getActiveBits() > 31)
      return false;
    int64_t Last = NW->getAPInt().getZExtValue(), End = VP.Shift + VP.Scale * int64_t(NR->getAPInt().getZExtValue());
    if (VP.Shift < 0 || VP.Shift > Last || End < 0 || End > Last)
      return false;
  }
  unsigned Budget = ForwardBudget;
  VP.Operands.clear();
  if (!collect(Store->getValueOperand(), From, F, VP, Budget)) {
    VP.Operands.clear();
    return false;
  }
  VP.F = Fate::Recompute;
  VP.Form = RecomputeForm::Forward;
  VP.From = Store;
  return true;
}

} // namespace tapefree
