#include "Emit/ReverseOps.h"
#include "Emit/MemoryHelpers.h"
#include "Rules/CallEffects.h"
#include "Rules/FormulaEmit.h"
#include "Rules/Lookup.h"
#include "Rules/UserRules.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

AllocaInst *Adjoints::slot(const Value *V) {
  AllocaInst *&S = Slots[V];
  if (!S) {
    BasicBlock &Entry = E.Reverse->getEntryBlock();
    S = new AllocaInst(E.F.L.differentialType(V), 0, V->getName() + ".adjoint", Entry.begin());
    auto *Zero = new StoreInst(nothingYet(E.F.L.differentialType(V)), S, Entry.begin());
    Zero->moveAfter(S);
  }
  return S;
}

Value *Adjoints::take(IRBuilderBase &B, const Value *V) {
  AllocaInst *S = slot(V);
  Value *A = B.CreateLoad(S->getAllocatedType(), S);
  B.CreateStore(nothingYet(S->getAllocatedType()), S);
  return A;
}

void Adjoints::add(IRBuilderBase &B, const Value *V, Value *Amount) {
  if (!E.F.Act.isActive(V))
    return;
  AllocaInst *S = slot(V);
  B.CreateStore(addAdjoints(B, B.CreateLoad(S->getAllocatedType(), S), Amount), S);
}

void Adjoints::localise() {
  SmallVector<std::pair<StoreInst *, Instruction *>, 16>
      Moves; // together at the end: order is asked for before
  for (auto &[V, Slot] : Slots) {
    StoreInst *Zero = nullptr;
    Instruction *First = nullptr, *Last = nullptr;
    bool Local = true;
    for (User *U : Slot->users()) {
      auto *I = cast<Instruction>(U);
      if (auto *S = dyn_cast<StoreInst>(I);
          S && S->getParent() == Slot->getParent() && S == Slot->getNextNode()) {
        Zero = S;
        continue;
      }
      Local &= !First || I->getParent() == First->getParent();
      if (!Local)
        break;
      if (!First || I->comesBefore(First))
        First = I;
      if (!Last || Last->comesBefore(I))
        Last = I;
    }
    // What the block leaves behind is what it found, however often it runs.
    auto *Left = dyn_cast_if_present<StoreInst>(Last);
    if (Local && Zero && Left && Left->getValueOperand() == Zero->getValueOperand())
      Moves.push_back({Zero, First});
  }
  for (auto [Zero, First] : Moves)
    Zero->moveBefore(First->getIterator());
}

/// Where accesses go that find no shadow behind a pointer. Sums of adjoints and cleared seeds need separate
/// places: what is read as the seed of a store must always be zero.
Value *ReverseOps::spare(Type *T, bool ForStores) {
  AllocaInst *&S = Spares[{T, unsigned(ForStores)}];
  if (!S) {
    BasicBlock &Entry = E.Reverse->getEntryBlock();
    S = new AllocaInst(T, 0, "tapefree.spare",
                       Entry.begin()); // lanes share it: only pointers of separate lanes come here
    auto *Zero = new StoreInst(Constant::getNullValue(T), S, Entry.begin());
    Zero->moveAfter(S);
  }
  return S;
}

/// The shadow of an address; `Spare` where accesses go when there is none.
Value *ReverseOps::shadow(IRBuilderBase &B, const Value *Pointer, Value *Spare) {
  Value *Shadow = Values.get(B, {Pointer, ValueRef::Shadow}, Block);
  if (!Spare || E.F.Act.pointer(Pointer) != PointerState::Mixed)
    return Shadow;
  LaneLayout Layout = E.F.L.of(Pointer);
  return guardedAddress(B, E.Ops.broadcast(B, primal(B, Pointer), Layout), Shadow,
                        E.Ops.broadcast(B, Spare, Layout));
}

