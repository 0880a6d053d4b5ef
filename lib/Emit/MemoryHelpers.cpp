#include "Emit/MemoryHelpers.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

namespace {
enum class Action { Accumulate, Copy };

/// Builds `void name(ptr to, ptr from, i64 bytes)`: a loop over the periods of a pattern, ascending or descending.
class HelperBuilder {
public:
  HelperBuilder(Module &M, const AccessPattern &P, Action A, bool MayOverlap) : M(M), P(P), A(A), MayOverlap(MayOverlap) {}
  Function *get();

private:
  void element(IRBuilder<> &B, Value *To, Value *From);
  void loop(BasicBlock *Into, BasicBlock *Next, bool Down);

  Module &M;
  const AccessPattern &P;
  Action A;
  bool MayOverlap;
  Function *F = nullptr;
};
} // namespace

void HelperBuilder::element(IRBuilder<> &B, Value *To, Value *From) {
  for (const TypeField &Field : P.Fields) {
    bool Float = isFloatKind(Field.Kind);
    if (Float != (A == Action::Accumulate))
      continue;
    Value *T = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), To, Field.Offset);
    Value *S = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), From, Field.Offset);
    if (A == Action::Copy) {
      Type *Bits = Field.Kind == ScalarKind::Pointer ? static_cast<Type *>(B.getPtrTy()) : B.getIntNTy(unsigned(Field.Size * 8));
      B.CreateAlignedStore(B.CreateAlignedLoad(Bits, S, Align(1)), T, Align(1));
      continue;
    }
    Type *FT = floatType(Field.Kind, M.getContext());
    uint64_t Step = M.getDataLayout().getTypeAllocSize(FT);
    for (uint64_t At = 0; At + Step <= Field.Size; At += Step) {
      Value *TA = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), T, At), *SA = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), S, At);
      Value *Adjoint = B.CreateAlignedLoad(FT, TA, Align(1));
      B.CreateAlignedStore(Constant::getNullValue(FT), TA, Align(1));
      B.CreateAlignedStore(B.CreateFAdd(B.CreateAlignedLoad(FT, SA, Align(1)), Adjoint), SA, Align(1));
    }
  }
}

void HelperBuilder::loop(BasicBlock *Into, BasicBlock *Next, bool Down) {
  LLVMContext &C = M.getContext();
  BasicBlock *Body = BasicBlock::Create(C, "body", F);
  IRBuilder<> B(Into);
  Value *Count = B.CreateUDiv(F->getArg(2), B.getInt64(P.Period));
  B.CreateCondBr(B.CreateICmpEQ(Count, B.getInt64(0)), Next, Body);
  B.SetInsertPoint(Body);
  PHINode *I = B.CreatePHI(B.getInt64Ty(), 2);
  Value *Following = B.CreateAdd(I, B.getInt64(1));
  Value *Index = Down ? B.CreateSub(Count, Following) : I;
  Value *Offset = B.CreateMul(Index, B.getInt64(P.Period));
  element(B, B.CreateInBoundsGEP(B.getInt8Ty(), F->getArg(0), Offset), B.CreateInBoundsGEP(B.getInt8Ty(), F->getArg(1), Offset));
  I->addIncoming(B.getInt64(0), Into);
  I->addIncoming(Following, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpEQ(Following, Count), Next, Body);
}

Function *HelperBuilder::get() {
  std::string Name = A == Action::Accumulate ? "tapefree.accumulate" : "tapefree.copy";
  if (MayOverlap)
    Name += ".overlap";
  Name += "." + std::to_string(P.Period);
  for (const TypeField &Field : P.Fields)
    Name += "." + std::to_string(Field.Offset) + kindName(Field.Kind).str() + std::to_string(Field.Size);
  if (Function *Known = M.getFunction(Name))
    return Known;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  F = Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr, Type::getInt64Ty(C)}, false),
                       GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoUnwind);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F), *Exit = BasicBlock::Create(C, "exit");
  if (MayOverlap) {
    // Reading an adjoint must come before adding to it at the same address as a source: to > from goes up, else down.
    // A copy (forward sweep) goes the other way round, like memmove itself.
    BasicBlock *Up = BasicBlock::Create(C, "up", F), *DownBlock = BasicBlock::Create(C, "down", F);
    IRBuilder<> B(Entry);
    Value *ToAfterFrom = B.CreateICmpUGT(F->getArg(0), F->getArg(1));
    bool UpWhenAfter = A == Action::Accumulate;
    B.CreateCondBr(ToAfterFrom, UpWhenAfter ? Up : DownBlock, UpWhenAfter ? DownBlock : Up);
    loop(Up, Exit, false);
    loop(DownBlock, Exit, true);
  } else {
    loop(Entry, Exit, false);
  }
  Exit->insertInto(F);
  IRBuilder<>(Exit).CreateRetVoid();
  return F;
}

