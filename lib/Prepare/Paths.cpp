// Which way did control come? For every merge block this finds branches that tell its predecessors apart, by looking only
// at the flow between the merge and its immediate dominator (back edges left out):
//
//      D: br c, L, R        the tree for M is  Test(D) ? Leaf(L) : Leaf(R)
//      L: br M    R: br M
//
// Where two sides of a branch can both reach the same predecessor, no branch decides alone, and a phi of the
// predecessor's index is inserted: an ordinary value that the plan may recompute or keep.
#include "Prepare/Prepare.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace tapefree {

namespace {
class PathFinder {
public:
  PathFinder(BasicBlock &Merge, DominatorTree &DT, LoopInfo &LI) : Merge(Merge), DT(DT), LI(LI) {}
  /// Fills `Tree`; false when some predecessors cannot be told apart by branches.
  bool run(PathTree &Tree) {
    SmallVector<BasicBlock *, 4> Preds(pred_begin(&Merge), pred_end(&Merge));
    BasicBlock *D = DT.getNode(&Merge)->getIDom()->getBlock();
    return build(D, Preds, Tree) >= 0;
  }

private:
  int build(BasicBlock *D, ArrayRef<BasicBlock *> Preds, PathTree &Tree);
  SmallVector<BasicBlock *, 4> reached(BasicBlock *Branch, BasicBlock *From, ArrayRef<BasicBlock *> Preds);

  BasicBlock &Merge;
  DominatorTree &DT;
  LoopInfo &LI;
};
} // namespace

/// The predecessors among `Preds` that control can come through after taking the edge Branch -> From.
SmallVector<BasicBlock *, 4> PathFinder::reached(BasicBlock *Branch, BasicBlock *From, ArrayRef<BasicBlock *> Preds) {
  SmallVector<BasicBlock *, 4> Found;
  if (From == &Merge) {
    Found.push_back(Branch);
    return Found;
  }
  SmallPtrSet<BasicBlock *, 32> Seen = {From};
  SmallVector<BasicBlock *, 16> Work = {From};
  while (!Work.empty()) {
    BasicBlock *B = Work.pop_back_val();
    if (is_contained(Preds, B))
      Found.push_back(B);
    for (BasicBlock *S : successors(B))
      // Leave out the merge itself, what D does not dominate (it cannot come back without passing D or the merge), and
      // back edges of enclosing loops.
      if (S != &Merge && DT.properlyDominates(Branch, S) && Seen.insert(S).second)
        Work.push_back(S);
  }
  return Found;
}

int PathFinder::build(BasicBlock *D, ArrayRef<BasicBlock *> Preds, PathTree &Tree) {
  unsigned Here = Tree.size();
  Tree.emplace_back();
  if (Preds.size() == 1) {
    Tree[Here].Block = Preds[0];
    return int(Here);
  }
  auto *Branch = dyn_cast<BranchInst>(D->getTerminator());
  // A branch inside a loop that the merge is not in was decided in an iteration that has passed.
  if (!Branch || !Branch->isConditional() || LI.getLoopFor(D) != LI.getLoopFor(&Merge))
    return -1;
  SmallVector<BasicBlock *, 4> Sides[2];
  for (unsigned S = 0; S < 2; ++S)
    Sides[S] = reached(D, Branch->getSuccessor(S), Preds);
  for (BasicBlock *P : Sides[0])
    if (is_contained(Sides[1], P))
      return -1;
  Tree[Here].Kind = PathChoice::Test;
  Tree[Here].Block = D;
  for (unsigned S = 0; S < 2; ++S) {
    if (Sides[S].empty())
      return -1;
    BasicBlock *Next = Sides[S][0];
    for (BasicBlock *P : Sides[S])
      Next = DT.findNearestCommonDominator(Next, P);
    if (Sides[S].size() > 1 && (Next == D || !DT.dominates(D, Next)))
      return -1;
    int Sub = build(Next, Sides[S], Tree);
    if (Sub < 0)
      return -1;
    (S == 0 ? Tree[Here].IfTrue : Tree[Here].IfFalse) = unsigned(Sub);
  }
  return int(Here);
}

static PHINode *insertSelector(BasicBlock &Merge) {
  Type *T = Type::getInt32Ty(Merge.getContext());
  SmallVector<BasicBlock *, 4> Preds(pred_begin(&Merge), pred_end(&Merge));
  if (Preds.size() <= 256)
    T = Type::getInt8Ty(Merge.getContext());
  PHINode *Path = PHINode::Create(T, Preds.size(), "tapefree.path", Merge.begin());
  for (auto [Index, P] : enumerate(Preds))
    Path->addIncoming(ConstantInt::get(T, Index), P);
  return Path;
}

void materialisePaths(Prepared &P, FunctionAnalysisManager &FAM) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(*P.F);
  auto &LI = FAM.getResult<LoopAnalysis>(*P.F);
  for (BasicBlock &B : *P.F) {
    if (!B.hasNPredecessorsOrMore(2) || LI.isLoopHeader(&B))
      continue;
    PathTree Tree;
    if (!PathFinder(B, DT, LI).run(Tree)) {
      Tree.assign(1, PathChoice());
      Tree[0].Kind = PathChoice::Selector;
      Tree[0].Block = &B;
      Tree[0].Path = insertSelector(B);
    }
    P.Merges[&B] = std::move(Tree);
  }
}

} // namespace tapefree
