#include "Emit/ForwardSweep.h"
#include "Emit/MemoryHelpers.h"
#include "Prepare/Exits.h"
#include "Rules/CallEffects.h"
#include "Rules/UserRules.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

/// Shadows have the types of their primals: type-based alias facts hold for them as well.
static auto keepTypeTag(const Instruction &I) {
  return [Tag = I.getMetadata(LLVMContext::MD_tbaa)](Instruction &Access) {
    Access.setMetadata(LLVMContext::MD_tbaa, Tag);
  };
}

/// The place in the forward sweep right after the definition of `I`.
Instruction *ForwardSweep::after(const Instruction &I) {
  const Instruction *Next = isa<PHINode>(I) ? &*I.getParent()->getFirstNonPHIIt() : I.getNextNode();
  Instruction *Call = Augmented.lookup(Next);
  return Call ? Call : cast<Instruction>(E.Map[Next]);
}

/// `Layout`: wanted of what has no shadow, and stands for itself in every lane.
Value *ForwardSweep::shadowOf(IRBuilderBase &B, const Value *V, LaneLayout Layout) {
  if (!E.F.Act.hasShadow(V) || isa<Constant>(V)) {
    Value *Primal = E.Map.lookup(V);
    return E.Ops.broadcast(B, Primal ? Primal : const_cast<Value *>(V), Layout);
  }
  return E.Shadows.lookup(V);
}

/// Memory for shadow stores through a pointer that turns out to have no shadow.
Value *ForwardSweep::spare() {
  if (!Spare)
    Spare = new AllocaInst(ArrayType::get(Type::getInt64Ty(E.module().getContext()), E.Ops.bytes(8)), 0,
                           "tapefree.spare", E.Forward->getEntryBlock().begin());
  return Spare;
}

Value *ForwardSweep::shadowAddress(IRBuilderBase &B, const Value *Pointer) {
  LaneLayout Layout = E.F.L.of(Pointer);
  Value *Shadow = shadowOf(B, Pointer, Layout);
  if (E.F.Act.pointer(Pointer) != PointerState::Mixed)
    return Shadow;
  return guardedAddress(B, E.Ops.broadcast(B, E.Map[Pointer], Layout), Shadow,
                        E.Ops.broadcast(B, spare(), Layout));
}

void ForwardSweep::makeShadow(Instruction &I) {
  auto *Copy = cast<Instruction>(E.Map[&I]);
  if (auto *A = dyn_cast<AllocaInst>(&I)) {
    // A static array of a split function lives in its record: the primal's copy has been moved there already.
    IRBuilder<> B(after(I));
    const DataLayout &DL = E.module().getDataLayout();
    uint64_t Unit = DL.getTypeAllocSize(A->getAllocatedType());
    Value *Shadow, *Bytes;
    if (A->isStaticAlloca()) {
      uint64_t Size = Unit * cast<ConstantInt>(A->getArraySize())->getZExtValue();
      Bytes = B.getInt64(Size);
      StorageSlot S = E.Slots->makeBytes(E.Ops.bytes(Size), A->getAlign(), I.getName() + ".shadow");
      E.ValueSlots[{&I, ValueRef::Shadow}] = S;
      // Slots of one function stand at the top of its entry block; clearing them there covers every use.
      Shadow = E.Slots->address(B, S);
    } else {
      auto *Twin = cast<AllocaInst>(Copy->clone());
      Twin->setMetadata(LLVMContext::MD_DIAssignID, nullptr); // no variable of the user's
      Bytes = B.CreateMul(B.CreateZExtOrTrunc(Twin->getArraySize(), B.getInt64Ty()), B.getInt64(Unit));
      Twin->setOperand(0, E.Ops.bytes(B, Twin->getArraySize()));
      B.Insert(Twin, I.getName() + ".shadow");
      Shadow = Twin;
    }
    B.CreateMemSet(Shadow, B.getInt8(0), E.Ops.bytes(B, Bytes), A->getAlign());
    E.Shadows[&I] = E.Ops.spread(B, Shadow, Bytes, E.F.L.of(&I));
    return;
  }
  if (auto *Call = dyn_cast<CallBase>(&I); Call && !roundsPointer(I)) {
    if (isAllocation(Call))
      E.Shadows[&I] = allocateShadow(*Call, *cast<CallBase>(Copy), E.Ops, after(I));
    return; // a split call gives its shadow itself
  }
  if (auto *Phi = dyn_cast<PHINode>(&I)) { // operands follow when all shadows exist
    E.Shadows[&I] = PHINode::Create(E.F.L.differentialType(Phi), Phi->getNumIncomingValues(),
                                    I.getName() + ".shadow", cast<Instruction>(Copy)->getIterator());
    return;
  }
  IRBuilder<> B(after(I));
  B.SetCurrentDebugLocation(Copy->getDebugLoc());
  LaneLayout Layout = E.F.L.of(&I);
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (!E.F.Act.hasShadow(Load->getPointerOperand())) { // what lies there has no shadow either
      E.Shadows[&I] = E.Ops.broadcast(B, Copy, Layout);
      return;
    }
    Value *Address = shadowOf(B, Load->getPointerOperand(), LaneLayout::Separate);
    E.Shadows[&I] = E.Ops.load(B, I.getType(), Address, Load->getAlign(), Layout, keepTypeTag(*Load),
                               I.getName() + ".shadow");
    return;
  }
  E.Shadows[&I] = E.Ops.pointer(B, I, [&](const Value *V) -> Value * {
    if (holdsPointer(V->getType()))
      return shadowOf(B, V, Layout);
    Value *M = E.Map.lookup(V);
    return M ? M : const_cast<Value *>(V);
  });
}

