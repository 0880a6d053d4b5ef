#include "Emit/Lookup.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

ValueRef Lookup::canonical(ValueRef R) const {
  if (R.K == ValueRef::Shadow && !E.F.Act.hasShadow(R.V))
    R.K = ValueRef::Primal;
  return R;
}

Value *Lookup::known(BasicBlock *Block, ValueRef R) {
  for (; Block; Block = Parents.lookup(Block)) {
    auto It = Memo.find(Block);
    if (It == Memo.end())
      continue;
    if (Value *V = It->second.lookup(R))
      return V;
  }
  return nullptr;
}

Value *Lookup::counter(IRBuilderBase &B, const Loop *L) {
  return B.CreateLoad(B.getInt64Ty(), Loops[L].Counter, "iteration");
}

Value *Lookup::get(IRBuilderBase &B, ValueRef R, const BasicBlock *Original) {
  return at(B, canonical(R), E.F.LI.getLoopFor(Original));
}

Value *Lookup::available(IRBuilderBase &B, ValueRef R) {
  if (auto It = E.ValueSlots.find(R); It != E.ValueSlots.end())
    return isa<AllocaInst>(R.V) ? E.Slots->address(B, It->second) : E.Slots->load(B, It->second);
  if (isa<Constant, MetadataAsValue>(R.V))
    return const_cast<Value *>(R.V);
  return Kept.forwardValue(R); // arguments and locals of a function that does both sweeps
}

/// `Site` is the loop in whose reverse iteration B stands. Values of outer loops are built once, before that iteration's
/// loop is reversed, so that they are not built again in every inner iteration.
Value *Lookup::at(IRBuilderBase &B, ValueRef R, const Loop *Site) {
  auto Planned = E.P.Values.find(R);
  if (Planned == E.P.Values.end()) {
    // Plan/Needs.cpp and Emit/ReverseOps.cpp disagree: a bug of ours, and the one place where IR may be shown.
    std::string Text;
    raw_string_ostream(Text) << *R.V;
    report_fatal_error("tapefree: internal error: the reverse sweep reads a value that was not planned:" + Twine(Text));
  }
  const ValuePlan &VP = Planned->second;
  if (VP.F == Fate::Available)
    return available(B, R);
  if (VP.F == Fate::Slot)
    return E.Slots->load(B, E.ValueSlots.find(R)->second, R.V->getName());
  const Loop *Level = levelOf(R, E.F.LI);
  if (Level != Site) {
    const Loop *Child = Site;
    while (Child && Child->getParentLoop() != Level)
      Child = Child->getParentLoop();
    assert(Child && "a value of an inner loop is read outside of it");
    BasicBlock *&End = Loops[Child].PreheaderEnd;
    IRBuilder<> Before(End->getTerminator());
    Before.setFastMathFlags(B.getFastMathFlags());
    if (Value *V = known(End, R))
      return V;
    Value *V = build(Before, R, VP, Level);
    End = Before.GetInsertBlock();
    return Memo[End][R] = V;
  }
  if (Value *V = known(B.GetInsertBlock(), R))
    return V;
  Value *V = build(B, R, VP, Site);
  return Memo[B.GetInsertBlock()][R] = V;
}

/// The primal's no-alias scopes hold where its accesses stand, not where they are made again.
static void dropScopes(LoadInst &Load) {
  Load.setMetadata(LLVMContext::MD_noalias, nullptr);
  Load.setMetadata(LLVMContext::MD_alias_scope, nullptr);
}

Value *Lookup::build(IRBuilderBase &B, ValueRef R, const ValuePlan &VP, const Loop *Site) {
  if (VP.F == Fate::Keep)
    return Kept.load(B, R, Site, counter(B, Site));
  switch (VP.Form) {
  case RecomputeForm::Counter:
    return counter(B, Site);
  case RecomputeForm::Recurrence: {
    Value *Start = at(B, VP.Operands[0], Site), *Step = at(B, VP.Operands[1], Site);
    Value *Counter = counter(B, Site);
    Value *Distance = B.CreateMul(B.CreateZExtOrTrunc(Counter, Step->getType()), Step);
    if (VP.Operands.size() > 2) {
      // k (k-1) / 2 in 64 bits: the product is even, and counters are far below 2^32 wherever it would wrap.
      Value *Pairs = B.CreateLShr(B.CreateMul(Counter, B.CreateSub(Counter, B.getInt64(1))), B.getInt64(1));
      Value *Second = at(B, VP.Operands[2], Site);
      Distance = B.CreateAdd(Distance, B.CreateMul(B.CreateZExtOrTrunc(Pairs, Second->getType()), Second));
    }
    if (Start->getType()->isPointerTy())
      return B.CreateGEP(B.getInt8Ty(), Start, Distance, R.V->getName());
    return B.CreateAdd(Start, Distance, R.V->getName());
  }
  case RecomputeForm::Path:
    return buildPath(B, R, Site);
  case RecomputeForm::Forward: {
    Value *K = B.CreateMul(counter(B, Site), B.getInt64(uint64_t(VP.Scale)));
    K = B.CreateAdd(K, B.getInt64(uint64_t(VP.Shift)));
    DenseMap<const Value *, Value *> Done;
    return buildForward(B, VP.From->getValueOperand(), E.F.LI.getLoopFor(VP.From->getParent()), K, Site, Done);
  }
  case RecomputeForm::Clone:
    break;
  }
  auto &I = *cast<Instruction>(R.V);
  // Operands first: cloneWith inserts behind them.
  SmallVector<std::pair<const Value *, Value *>, 4> Operands;
  for (const Use &U : I.operands()) {
    if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isCallee(&U))
      continue;
    bool Pointer = holdsPointer(U->getType());
    Operands.push_back({U.get(), at(B, canonical({U.get(), Pointer ? R.K : ValueRef::Primal}), Site)});
  }
  Value *V = cloneWith(I, B, [&](const Value *O) { return find_if(Operands, [&](auto &P) { return P.first == O; })->second; });
  if (auto *Load = dyn_cast<LoadInst>(V)) {
    const Value *Address = cast<LoadInst>(I).getPointerOperand();
    bool Mixed = E.F.Act.pointer(Address) == PointerState::Mixed;
    dropScopes(*Load);
    if (R.K == ValueRef::Shadow && Mixed)
      Load->setMetadata(LLVMContext::MD_invariant_load, nullptr);
    else // the shadow of a Mixed address may be primal memory
      E.reverseTags().tag(*Load, R.K == ValueRef::Shadow ? MemoryRole::Shadow : MemoryRole::Primal, Address);
  }
  return V;
}