void ReverseOps::scalar(IRBuilderBase &B, const Instruction &I, const rules::ScalarRule &Rule) {
  Value *Adjoint = Adj.take(B, &I);
  for (unsigned A = 0; A < Rule.Arity; ++A) {
    const Value *Operand = I.getOperand(A);
    if (!Rule.isActive(A) || !E.F.Act.isActive(Operand))
      continue;
    rules::Needs N = rules::needs(Rule.Partial[A]);
    SmallVector<Value *, 4> Args(Rule.Arity + Rule.HasInt, nullptr);
    for (unsigned K = 0; K < Rule.Arity; ++K)
      if (N.Arg[K])
        Args[K] = primal(B, I.getOperand(K));
    if (N.IntArg)
      Args[Rule.Arity] = primal(B, I.getOperand(Rule.Arity));
    Value *Result = N.Result ? primal(B, &I) : nullptr;
    if (Rule.Partial[A].isConstant(1.0)) {
      Adj.add(B, Operand, Adjoint);
      continue;
    }
    if (Rule.Partial[A].isConstant(-1.0)) {
      Adj.add(B, Operand, B.CreateFNeg(Adjoint));
      continue;
    }
    Value *Partial = rules::emitFormula(B, Rule.Partial[A], Args, Result, I.getType());
    Value *Product = B.CreateFMul(Adjoint, E.Ops.broadcast(B, Partial));
    if (rules::needsStrongZero(Rule, A, I)) {
      Constant *Zero = Adj.zero(&I);
      Product = B.CreateSelect(B.CreateFCmpOEQ(Adjoint, Zero), Zero, Product);
    }
    Adj.add(B, Operand, Product);
  }
}

/// Length of an access to shadow memory: nothing where the pointer turns out to have no shadow.
Value *ReverseOps::guardedLength(IRBuilderBase &B, const Value *Pointer, Value *Shadow, Value *Bytes) {
  if (E.F.Act.pointer(Pointer) != PointerState::Mixed)
    return Bytes;
  Value *None = B.CreateICmpEQ(primal(B, Pointer), E.Ops.first(B, Shadow));
  return B.CreateSelect(None, Constant::getNullValue(Bytes->getType()), Bytes);
}

void ReverseOps::memory(IRBuilderBase &B, const MemIntrinsic &I) {
  AccessPattern P = E.F.Types.pattern(I);
  auto *Copy = dyn_cast<MemTransferInst>(&I);
  if (!Copy)
    P = P.withGaps(); // whatever nobody knows of was set as well: its derivative is zero
  else if (!P.hasFloat())
    return;
  Value *To = shadow(B, I.getRawDest(), nullptr), *Bytes = primal(B, I.getLength());
  Bytes = guardedLength(B, I.getRawDest(), To, Bytes);
  MemoryHelpers Helpers(B, E.Ops);
  if (Copy && E.F.Act.hasShadow(Copy->getRawSource())) {
    Value *From = shadow(B, Copy->getRawSource(), nullptr);
    Value *Moved = guardedLength(B, Copy->getRawSource(), From, Bytes);
    Helpers.reverseCopy(P, To, From, Moved, isa<MemMoveInst>(I));
    if (Moved == Bytes)
      return; // cleared element by element
  }
  Helpers.set(P, To, B.getInt8(0), Bytes, MemoryHelpers::Fields::Floats);
}

/// The shadow of an argument of a rule; null where the run finds that it has none.
Value *ReverseOps::ruleShadow(IRBuilderBase &B, const Value *Pointer) {
  Value *Shadow = Values.get(B, {Pointer, ValueRef::Shadow}, Block);
  if (E.F.Act.pointer(Pointer) != PointerState::Mixed)
    return Shadow;
  Value *Primal = E.Ops.broadcast(B, primal(B, Pointer), E.F.L.of(Pointer));
  return B.CreateSelect(B.CreateICmpEQ(Primal, Shadow), Constant::getNullValue(Shadow->getType()), Shadow);
}

void ReverseOps::splitCall(IRBuilderBase &B, const CallBase &I) {
  CallSignature S = E.F.splitSignature(I);
  const SplitFunctions *Split = E.Split(*I.getCalledFunction(), S);
  SmallVector<Value *, 8> Args;
  std::optional<rules::UserRule> Rule = rules::gradientRule(I);
  if (Rule)
    for (const Use &U : I.args()) {
      unsigned Number = I.getArgOperandNo(&U);
      Args.push_back(Rule->Unread >> Number & 1 ? Constant::getNullValue(U->getType()) : primal(B, U.get()));
      if (ArgActivity A = S.Args[Number]; A == ArgActivity::Dup || A == ArgActivity::DupMaybe)
        Args.push_back(ruleShadow(B, U.get()));
    }
  if (!Rule || Rule->Tape)
    Args.push_back(Values.get(B, {&I, ValueRef::Tape}, Block));
  if (S.ReturnActive)
    Args.push_back(Adj.take(B, &I));
  Value *Result = B.CreateCall(Split->Reverse, Args);
  unsigned Index = 0;
  for (const Use &U : I.args())
    if (S.Args[I.getArgOperandNo(&U)] == ArgActivity::Out)
      Adj.add(B, U.get(), B.CreateExtractValue(Result, Index++));
}