void ForwardSweep::storePointer(StoreInst &Store) {
  IRBuilder<> B(after(Store));
  B.SetCurrentDebugLocation(cast<Instruction>(E.Map[&Store])->getDebugLoc());
  Value *Shadow = shadowOf(B, Store.getValueOperand(), E.F.L.inMemory());
  E.Ops.store(B, Store.getValueOperand()->getType(), Shadow, shadowAddress(B, Store.getPointerOperand()),
              Store.getAlign(), keepTypeTag(Store));
}

/// Copies of memory that holds pointers copy the shadow pointers too; floats among them wait for the reverse
/// sweep.
void ForwardSweep::moveMemory(MemIntrinsic &Mem) {
  AccessPattern P = E.F.Types.pattern(Mem);
  if (none_of(P.Fields, [](const TypeField &T) { return T.Kind == ScalarKind::Pointer; }))
    return;
  auto *Copy = cast<MemIntrinsic>(E.Map[&Mem]);
  IRBuilder<> B(after(Mem));
  Value *To = shadowOf(B, Mem.getRawDest(), LaneLayout::Separate), *Bytes = Copy->getLength();
  if (E.F.Act.pointer(Mem.getRawDest()) == PointerState::Mixed) {
    Value *None = B.CreateICmpEQ(E.Map[Mem.getRawDest()], E.Ops.first(B, To));
    Bytes = B.CreateSelect(None, Constant::getNullValue(Bytes->getType()), Bytes);
  }
  MemoryHelpers Helpers(B, E.Ops);
  if (isa<MemSetInst>(Mem)) {
    Helpers.set(P, To, cast<MemSetInst>(Copy)->getValue(), Bytes, MemoryHelpers::Fields::Others);
    return;
  }
  Value *From = shadowOf(B, cast<MemTransferInst>(Mem).getRawSource(), LaneLayout::Separate);
  Helpers.copyPointers(P, To, From, Bytes, isa<MemMoveInst>(Mem));
}

bool ForwardSweep::callAugmented(CallBase &Call) {
  CallSignature S = E.F.splitSignature(Call);
  if (!S.active()) { // what it returns is without a derivative
    if (E.F.Act.hasShadow(&Call)) {
      IRBuilder<> B(after(Call));
      E.Shadows[&Call] = E.Ops.broadcast(B, E.Map[&Call], E.F.L.of(&Call));
    }
    return true;
  }
  const SplitFunctions *Split = E.Split(*Call.getCalledFunction(), S);
  if (!Split)
    return false;
  if (!Split->Augmented) // a rule of the user's without a tape: the primal's call stays
    return true;
  auto *Copy = cast<CallBase>(E.Map[&Call]);
  IRBuilder<> B(Copy);
  SmallVector<Value *, 8> Args;
  for (const Use &U : Call.args()) {
    unsigned Number = Call.getArgOperandNo(&U);
    Args.push_back(Copy->getArgOperand(Number));
    if (ArgActivity A = S.Args[Number]; A == ArgActivity::Dup || A == ArgActivity::DupMaybe)
      Args.push_back(shadowOf(B, U.get(), S.Lanes.arg(Number)));
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
          BasicBlock *From = cast<PHINode>(E.Map[&Phi])->getIncomingBlock(K);
          IRBuilder<> B(From->getTerminator());
          Shadow->addIncoming(shadowOf(B, Phi.getIncomingValue(K), E.F.L.of(&Phi)), From);
        }
}

void ForwardSweep::storeSlots() {
  for (auto &[R, VP] : E.P.Values) {
    if (VP.F != Fate::Slot)
      continue;
    auto *I = cast<Instruction>(R.V);
    StorageSlot S = E.Slots->make(typeOf(R, E.F.L), I->getName() + ".slot");
    E.ValueSlots[R] = S;
    IRBuilder<> B(after(*I));
    E.Slots->store(B, Kept.forwardValue(R), S);
  }
}

