#include "Emit/ForwardSweep.h"
#include "Emit/MemoryHelpers.h"
#include "Rules/CallEffects.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

/// The place in the forward sweep right after the definition of `I`.
Instruction *ForwardSweep::after(const Instruction &I) {
  const Instruction *Next = isa<PHINode>(I) ? &*I.getParent()->getFirstNonPHIIt() : I.getNextNode();
  Instruction *Call = Augmented.lookup(Next);
  return Call ? Call : cast<Instruction>(E.Map[Next]);
}

Value *ForwardSweep::shadowOf(const Value *V) {
  if (!E.F.Act.hasShadow(V)) {
    Value *Primal = E.Map.lookup(V);
    return Primal ? Primal : const_cast<Value *>(V); // constants stand for themselves
  }
  return E.Shadows.lookup(V);
}

/// Memory for shadow stores through a pointer that turns out to have no shadow.
Value *ForwardSweep::spare() {
  if (!Spare)
    Spare = new AllocaInst(ArrayType::get(Type::getInt64Ty(E.module().getContext()), 8), 0, "tapefree.spare",
                           E.Forward->getEntryBlock().begin());
  return Spare;
}

Value *ForwardSweep::shadowAddress(IRBuilderBase &B, const Value *Pointer) {
  Value *Shadow = shadowOf(Pointer);
  if (E.F.Act.pointer(Pointer) != PointerState::Mixed)
    return Shadow;
  return guardedAddress(B, E.Map[Pointer], Shadow, spare());
}

/// Shadow memory of the same size from the same allocator, all zero: derivatives start from nothing.
Value *ForwardSweep::allocationShadow(CallBase &Original, CallBase &Copy) {
  IRBuilder<> B(after(Original));
  rules::CallEffect Effect = rules::callEffect(Original);
  auto *Shadow = cast<CallBase>(Copy.clone());
  B.Insert(Shadow, Original.getName() + ".shadow");
  if (Effect.Kind == rules::CallKind::AllocateZeroed)
    return Shadow;
  Value *Bytes = Copy.getArgOperand(Effect.Size);
  if (Effect.Count >= 0)
    Bytes = B.CreateMul(Bytes, Copy.getArgOperand(Effect.Count));
  if (!Effect.NeverNull) { // a failed allocation has no bytes to clear
    Value *Failed = B.CreateICmpEQ(Shadow, ConstantPointerNull::get(cast<PointerType>(Shadow->getType())));
    Bytes = B.CreateSelect(Failed, Constant::getNullValue(Bytes->getType()), Bytes);
  }
  B.CreateMemSet(Shadow, B.getInt8(0), Bytes, MaybeAlign());
  return Shadow;
}

