#include "Plan/Plan.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

/// Atomic updates of memory with a shadow have no reverse here.
static bool checkAtomics(const Facts &F, Diag &D) {
  unsigned Before = D.errors();
  for (const Instruction &I : instructions(*F.P.F)) {
    if (!isa<AtomicRMWInst, AtomicCmpXchgInst>(I) || !F.Act.hasShadow(I.getOperand(0)))
      continue;
    AccessPattern P = F.Types.pattern(I);
    if (holdsFloat(I.getType()) || P.hasFloat() || P.Fields.empty())
      D.error(I, "an atomic update of differentiated memory has no derivative here: use a plain load and store, or sum into a "
                 "buffer of each thread's own");
  }
  return D.errors() == Before;
}

/// The conditions that tell the predecessors of a merge apart, where they lead to different places.
static void needPath(const BasicBlock *Merge, const Facts &F, SmallVectorImpl<ValueRef> &Needed) {
  for (const PathChoice &C : F.P.Merges.find(Merge)->second) {
    if (C.Kind == PathChoice::Test)
      Needed.push_back({cast<BranchInst>(C.Block->getTerminator())->getCondition(), ValueRef::Primal});
    else if (C.Kind == PathChoice::Selector)
      Needed.push_back({C.Path, ValueRef::Primal});
  }
}

bool buildPlan(Plan &Out, const Facts &F, Diag &D) {
  if (!F.Act.check(D) || !checkAtomics(F, D) || !planFrees(Out, F, D))
    return false;
  planFlow(Out, F);

  SmallVector<ValueRef, 64> Needed;
  unsigned Before = D.errors();
  for (auto &[B, BP] : Out.Blocks) {
    for (const Instruction &I : *B) {
      reverseNeeds(I, F, [&](ValueRef R) { Needed.push_back(R); }, D);
      if (Out.FreedAllocations.contains(&I)) {
        Needed.push_back({&I, ValueRef::Primal});
        if (F.Act.hasShadow(&I))
          Needed.push_back({&I, ValueRef::Shadow});
      }
    }
    if (BP.Kind == BlockPlan::Merge)
      needPath(B, F, Needed);
  }
  for (auto &[L, LP] : Out.Loops)
    for (auto &[Exit, Exiting] : LP.Entries)
      if (!L->contains(Exit))
        Needed.push_back({F.P.Counts.find(L->getHeader())->second.BackEdgesAtExit.lookup(Exit), ValueRef::Primal});
  if (D.errors() != Before)
    return false;
  planValues(Out, F, Needed);
  planLayout(Out, F);
  return true;
}

} // namespace tapefree
