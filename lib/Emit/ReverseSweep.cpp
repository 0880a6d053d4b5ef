#include "Emit/ReverseSweep.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

BasicBlock *ReverseSweep::newBlock(const Twine &Name) {
  return BasicBlock::Create(E.module().getContext(), Name, E.Reverse);
}

void ReverseSweep::makeBlocks() {
  for (auto &[B, BP] : E.P.Blocks)
    Blocks[B] = newBlock(B->getName() + ".reverse");
}

void ReverseSweep::makeLoops() {
  Type *I64 = Type::getInt64Ty(E.module().getContext());
  for (auto &[L, LP] : E.P.Loops) {
    if (LP.Entries.empty())
      continue;
    ReverseLoop &R = Loops[L];
    R.Preheader = R.PreheaderEnd = newBlock(L->getHeader()->getName() + ".reverse.preheader");
    R.Counter = new AllocaInst(I64, 0, "tapefree.iteration", E.Reverse->getEntryBlock().begin());
    for (auto &[Exit, Exiting] : LP.Entries)
      if (!is_contained(R.Begins, Exiting))
        R.Begins.push_back(Exiting);
    if (R.Begins.size() == 1)
      continue;
    // Several exits: one place where all iterations begin keeps the reversed loop a natural loop.
    if (!is_contained(R.Begins, L->getLoopLatch()))
      R.Begins.push_back(L->getLoopLatch());
    R.Dispatch = newBlock(L->getHeader()->getName() + ".reverse.dispatch");
    R.Selector = new AllocaInst(I64, 0, "tapefree.exit", E.Reverse->getEntryBlock().begin());
  }
}

/// The block at which the reverse of `Where`, inside `L`, begins: its own, or the preheader of an inner loop
/// around it.
BasicBlock *ReverseSweep::begin(const Loop *L, const BasicBlock *Where) {
  const Loop *Inner = E.F.LI.getLoopFor(Where);
  while (Inner != L && Inner->getParentLoop() != L)
    Inner = Inner->getParentLoop();
  return Inner == L ? Blocks[Where] : Loops[Inner].Preheader;
}

void ReverseSweep::fillPreheaders() {
  for (auto &[L, LP] : E.P.Loops) { // outer loops first
    if (LP.Entries.empty())
      continue;
    ReverseLoop &R = Loops[L];
    IRBuilder<> B(R.Preheader);
    Kept.beginReverse(B, L, B.CreateLoad(B.getInt64Ty(), R.Counter));
    Ops.reverseLastStores(B, *L);
    B.SetCurrentDebugLocation(DebugLoc());
    R.PreheaderEnd = B.GetInsertBlock();
    if (!R.Dispatch) {
      B.CreateBr(begin(L, R.Begins[0]));
      continue;
    }
    B.CreateBr(R.Dispatch);
    B.SetInsertPoint(R.Dispatch);
    SwitchInst *S = B.CreateSwitch(B.CreateLoad(B.getInt64Ty(), R.Selector), begin(L, R.Begins[0]));
    for (auto [Index, Where] : enumerate(R.Begins))
      if (Index)
        S->addCase(B.getInt64(Index), begin(L, Where));
  }
}

/// Goes on to the reverse of `Pred`, coming from that of `From`: sets the iteration counts of the loops
/// entered on the way.
void ReverseSweep::leaveTo(IRBuilder<> &B, const BasicBlock *From, const BasicBlock *Pred) {
  const BasicBlock *Target = landing(E.P, E.F.LI, Pred, From);
  SmallVector<const Loop *, 4> Entered = loopsEntered(Target, From, E.F.LI);
  for (const Loop *L : Entered) {
    ReverseLoop &R = Loops[L];
    Value *BackEdges = E.F.P.Counts.find(L->getHeader())->second.BackEdgesAtExit.lookup(From);
    B.CreateStore(Values.get(B, {BackEdges, ValueRef::Primal}, From), R.Counter);
    if (R.Selector)
      B.CreateStore(B.getInt64(find(R.Begins, Target) - R.Begins.begin()), R.Selector);
  }
  B.CreateBr(Entered.empty() ? Blocks[Target] : Loops[Entered.front()].Preheader);
}

/// Passes the adjoints of the phis in `To` on to what came in from `Pred`.
void ReverseSweep::addIncoming(IRBuilder<> &B, const BasicBlock *To, const BasicBlock *Pred) {
  for (const PHINode &Phi : To->phis())
    if (Value *Adjoint = PhiAdjoints.lookup(&Phi))
      Adj.add(B, Phi.getIncomingValueForBlock(Pred), Adjoint);
}