void ReverseOps::call(IRBuilderBase &B, const CallBase &I) {
  if (callsVisibleBody(I))
    return splitCall(B, I);
  switch (I.getIntrinsicID()) {
  case Intrinsic::vector_reduce_fadd: {
    Value *Adjoint = Adj.take(B, &I);
    Adj.add(B, I.getArgOperand(0), Adjoint);
    auto *T = cast<FixedVectorType>(I.getArgOperand(1)->getType());
    Adj.add(B, I.getArgOperand(1), B.CreateVectorSplat(T->getNumElements(), Adjoint));
    return;
  }
  case Intrinsic::masked_load: {
    Value *Adjoint = Adj.take(B, &I), *Mask = primal(B, I.getArgOperand(1));
    Value *Address = shadow(B, I.getArgOperand(0), spareFor(I.getArgOperand(0), I.getType(), false));
    Align A = I.getParamAlign(0).valueOrOne();
    Value *Sum = B.CreateFAdd(
        B.CreateMaskedLoad(I.getType(), Address, A, Mask, Constant::getNullValue(I.getType())), Adjoint);
    B.CreateMaskedStore(Sum, Address, A, Mask);
    // Lanes that were not loaded came from the pass-through value.
    Adj.add(B, I.getArgOperand(2), B.CreateSelect(Mask, Constant::getNullValue(I.getType()), Adjoint));
    return;
  }
  case Intrinsic::masked_store: {
    Value *Mask = primal(B, I.getArgOperand(2)), *Address = nullptr;
    Type *T = I.getArgOperand(0)->getType();
    Address = shadow(B, I.getArgOperand(1), spareFor(I.getArgOperand(1), T, true));
    Align A = I.getParamAlign(1).valueOrOne();
    Constant *Zero = Constant::getNullValue(T);
    Adj.add(B, I.getArgOperand(0), B.CreateMaskedLoad(T, Address, A, Mask, Zero));
    B.CreateMaskedStore(Zero, Address, A, Mask);
    return;
  }
  default:
    llvm_unreachable("Plan/Needs.cpp refuses all other calls");
  }
}

void ReverseOps::load(IRBuilderBase &B, const LoadInst &I) {
  Value *Adjoint = Adj.take(B, &I),
        *Address = shadow(B, I.getPointerOperand(), spareFor(I.getPointerOperand(), I.getType(), false));
  auto Tag = shadowTag(I, I.getPointerOperand());
  Value *Old = E.Ops.load(B, I.getType(), Address, I.getAlign(), E.F.L.of(&I), Tag);
  E.Ops.store(B, I.getType(), addAdjoints(B, Old, Adjoint), Address, I.getAlign(), Tag);
}

void ReverseOps::store(IRBuilderBase &B, const StoreInst &I) {
  const Value *V = I.getValueOperand();
  Value *Address = shadow(B, I.getPointerOperand(), spareFor(I.getPointerOperand(), V->getType(), true));
  if (!holdsFloat(V->getType())) { // bits of a constant, such as 0.0, written as an integer
    Value *Bytes = B.getInt64(E.module().getDataLayout().getTypeStoreSize(V->getType()));
    MemoryHelpers(B, E.Ops).set(E.F.Types.pattern(I).withGaps(), Address, B.getInt8(0), Bytes,
                                MemoryHelpers::Fields::Floats);
    return;
  }
  auto Tag = shadowTag(I, I.getPointerOperand());
  if (E.F.Act.isActive(V))
    Adj.add(B, V, E.Ops.load(B, V->getType(), Address, I.getAlign(), E.F.L.of(V), Tag));
  E.Ops.store(B, V->getType(), Adj.zero(V), Address, I.getAlign(), Tag);
}

void ReverseOps::shuffle(IRBuilderBase &B, const ShuffleVectorInst &I) {
  Value *Adjoint = Adj.take(B, &I);
  ArrayRef<int> Mask = I.getShuffleMask();
  int Width = int(cast<FixedVectorType>(I.getOperand(0)->getType())->getNumElements());
  for (int Side = 0; Side < 2; ++Side) {
    if (!E.F.Act.isActive(I.getOperand(Side)))
      continue;
    Value *Sum = Constant::getNullValue(I.getOperand(Side)->getType());
    for (int K = 0, N = int(Mask.size()); K < N; ++K) {
      int From = Mask[K] - Side * Width;
      if (Mask[K] < 0 || From < 0 || From >= Width)
        continue;
      Value *Lane = B.CreateFAdd(B.CreateExtractElement(Sum, From), B.CreateExtractElement(Adjoint, K));
      Sum = B.CreateInsertElement(Sum, Lane, From);
    }
    Adj.add(B, I.getOperand(Side), Sum);
  }
}