static Value *as64(IRBuilderBase &B, Value *Bytes) { return B.CreateZExtOrTrunc(Bytes, B.getInt64Ty()); }

void emitSetFields(IRBuilderBase &B, const AccessPattern &P, Value *To, Value *Byte, Value *Bytes, bool Floats) {
  auto Wanted = [&](const TypeField &T) { return isFloatKind(T.Kind) == Floats; };
  if (all_of(P.Fields, Wanted)) {
    B.CreateMemSet(To, Byte, as64(B, Bytes), MaybeAlign());
    return;
  }
  // void name(ptr to, i64 bytes, i8 byte): a loop over the periods of the pattern.
  Module &M = *B.GetInsertBlock()->getModule();
  LLVMContext &C = M.getContext();
  std::string Name = "tapefree.set." + std::to_string(P.Period);
  for (const TypeField &Field : P.Fields)
    if (Wanted(Field))
      Name += "." + std::to_string(Field.Offset) + "x" + std::to_string(Field.Size);
  Function *Set = M.getFunction(Name);
  if (!Set) {
    Type *I64 = Type::getInt64Ty(C);
    Set = Function::Create(FunctionType::get(Type::getVoidTy(C), {B.getPtrTy(), I64, B.getInt8Ty()}, false),
                           GlobalValue::InternalLinkage, Name, M);
    Set->addFnAttr(Attribute::NoUnwind);
    BasicBlock *Entry = BasicBlock::Create(C, "entry", Set), *Body = BasicBlock::Create(C, "body", Set);
    BasicBlock *Exit = BasicBlock::Create(C, "exit", Set);
    IRBuilder<> L(Entry);
    L.CreateCondBr(L.CreateICmpULT(Set->getArg(1), L.getInt64(P.Period)), Exit, Body);
    L.SetInsertPoint(Body);
    PHINode *Offset = L.CreatePHI(I64, 2);
    Value *Element = L.CreateInBoundsGEP(L.getInt8Ty(), Set->getArg(0), Offset);
    for (const TypeField &Field : P.Fields)
      if (Wanted(Field))
        L.CreateMemSet(L.CreateConstInBoundsGEP1_64(L.getInt8Ty(), Element, Field.Offset), Set->getArg(2), Field.Size,
                       MaybeAlign());
    Value *Next = L.CreateAdd(Offset, L.getInt64(P.Period));
    Offset->addIncoming(L.getInt64(0), Entry);
    Offset->addIncoming(Next, Body);
    L.CreateCondBr(L.CreateICmpULT(L.CreateSub(Set->getArg(1), Next), L.getInt64(P.Period)), Exit, Body);
    L.SetInsertPoint(Exit);
    L.CreateRetVoid();
  }
  B.CreateCall(Set, {To, as64(B, Bytes), Byte});
}

void emitReverseCopy(IRBuilderBase &B, const AccessPattern &P, Value *To, Value *From, Value *Bytes, bool MayOverlap) {
  if (!From)
    return emitSetFields(B, P, To, B.getInt8(0), Bytes, /*Floats=*/true);
  Module &M = *B.GetInsertBlock()->getModule();
  B.CreateCall(HelperBuilder(M, P, Action::Accumulate, MayOverlap).get(), {To, From, as64(B, Bytes)});
}

void emitCopyPointers(IRBuilderBase &B, const AccessPattern &P, Value *To, Value *From, Value *Bytes, bool MayOverlap) {
  if (!P.hasFloat()) {
    if (MayOverlap)
      B.CreateMemMove(To, MaybeAlign(), From, MaybeAlign(), Bytes);
    else
      B.CreateMemCpy(To, MaybeAlign(), From, MaybeAlign(), Bytes);
    return;
  }
  Module &M = *B.GetInsertBlock()->getModule();
  B.CreateCall(HelperBuilder(M, P, Action::Copy, MayOverlap).get(), {To, From, as64(B, Bytes)});
}

} // namespace tapefree
