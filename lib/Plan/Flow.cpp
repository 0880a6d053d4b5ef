// In which order blocks are reversed, and where each goes on. Regions and loops without anything to reverse
// are passed by: neither their branches nor their trip counts are then needed.
#include "Plan/Plan.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace tapefree {

SmallVector<const Loop *, 4> loopsEntered(const BasicBlock *B, const BasicBlock *From, const LoopInfo &LI) {
  SmallVector<const Loop *, 4> Loops;
  for (const Loop *L = LI.getLoopFor(B); L && !L->contains(From); L = L->getParentLoop())
    Loops.push_back(L);
  std::reverse(Loops.begin(), Loops.end());
  return Loops;
}

const BasicBlock *landing(const Plan &P, const LoopInfo &LI, const BasicBlock *Pred, const BasicBlock *From) {
  for (const Loop *L : loopsEntered(Pred, From, LI))
    if (!P.Loops.find(L)->second.HasWork)
      return L->getLoopPreheader();
  return Pred;
}

namespace {
class FlowPlanner {
public:
  FlowPlanner(Plan &Out, const Facts &F) : Out(Out), F(F) {}
  void run();

private:
  bool emptyBetween(const BasicBlock *Dominator, const BasicBlock *Merge);
  void visit(const BasicBlock *B);
  void enter(const BasicBlock *From, const BasicBlock *Pred);

  Plan &Out;
  const Facts &F;
  SmallVector<const BasicBlock *, 32> Stack;
};
} // namespace

/// Whether nothing strictly between the two blocks has to be reversed.
bool FlowPlanner::emptyBetween(const BasicBlock *Dominator, const BasicBlock *Merge) {
  SmallPtrSet<const BasicBlock *, 32> Seen = {Merge, Dominator};
  SmallVector<const BasicBlock *, 16> Todo(predecessors(Merge));
  while (!Todo.empty()) {
    const BasicBlock *B = Todo.pop_back_val();
    if (!Seen.insert(B).second)
      continue;
    if (Out.Work.contains(B))
      return false;
    Todo.append(pred_begin(B), pred_end(B));
  }
  return true;
}

void FlowPlanner::enter(const BasicBlock *From, const BasicBlock *Pred) {
  for (const Loop *L : loopsEntered(Pred, From, F.LI)) {
    LoopPlan &LP = Out.Loops[L];
    std::pair<const BasicBlock *, const BasicBlock *> E = {From, Pred};
    if (!is_contained(LP.Entries, E))
      LP.Entries.push_back(E);
  }
  Stack.push_back(Pred);
}

void FlowPlanner::visit(const BasicBlock *B) {
  if (Out.Blocks.count(B))
    return;
  BlockPlan BP;
  if (B->isEntryBlock()) {
    Out.Blocks[B] = BP;
    return;
  }
  const Loop *L = F.LI.getLoopFor(B);
  if (L && L->getHeader() == B) {
    BP.Kind = BlockPlan::Header;
    Out.Blocks[B] = BP;
    Stack.push_back(L->getLoopPreheader());
    enter(B, L->getLoopLatch()); // no loop is entered by a back edge, but inner ones may be when the latch is
                                 // their exit
    return;
  }
  if (const BasicBlock *Pred = B->getSinglePredecessor()) {
    BP.Kind = BlockPlan::Goto;
    BP.Target = landing(Out, F.LI, Pred, B);
    Out.Blocks[B] = BP;
    enter(B, BP.Target);
    return;
  }
  bool ActivePhi = any_of(B->phis(), [&](const PHINode &Phi) { return F.Act.isActive(&Phi); });
  const BasicBlock *D = F.DT.getNode(B)->getIDom()->getBlock();
  // The dominator may lie in a loop that has ended: land before the loop if that has no work. A loop with
  // work is entered only from where it was left: there its iterations are counted.
  const BasicBlock *Target = landing(Out, F.LI, D, B);
  const Loop *Into = F.LI.getLoopFor(Target);
  if (!ActivePhi && (!Into || Into->contains(B)) && emptyBetween(Target, B)) {
    BP.Kind = BlockPlan::Goto;
    BP.Target = Target;
    Out.Blocks[B] = BP;
    enter(B, Target);
    return;
  }
  BP.Kind = BlockPlan::Merge;
  Out.Blocks[B] = BP;
  for (const BasicBlock *Pred : predecessors(B))
    enter(B, landing(Out, F.LI, Pred, B));
}

void FlowPlanner::run() {
  for (const Loop *L : F.LI.getLoopsInPreorder())
    Out.Loops[L].L = L;
  for (const BasicBlock &B : *F.P.F)
    if (any_of(B, [&](const Instruction &I) {
          return hasReverseWork(I, F) || Out.FreedAllocations.contains(&I);
        })) {
      Out.Work.insert(&B);
      for (const Loop *L = F.LI.getLoopFor(&B); L; L = L->getParentLoop())
        Out.Loops[L].HasWork = true;
    }
  for (const BasicBlock &B : *F.P.F)
    if (isa<ReturnInst>(B.getTerminator()))
      Stack.push_back(&B);
  while (!Stack.empty())
    visit(Stack.pop_back_val());
}

void planFlow(Plan &Out, const Facts &F) { FlowPlanner(Out, F).run(); }

} // namespace tapefree
