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

/// The block whose branch decides whether `L` is entered at all, when it is not entered always.
static const BasicBlock *guardOf(const Loop *L) {
  const BasicBlock *Guard = L->getLoopPreheader()->getSinglePredecessor();
  return Guard && L->getParentLoop() && L->getParentLoop()->contains(Guard) ? Guard : nullptr;
}

/// Rows of one run of `L`, summed over all iterations of its parents, in terms of what is known before the outermost loop;
/// never too few. Null when some iterations may not come to `L`, other than by the test whether it has iterations.
static const SCEV *totalOverParents(const SCEV *Rows, const Loop *L, const DominatorTree &DT, ScalarEvolution &SE,
                                    const DenseMap<const Loop *, const SCEV *> &BackEdges) {
  Type *T = Rows->getType();
  const SCEV *Zero = SE.getZero(T);
  for (; const Loop *Parent = L->getParentLoop(); L = Parent) {
    const SCEV *Runs = runsOf(L->getLoopPreheader(), Parent, BackEdges.lookup(Parent), DT, SE);
    bool Guarded = false;
    if (const BasicBlock *Guard = Runs ? nullptr : guardOf(L)) {
      Runs = runsOf(Guard, Parent, BackEdges.lookup(Parent), DT, SE);
      Guarded = true;
    }
    if (!Runs)
      return nullptr;
    if (SE.isLoopInvariant(Rows, Parent)) {
      // Where the guard fails the count says nothing, or less than nothing.
      Rows = SE.getMulExpr(Runs, Guarded ? SE.getSMaxExpr(Zero, Rows) : Rows);
      continue;
    }
    auto *AR = dyn_cast<SCEVAddRecExpr>(Rows);
    if (!AR || AR->getLoop() != Parent || !AR->isAffine())
      return nullptr;
    // sum_{k=0}^{R-1} max(0, a + b k) <= R (max(0, first) + max(0, last)) / 2, exact where no term is negative. (With m
    // positive terms s, s-b, ..., e < b: the sum is m (s+e)/2, and m e <= s as s = e + (m-1) b.)
    const SCEV *First = AR->getStart(), *Last = AR->evaluateAtIteration(SE.getMinusSCEV(Runs, SE.getOne(T)), SE);
    const SCEV *Ends = SE.getAddExpr(SE.getSMaxExpr(Zero, First), SE.getSMaxExpr(Zero, Last));
    Rows = SE.getUDivExpr(SE.getMulExpr(Runs, Ends), SE.getConstant(T, 2));
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

/// Integers and pointers that move by a pattern: {a,+,b,+,c} has the value a + b k + c k(k-1)/2 in iteration k. The steps
/// are computed before the loop, so that the reverse sweep can say what the value was.
static void materialiseRecurrences(Prepared &P, ArrayRef<Loop *> Loops, ScalarEvolution &SE, SCEVExpander &Expander) {
  for (Loop *L : Loops)
    for (PHINode &Phi : L->getHeader()->phis()) {
      if (!SE.isSCEVable(Phi.getType()))
        continue;
      auto *AR = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi));
      if (!AR || AR->getLoop() != L || AR->getNumOperands() > 3 || (!AR->isAffine() && Phi.getType()->isPointerTy()))
        continue;
      Instruction *Before = L->getLoopPreheader()->getTerminator();
      SmallVector<Value *, 2> Steps;
      for (const SCEV *Step : drop_begin(AR->operands()))
        if (SE.isLoopInvariant(Step, L) && Expander.isSafeToExpandAt(Step, Before))
          Steps.push_back(Expander.expandCodeFor(Step, Step->getType(), Before));
      if (Steps.size() + 1 == AR->getNumOperands())
        P.Recurrences[&Phi] = Steps;
    }
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
  materialiseRecurrences(P, Loops, SE, Expander);
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