/// The primal has released a block, but the reverse sweep has not; or nobody releases it before the end.
void ForwardSweep::rememberBlock(const Instruction &At, const Value *Block, FunctionCallee Release) {
  IRBuilder<> B(isAllocation(&At) ? after(At) : cast<Instruction>(E.Map[&At]));
  Value *Primal = E.Map.lookup(Block);
  if (!Primal)
    Primal = const_cast<Value *>(Block);
  Held.remember(B, At, Primal, Release);
  if (!E.F.Act.hasShadow(Block) || isa<Constant>(Block))
    return;
  Value *Shadow = E.Ops.first(B, shadowOf(B, Block, E.F.L.of(Block)));
  if (E.F.Act.pointer(Block) == PointerState::Mixed)
    Shadow = B.CreateSelect(B.CreateICmpEQ(Shadow, Primal), ConstantPointerNull::get(B.getPtrTy()), Shadow);
  Held.remember(B, At, Shadow, Release);
}

void ForwardSweep::rememberPending() {
  for (Instruction &I : instructions(*E.F.P.F)) {
    if (!Held.leftBehind(I))
      continue;
    if (E.P.DelayedFrees.contains(&I)) {
      rules::CallEffect Effect = rules::callEffect(cast<CallBase>(I));
      rememberBlock(I, cast<CallBase>(I).getArgOperand(unsigned(Effect.Pointer)),
                    releaseFunction(cast<CallBase>(I)));
    } else if (I.hasMetadata(ScopedMark)) {
      rememberBlock(I, &I, releaseFunction(E.module(), rules::AllocFamily::C));
    } else if (Value *Record = E.Tapes.lookup(&I)) {
      auto &Call = cast<CallBase>(I);
      if (rules::gradientRule(Call)) // a tape by value
        continue;
      const SplitFunctions *Split = E.Split(*Call.getCalledFunction(), E.F.splitSignature(Call));
      IRBuilder<> B(after(I));
      Held.remember(B, I, Record, Split->Discard);
    }
  }
}

/// Calls out of which an exception may come: they are guarded when all else is done.
bool ForwardSweep::findLeaving() {
  auto Primal = [&](const Value *V) {
    Value *M = E.Map.lookup(V);
    return M ? M : const_cast<Value *>(V);
  };
  auto Shadow = [&](IRBuilderBase &B, const Value *V) { return shadowOf(B, V, E.F.L.of(V)); };
  auto Shadowed = [&](Function &Exit, const CallSignature &S) -> Function * {
    const SplitFunctions *Form = E.Split(Exit, S);
    return Form ? Form->Augmented : nullptr;
  };
  LeavingFinder Finder{E.F.Act, E.F.L, Primal, Shadow, Shadowed, E.D};
  for (Instruction &I : instructions(*E.F.P.F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    CallInst *Copy = Augmented.lookup(&I);
    if (!Copy)
      Copy = dyn_cast_if_present<CallInst>(static_cast<Value *>(E.Map.lookup(&I)));
    if (Copy && !Finder.add(*Call, *Copy, E.Leaving, Dead))
      return false;
  }
  return true;
}

bool ForwardSweep::run() {
  unsigned Before = E.D.errors();
  makeShadows();
  if (E.D.errors() != Before)
    return false;
  for (Instruction &I : instructions(*E.F.P.F)) {
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      if (Store->getValueOperand()->getType()->isPtrOrPtrVectorTy() &&
          E.F.Act.hasShadow(Store->getPointerOperand()))
        storePointer(*Store);
    } else if (auto *Mem = dyn_cast<MemIntrinsic>(&I)) {
      if (E.F.Act.hasShadow(Mem->getRawDest()))
        moveMemory(*Mem);
    } else if (E.P.DelayedFrees.contains(&I)) {
      Dead.push_back(cast<Instruction>(E.Map[&I]));
    } else if (I.hasMetadata(ScopedMark)) { // an array of the user's, who had nothing to check
      IRBuilder<> B(after(I));
      emitDemandOf(B, *cast<CallBase>(E.Map[&I]));
    }
  }
  for (const Value *Allocation : E.P.FreedAllocations) {
    markPaired(E.Map[Allocation]);
    if (E.F.Act.hasShadow(Allocation))
      markPaired(E.Shadows.lookup(Allocation));
  }
  rememberPending();
  storeSlots();
  Kept.storeForward();
  if (!findLeaving())
    return false;
  for (Instruction &I : instructions(*E.F.P.F))
    if (const Value *Address = getLoadStorePointerOperand(&I))
      if (auto *Copy = dyn_cast<Instruction>(static_cast<Value *>(E.Map[&I])))
        E.ForwardTags.tag(*Copy, MemoryRole::Primal, Address);
  for (Instruction *I : Dead)
    I->eraseFromParent();
  return true;
}

} // namespace tapefree