/// A value of the loop `From` in its iteration `K`, computed again inside another loop (Plan/Forwarding.cpp).
Value *Lookup::buildForward(IRBuilderBase &B, const Value *V, const Loop *From, Value *K, const Loop *Site,
                            DenseMap<const Value *, Value *> &Done) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !From->contains(I))
    return at(B, canonical({V, ValueRef::Primal}), Site);
  if (Value *Known = Done.lookup(V))
    return Known;
  auto Again = [&](const Value *O) { return buildForward(B, O, From, K, Site, Done); };
  Value *Result;
  if (auto *Phi = dyn_cast<PHINode>(I)) {
    auto Steps = E.F.P.Recurrences.find(Phi);
    if (Steps == E.F.P.Recurrences.end()) // the counter itself
      return K;
    Value *Start = Again(Phi->getIncomingValueForBlock(From->getLoopPreheader())), *Step = Again(Steps->second[0]);
    Value *Distance = B.CreateMul(B.CreateZExtOrTrunc(K, Step->getType()), Step);
    Result = Start->getType()->isPointerTy() ? B.CreateGEP(B.getInt8Ty(), Start, Distance) : B.CreateAdd(Start, Distance);
  } else {
    DenseMap<const Value *, Value *> Operands;
    for (const Use &U : I->operands())
      if (auto *Call = dyn_cast<CallBase>(I); !Call || !Call->isCallee(&U))
        Operands[U.get()] = Again(U.get());
    Result = cloneWith(*I, B, [&](const Value *O) { return Operands.lookup(O); });
    if (auto *Load = dyn_cast<LoadInst>(Result)) {
      dropScopes(*Load);
      E.reverseTags().tag(*Load, MemoryRole::Primal, cast<LoadInst>(I)->getPointerOperand());
    }
  }
  return Done[V] = Result;
}

/// Emits the branches of the phi's path tree and ends in a block where they meet again, to which B moves on.
Value *Lookup::buildPath(IRBuilderBase &B, ValueRef R, const Loop *Site) {
  auto *Phi = cast<PHINode>(R.V);
  const PathTree &Tree = E.F.P.Merges.find(Phi->getParent())->second;
  BasicBlock *Start = B.GetInsertBlock();
  BasicBlock *Join = BasicBlock::Create(B.getContext(), "again.join", E.Reverse);
  // What stood behind the insertion point (a preheader's branch) goes behind the join.
  Join->splice(Join->end(), Start, B.GetInsertPoint(), Start->end());
  PHINode *Value = PHINode::Create(Phi->getType(), Phi->getNumIncomingValues(), Phi->getName() + ".again", Join->begin());
  std::function<void(unsigned)> Walk = [&](unsigned N) {
    const PathChoice &C = Tree[N];
    if (C.Kind == PathChoice::Leaf) {
      llvm::Value *V = at(B, canonical({Phi->getIncomingValueForBlock(C.Block), R.K}), Site);
      Value->addIncoming(V, B.GetInsertBlock());
      B.CreateBr(Join);
      return;
    }
    llvm::Value *Cond = at(B, {cast<BranchInst>(C.Block->getTerminator())->getCondition(), ValueRef::Primal}, Site);
    BasicBlock *Here = B.GetInsertBlock();
    BasicBlock *Sides[2];
    for (BasicBlock *&Side : Sides) {
      Side = BasicBlock::Create(B.getContext(), "again", E.Reverse);
      Parents[Side] = Here;
    }
    B.CreateCondBr(Cond, Sides[0], Sides[1]);
    B.SetInsertPoint(Sides[0]);
    Walk(C.IfTrue);
    B.SetInsertPoint(Sides[1]);
    Walk(C.IfFalse);
  };
  B.SetInsertPoint(Start);
  Walk(0);
  Parents[Join] = Start;
  // Sites that insert before a terminator go on before the one that moved.
  if (Instruction *Moved = Join->getTerminator())
    B.SetInsertPoint(Moved);
  else
    B.SetInsertPoint(Join);
  return Value;
}

} // namespace tapefree