void ForwardSweep::makeShadow(Instruction &I) {
  auto *Copy = cast<Instruction>(E.Map[&I]);
  if (auto *A = dyn_cast<AllocaInst>(&I)) {
    // A static array of a split function lives in its record: the primal's copy has been moved there already.
    IRBuilder<> B(after(I));
    const DataLayout &DL = E.module().getDataLayout();
    uint64_t Unit = DL.getTypeAllocSize(A->getAllocatedType());
    Value *Shadow;
    if (A->isStaticAlloca()) {
      StorageSlot S = E.Slots->makeBytes(Unit * cast<ConstantInt>(A->getArraySize())->getZExtValue(), A->getAlign(),
                                         I.getName() + ".shadow");
      E.ValueSlots[{&I, ValueRef::Shadow}] = S;
      // Slots of one function stand at the top of its entry block; clearing them there covers every use.
      Shadow = E.Slots->address(B, S);
      B.CreateMemSet(Shadow, B.getInt8(0), Unit * cast<ConstantInt>(A->getArraySize())->getZExtValue(), A->getAlign());
    } else {
      auto *Twin = cast<AllocaInst>(Copy->clone());
      B.Insert(Twin, I.getName() + ".shadow");
      Value *Bytes = B.CreateMul(B.CreateZExtOrTrunc(Twin->getArraySize(), B.getInt64Ty()), B.getInt64(Unit));
      B.CreateMemSet(Twin, B.getInt8(0), Bytes, A->getAlign());
      Shadow = Twin;
    }
    E.Shadows[&I] = Shadow;
    return;
  }
  if (auto *Call = dyn_cast<CallBase>(&I)) {
    if (isAllocation(Call))
      E.Shadows[&I] = allocationShadow(*Call, *cast<CallBase>(Copy));
    return; // a split call gives its shadow itself
  }
  if (auto *Phi = dyn_cast<PHINode>(&I)) { // operands follow when all shadows exist
    E.Shadows[&I] = PHINode::Create(Phi->getType(), Phi->getNumIncomingValues(), I.getName() + ".shadow",
                                    cast<Instruction>(Copy)->getIterator());
    return;
  }
  IRBuilder<> B(after(I));
  B.SetCurrentDebugLocation(Copy->getDebugLoc());
  Value *Shadow = cloneWith(I, B, [&](const Value *V) -> Value * {
    if (auto *Load = dyn_cast<LoadInst>(&I))
      return shadowOf(Load->getPointerOperand()); // without a shadow: the primal pointer there, which has none either
    if (holdsPointer(V->getType()))
      return shadowOf(V);
    Value *M = E.Map.lookup(V);
    return M ? M : const_cast<Value *>(V);
  });
  Shadow->setName(I.getName() + ".shadow");
  if (auto *Load = dyn_cast<LoadInst>(Shadow))
    Load->setMetadata(LLVMContext::MD_invariant_load, nullptr);
  E.Shadows[&I] = Shadow;
}

void ForwardSweep::storePointer(StoreInst &Store) {
  IRBuilder<> B(after(Store));
  auto *Copy = cast<StoreInst>(cast<Instruction>(E.Map[&Store])->clone());
  Copy->setOperand(0, shadowOf(Store.getValueOperand()));
  Copy->setOperand(1, shadowAddress(B, Store.getPointerOperand()));
  Copy->setMetadata(LLVMContext::MD_noalias, nullptr);
  Copy->setMetadata(LLVMContext::MD_alias_scope, nullptr);
  B.Insert(Copy);
}

/// Copies of memory that holds pointers copy the shadow pointers too; floats among them wait for the reverse sweep.
void ForwardSweep::moveMemory(MemIntrinsic &Mem) {
  AccessPattern P = E.F.Types.pattern(Mem);
  if (none_of(P.Fields, [](const TypeField &T) { return T.Kind == ScalarKind::Pointer; }))
    return;
  auto *Copy = cast<MemIntrinsic>(E.Map[&Mem]);
  IRBuilder<> B(after(Mem));
  Value *To = shadowOf(Mem.getRawDest()), *Bytes = Copy->getLength();
  if (E.F.Act.pointer(Mem.getRawDest()) == PointerState::Mixed)
    Bytes = B.CreateSelect(B.CreateICmpEQ(E.Map[Mem.getRawDest()], To), Constant::getNullValue(Bytes->getType()), Bytes);
  if (isa<MemSetInst>(Mem))
    emitSetFields(B, P, To, cast<MemSetInst>(Copy)->getValue(), Bytes, /*Floats=*/false);
  else
    emitCopyPointers(B, P, To, shadowOf(cast<MemTransferInst>(Mem).getRawSource()), Bytes, isa<MemMoveInst>(Mem));
}