/// The block that the primal freed, and its shadow, now that nothing before the allocation can need them.
void ReverseOps::release(IRBuilderBase &B, const CallBase &Allocation) {
  FunctionCallee Release = releaseFunction(Allocation);
  auto Free = [&](Value *Pointer) { markPaired(B.CreateCall(Release, Pointer)); };
  if (E.F.Act.hasShadow(&Allocation))
    Free(E.Ops.first(B, Values.get(B, {&Allocation, ValueRef::Shadow}, Block)));
  Free(primal(B, &Allocation));
}

void ReverseOps::reverseLastStores(IRBuilderBase &B, const Loop &L) {
  for (const BasicBlock *Here : llvm::reverse(L.getBlocks()))
    for (const Instruction &I : llvm::reverse(*Here)) {
      auto *S = dyn_cast<StoreInst>(&I);
      if (!S || !isLast(*S) || E.F.LI.getLoopFor(Here) != &L || !hasReverseWork(*S, E.F))
        continue;
      Block = L.getLoopPreheader();
      B.SetCurrentDebugLocation(E.reverseLocation(*S));
      store(B, *S);
    }
}

void ReverseOps::reverse(IRBuilderBase &B, const Instruction &I) {
  Block = I.getParent();
  FastMathFlags Flags;
  if (auto *Op = dyn_cast<FPMathOperator>(&I))
    Flags = Op->getFastMathFlags();
  Flags.setAllowContract(Flags.allowContract() || E.F.P.Contracts);
  B.setFastMathFlags(Flags);
  B.SetCurrentDebugLocation(E.reverseLocation(I));
  if (E.P.FreedAllocations.contains(&I))
    release(B, cast<CallBase>(I));
  if (!hasReverseWork(I, E.F) || isa<PHINode>(I))
    return;
  if (const rules::ScalarRule *Rule = rules::scalarRule(I))
    return scalar(B, I, *Rule);
  if (auto *Mem = dyn_cast<MemIntrinsic>(&I))
    return memory(B, *Mem);
  if (auto *Call = dyn_cast<CallBase>(&I))
    return call(B, *Call);
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    if (!isLast(*Store))
      store(B, *Store);
    return;
  }
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return load(B, *Load);
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I))
    return shuffle(B, *Shuffle);
  Value *Adjoint = Adj.take(B, &I);
  Value *Zero = Adj.zero(&I);
  switch (I.getOpcode()) {
  case Instruction::Select: {
    Value *Cond = primal(B, I.getOperand(0));
    Adj.add(B, I.getOperand(1), B.CreateSelect(Cond, Adjoint, Zero));
    Adj.add(B, I.getOperand(2), B.CreateSelect(Cond, Zero, Adjoint));
    return;
  }
  case Instruction::ExtractElement: {
    Value *Into = Adj.zero(I.getOperand(0));
    Adj.add(B, I.getOperand(0), E.Ops.insertElement(B, Into, Adjoint, primal(B, I.getOperand(1))));
    return;
  }
  case Instruction::InsertElement: {
    Value *Index = primal(B, I.getOperand(2));
    Adj.add(B, I.getOperand(1), E.Ops.extractElement(B, Adjoint, Index));
    Adj.add(B, I.getOperand(0), E.Ops.insertElement(B, Adjoint, Adj.zero(I.getOperand(1)), Index));
    return;
  }
  case Instruction::ExtractValue: {
    Value *Into = Adj.zero(I.getOperand(0));
    Adj.add(B, I.getOperand(0), B.CreateInsertValue(Into, Adjoint, cast<ExtractValueInst>(I).getIndices()));
    return;
  }
  case Instruction::InsertValue: {
    ArrayRef<unsigned> Indices = cast<InsertValueInst>(I).getIndices();
    Adj.add(B, I.getOperand(1), B.CreateExtractValue(Adjoint, Indices));
    Adj.add(B, I.getOperand(0), B.CreateInsertValue(Adjoint, Adj.zero(I.getOperand(1)), Indices));
    return;
  }
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    Adj.add(B, I.getOperand(0), B.CreateFPCast(Adjoint, E.F.L.differentialType(I.getOperand(0))));
    return;
  case Instruction::Freeze:
    Adj.add(B, I.getOperand(0), Adjoint);
    return;
  case Instruction::BitCast:
    Adj.add(B, I.getOperand(0), B.CreateBitCast(Adjoint, E.F.L.differentialType(I.getOperand(0))));
    return;
  default:
    llvm_unreachable("Plan/Needs.cpp refuses all other instructions");
  }
}

} // namespace tapefree
