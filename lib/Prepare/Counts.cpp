// Every loop gets one 64-bit counter from 0, and its number of iterations as a value before the loop wherever scalar
// evolution can compute it there. The reverse sweep runs each loop from that number down to 0.
#include "Prepare/Prepare.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace tapefree {

/// How often an iteration of `Parent` gets to `Block`, which must then be every iteration of a known number; else null.
static const SCEV *runsOf(const BasicBlock *Block, const Loop *Parent, const SCEV *BackEdges, const DominatorTree &DT,
                          ScalarEvolution &SE) {
  const BasicBlock *Exiting = Parent->getExitingBlock(), *Latch = Parent->getLoopLatch();
  if (!BackEdges || !Exiting || !DT.dominates(Block, Latch))
    return nullptr;
  // In front of the exit a block runs in the last iteration as well.
  bool LastToo = DT.dominates(Block, Exiting);
  return LastToo ? SE.getAddExpr(BackEdges, SE.getOne(BackEdges->getType())) : BackEdges;
}

/// Rows of one run of `L`, summed over all iterations of its parents, in terms of what is known before the outermost loop.
/// Null unless every iteration of every parent comes to `L`: a count is only meaningful where its loop is entered.
static const SCEV *totalOverParents(const SCEV *Rows, const Loop *L, const DominatorTree &DT, ScalarEvolution &SE,
                                    const DenseMap<const Loop *, const SCEV *> &BackEdges) {
  Type *T = Rows->getType();
  for (; const Loop *Parent = L->getParentLoop(); L = Parent) {
    const SCEV *Runs = runsOf(L->getLoopPreheader(), Parent, BackEdges.lookup(Parent), DT, SE);
    if (!Runs)
      return nullptr;
    if (SE.isLoopInvariant(Rows, Parent)) {
      Rows = SE.getMulExpr(Runs, Rows);
      continue;
    }
    // sum_{k=0}^{R-1} (a + b k) = R a + b R (R-1) / 2
    auto *AR = dyn_cast<SCEVAddRecExpr>(Rows);
    if (!AR || AR->getLoop() != Parent || !AR->isAffine())
      return nullptr;
    const SCEV *Start = AR->getStart(), *Step = AR->getStepRecurrence(SE);
    const SCEV *Pairs = SE.getUDivExpr(SE.getMulExpr(Runs, SE.getMinusSCEV(Runs, SE.getOne(T))), SE.getConstant(T, 2));
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
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
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
        const SCEV *Sum = totalOverParents(Rows, L, DT, SE, BackEdges);
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