bool ForwardSweep::callAugmented(CallBase &Call) {
  CallSignature S = E.F.Act.signature(Call);
  if (!S.active()) { // what it returns is without a derivative
    if (E.F.Act.hasShadow(&Call))
      E.Shadows[&Call] = E.Map[&Call];
    return true;
  }
  const SplitFunctions *Split = E.Split(*Call.getCalledFunction(), S);
  if (!Split)
    return false;
  auto *Copy = cast<CallBase>(E.Map[&Call]);
  IRBuilder<> B(Copy);
  SmallVector<Value *, 8> Args;
  for (const Use &U : Call.args()) {
    Args.push_back(Copy->getArgOperand(Call.getArgOperandNo(&U)));
    if (ArgActivity A = S.Args[Call.getArgOperandNo(&U)]; A == ArgActivity::Dup || A == ArgActivity::DupMaybe)
      Args.push_back(shadowOf(U.get()));
  }
  CallInst *New = B.CreateCall(Split->Augmented, Args);
  New->setDebugLoc(Copy->getDebugLoc());
  Augmented[&Call] = New;
  E.Tapes[&Call] = B.CreateExtractValue(New, 0, "tapefree.record");
  if (!Call.getType()->isVoidTy()) {
    Value *Result = B.CreateExtractValue(New, 1, Call.getName());
    Copy->replaceAllUsesWith(Result);
    E.Map[&Call] = Result;
    if (E.F.Act.hasShadow(&Call))
      E.Shadows[&Call] = B.CreateExtractValue(New, 2, Call.getName() + ".shadow");
  }
  Dead.push_back(Copy);
  return true;
}

void ForwardSweep::makeShadows() {
  ReversePostOrderTraversal<Function *> Order(E.F.P.F);
  for (BasicBlock *Block : Order)
    for (Instruction &I : *Block)
      if (holdsPointer(I.getType()) && E.F.Act.hasShadow(&I) &&
          !(isa<CallBase>(I) && callsVisibleBody(cast<CallBase>(I))))
        makeShadow(I);
      else if (auto *Call = dyn_cast<CallBase>(&I); Call && callsVisibleBody(*Call))
        if (!callAugmented(*Call))
          return;
  for (BasicBlock *Block : Order)
    for (PHINode &Phi : Block->phis())
      if (auto *Shadow = dyn_cast_if_present<PHINode>(E.Shadows.lookup(&Phi)))
        for (unsigned K = 0; K < Phi.getNumIncomingValues(); ++K) {
          auto *Copy = cast<PHINode>(E.Map[&Phi]);
          Shadow->addIncoming(shadowOf(Phi.getIncomingValue(K)), Copy->getIncomingBlock(K));
        }
}

void ForwardSweep::storeSlots() {
  for (auto &[R, VP] : E.P.Values) {
    if (VP.F != Fate::Slot)
      continue;
    auto *I = cast<Instruction>(R.V);
    StorageSlot S = E.Slots->make(typeOf(R), I->getName() + ".slot");
    E.ValueSlots[R] = S;
    IRBuilder<> B(after(*I));
    E.Slots->store(B, Kept.forwardValue(R), S);
  }
}

bool ForwardSweep::run() {
  unsigned Before = E.D.errors();
  makeShadows();
  if (E.D.errors() != Before)
    return false;
  for (Instruction &I : instructions(*E.F.P.F)) {
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (Store->getValueOperand()->getType()->isPtrOrPtrVectorTy() && E.F.Act.hasShadow(Store->getPointerOperand()))
        storePointer(*Store);
    } else if (auto *Mem = dyn_cast<MemIntrinsic>(&I)) {
      if (E.F.Act.hasShadow(Mem->getRawDest()))
        moveMemory(*Mem);
    } else if (E.P.DelayedFrees.contains(&I)) {
      Dead.push_back(cast<Instruction>(E.Map[&I]));
    }
  }
  for (const Value *Allocation : E.P.FreedAllocations) {
    markPaired(E.Map[Allocation]);
    if (E.F.Act.hasShadow(Allocation))
      markPaired(E.Shadows.lookup(Allocation));
  }
  storeSlots();
  Kept.storeForward();
  for (Instruction &I : instructions(*E.F.P.F))
    if (const Value *Address = getLoadStorePointerOperand(&I))
      if (auto *Copy = dyn_cast<Instruction>(static_cast<Value *>(E.Map[&I])))
        E.ForwardTags.tag(*Copy, MemoryRole::Primal, Address);
  for (Instruction *I : Dead)
    I->eraseFromParent();
  return true;
}

} // namespace tapefree