void ReverseSweep::leaveHeader(IRBuilder<> &B, const BasicBlock *Header) {
  const Loop *L = E.F.LI.getLoopFor(Header);
  ReverseLoop &R = Loops[L];
  BasicBlock *First = newBlock(Header->getName() + ".reverse.first"),
             *Again = newBlock(Header->getName() + ".reverse.again");
  Values.inherit(First, B.GetInsertBlock());
  Values.inherit(Again, B.GetInsertBlock());
  Value *Counter = B.CreateLoad(B.getInt64Ty(), R.Counter);
  B.CreateCondBr(B.CreateICmpEQ(Counter, B.getInt64(0)), First, Again);

  B.SetInsertPoint(First);
  const BasicBlock *Before = L->getLoopPreheader();
  addIncoming(B, Header, Before);
  if (L->isOutermost())
    Kept.release(B, L);
  B.CreateBr(Blocks[Before]);

  B.SetInsertPoint(Again);
  const BasicBlock *Latch = L->getLoopLatch();
  addIncoming(B, Header, Latch);
  B.CreateStore(B.CreateSub(Counter, B.getInt64(1), "", /*HasNUW=*/true), R.Counter);
  if (R.Dispatch) {
    B.CreateStore(B.getInt64(find(R.Begins, Latch) - R.Begins.begin()), R.Selector);
    B.CreateBr(R.Dispatch);
    return;
  }
  leaveTo(B, Header, Latch);
}

/// The block that decides subtree `N`; its values may use those of `Parent`.
BasicBlock *ReverseSweep::emitChoice(const BasicBlock *Merge, const PathTree &Tree, unsigned N,
                                     BasicBlock *Parent) {
  const PathChoice &C = Tree[N];
  BasicBlock *Block = newBlock(Merge->getName() + ".reverse.way");
  Values.inherit(Block, Parent);
  IRBuilder<> B(Block);
  if (C.Kind == PathChoice::Leaf) {
    addIncoming(B, Merge, C.Block);
    leaveTo(B, Merge, C.Block);
    return Block;
  }
  Value *Cond =
      Values.get(B, {cast<BranchInst>(C.Block->getTerminator())->getCondition(), ValueRef::Primal}, Merge);
  BasicBlock *T = emitChoice(Merge, Tree, C.IfTrue, Block), *F = emitChoice(Merge, Tree, C.IfFalse, Block);
  B.CreateCondBr(Cond, T, F);
  return Block;
}

void ReverseSweep::leaveMerge(IRBuilder<> &B, const BasicBlock *Merge) {
  const PathTree &Tree = E.F.P.Merges.find(Merge)->second;
  if (Tree[0].Kind != PathChoice::Selector) {
    B.CreateBr(emitChoice(Merge, Tree, 0, B.GetInsertBlock()));
    return;
  }
  Value *Path = Values.get(B, {Tree[0].Path, ValueRef::Primal}, Merge);
  BasicBlock *Here = B.GetInsertBlock();
  SwitchInst *S = nullptr;
  for (auto [Index, Pred] : enumerate(predecessors(Merge))) {
    PathTree Leaf(1);
    Leaf[0].Block = const_cast<BasicBlock *>(Pred);
    BasicBlock *Way = emitChoice(Merge, Leaf, 0, Here);
    if (!S)
      S = B.CreateSwitch(Path, Way);
    else
      S->addCase(ConstantInt::get(cast<IntegerType>(Path->getType()), Index), Way);
  }
}

void ReverseSweep::reverseBlock(const BasicBlock *Block, const BlockPlan &BP) {
  IRBuilder<> B(Blocks[Block]);
  for (const Instruction &I : reverse(*Block))
    Ops.reverse(B, I);
  B.setFastMathFlags(FastMathFlags());
  // All phis of a block change at once: take every adjoint before any is passed on.
  PhiAdjoints.clear();
  for (const PHINode &Phi : Block->phis())
    if (E.F.Act.isActive(&Phi))
      PhiAdjoints[&Phi] = Adj.take(B, &Phi);
  switch (BP.Kind) {
  case BlockPlan::Start:
    return; // the caller ends the entry block
  case BlockPlan::Goto:
    // A merge whose branches are passed by has no active phis; a single predecessor may have single-entry
    // ones.
    if (const BasicBlock *Pred = Block->getSinglePredecessor())
      addIncoming(B, Block, Pred);
    return leaveTo(B, Block, BP.Target);
  case BlockPlan::Header:
    return leaveHeader(B, Block);
  case BlockPlan::Merge:
    return leaveMerge(B, Block);
  }
}

BasicBlock *ReverseSweep::run(Value *Seed, BasicBlock *Finish) {
  makeBlocks();
  makeLoops();
  fillPreheaders();
  BasicBlock *Begin = nullptr;
  for (auto &[B, BP] : E.P.Blocks)
    if (auto *Ret = dyn_cast<ReturnInst>(B->getTerminator())) {
      Begin = Blocks[B];
      IRBuilder<> At(Begin);
      if (Seed && Ret->getReturnValue())
        Adj.add(At, Ret->getReturnValue(), Seed);
    }
  for (auto &[B, BP] : E.P.Blocks)
    reverseBlock(B, BP);
  Adj.localise();
  const BasicBlock *Entry = &E.F.P.F->getEntryBlock();
  if (BasicBlock *Last = Blocks.lookup(Entry))
    IRBuilder<>(Last).CreateBr(Finish);
  return Begin;
}

} // namespace tapefree
