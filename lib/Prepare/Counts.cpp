// Every loop gets one 64-bit counter from 0, and its number of iterations as a value before the loop wherever scalar
// evolution can compute it there. The reverse sweep runs each loop from that number down to 0.
#include "Prepare/Prepare.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace tapefree {

/// The number of iterations summed over all runs of the loop's parents, as a value in terms of what is known before the
/// outermost loop; null when it is not a product or a sum of an arithmetic progression.
static const SCEV *totalOverParents(const SCEV *Rows, const Loop *L, ScalarEvolution &SE,
                                    const DenseMap<const Loop *, const SCEV *> &BackEdges) {
  Type *T = Rows->getType();
  for (const Loop *Parent = L->getParentLoop(); Parent; Parent = Parent->getParentLoop()) {
    const SCEV *N = BackEdges.lookup(Parent);
    if (!N)
      return nullptr;
    const SCEV *Runs = SE.getAddExpr(N, SE.getOne(T));
    if (SE.isLoopInvariant(Rows, Parent)) {
      Rows = SE.getMulExpr(Runs, Rows);
      continue;
    }
    // sum_{k=0}^{N} (a + b k) = (N+1) a + b N (N+1) / 2
    auto *AR = dyn_cast<SCEVAddRecExpr>(Rows);
    if (!AR || AR->getLoop() != Parent || !AR->isAffine())
      return nullptr;
    const SCEV *Start = AR->getStart(), *Step = AR->getStepRecurrence(SE);
    const SCEV *Pairs = SE.getUDivExpr(SE.getMulExpr(N, Runs), SE.getConstant(T, 2));
    Rows = SE.getAddExpr(SE.getMulExpr(Runs, Start), SE.getMulExpr(Step, Pairs));
  }
  return Rows;
}

static PHINode *insertCounter(Loop &L) {
  BasicBlock *Header = L.getHeader();
  Type *I64 = Type::getInt64Ty(Header->getContext());
  IRBuilder<> B(Header, Header->begin());
  PHINode *Counter = B.CreatePHI(I64, 2, "tapefree.counter");
  BasicBlock *Latch = L.getLoopLatch();
  B.SetInsertPoint(Latch->getTerminator());
  Value *Next = B.CreateAdd(Counter, ConstantInt::get(I64, 1), "tapefree.next", /*HasNUW=*/true, /*HasNSW=*/true);
  Counter->addIncoming(ConstantInt::get(I64, 0), L.getLoopPreheader());
  Counter->addIncoming(Next, Latch);
  return Counter;
}

void materialiseCounts(Prepared &P, FunctionAnalysisManager &FAM) {
  Function &F = *P.F;
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  Type *I64 = Type::getInt64Ty(F.getContext());

  SmallVector<Loop *, 16> Loops = LI.getLoopsInPreorder();
  DenseMap<const Loop *, const SCEV *> BackEdges;
  for (Loop *L : Loops) {
    const SCEV *N = L->getExitingBlock() ? SE.getBackedgeTakenCount(L) : SE.getCouldNotCompute();
    if (isa<SCEVCouldNotCompute>(N) || SE.getTypeSizeInBits(N->getType()) > 64)
      continue;
    // A guard before the loop often says that the maximum in a count is its first operand.
    N = SE.applyLoopGuards(N, L);
    N = SE.getNoopOrZeroExtend(N, I64);
    if (SE.isLoopInvariant(N, L))
      BackEdges[L] = N;
  }

  SCEVExpander Expander(SE, "tapefree", /*PreserveLCSSA=*/true);
  for (Loop *L : Loops) {
    LoopCounts C;
    Instruction *Before = L->getLoopPreheader()->getTerminator();
    if (const SCEV *N = BackEdges.lookup(L); N && Expander.isSafeToExpandAt(N, Before)) {
      C.BackEdges = Expander.expandCodeFor(N, I64, Before);
      Loop *Outermost = L->getOutermostLoop();
      Instruction *First = Outermost->getLoopPreheader()->getTerminator();
      auto Total = [&](const SCEV *Rows) -> Value * {
        const SCEV *Sum = totalOverParents(Rows, L, SE, BackEdges);
        if (!Sum || !SE.isLoopInvariant(Sum, Outermost) || !Expander.isSafeToExpandAt(Sum, First))
          return nullptr;
        return Expander.expandCodeFor(Sum, I64, First);
      };
      C.TotalHeader = Total(SE.getAddExpr(N, SE.getOne(I64)));
      // A loop that leaves in its header runs the rest of its body once less than the header.
      if (L->getExitingBlock() == L->getHeader())
        C.TotalBody = Total(N);
    }
    P.Counts[L->getHeader()] = C;
  }
  // Counters come last: scalar evolution must not see the function change under it.
  for (Loop *L : Loops) {
    LoopCounts &C = P.Counts[L->getHeader()];
    C.Counter = insertCounter(*L);
    SmallVector<BasicBlock *, 4> Exits;
    L->getUniqueExitBlocks(Exits);
    for (BasicBlock *Exit : Exits) {
      // A break out of several loops at once needs the count outside the parent too: LCSSA asks for a phi there.
      if (C.BackEdges && LI.getLoopFor(Exit) == L->getParentLoop()) {
        C.BackEdgesAtExit[Exit] = C.BackEdges;
        continue;
      }
      PHINode *AtExit = PHINode::Create(I64, pred_size(Exit), "tapefree.trips", Exit->begin());
      for (BasicBlock *Pred : predecessors(Exit))
        AtExit->addIncoming(C.Counter, Pred);
      C.BackEdgesAtExit[Exit] = AtExit;
    }
  }
}

} // namespace tapefree
