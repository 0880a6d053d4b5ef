#include "Emit/LaneOps.h"
#include "Emit/Emission.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;

namespace tapefree {

Value *LaneOps::broadcast(IRBuilderBase &B, Value *V, LaneLayout Layout) const {
  Type *T = V->getType();
  if (!L.wide() || (T->isPointerTy() && Layout == LaneLayout::Interleaved))
    return V;
  if (!isa<StructType, ArrayType>(T))
    return B.CreateVectorSplat(L.width(), V);
  Value *All = PoisonValue::get(differentialType(T, Layout, L.width()));
  for (unsigned I = 0, N = T->isStructTy() ? T->getStructNumElements() : unsigned(T->getArrayNumElements());
       I < N; ++I)
    All = B.CreateInsertValue(All, broadcast(B, B.CreateExtractValue(V, I), Layout), I);
  return All;
}

Value *LaneOps::bytes(IRBuilderBase &B, Value *Bytes) const {
  return L.wide() ? B.CreateMul(Bytes, ConstantInt::get(Bytes->getType(), L.width())) : Bytes;
}

Value *LaneOps::advance(IRBuilderBase &B, Value *Pointer, Value *Bytes, const Twine &Name) const {
  if (!Pointer->getType()->isVectorTy())
    Bytes = bytes(B, Bytes);
  return B.CreateGEP(B.getInt8Ty(), Pointer, Bytes, Name);
}

Value *LaneOps::field(IRBuilderBase &B, Value *Address, uint64_t Offset) const {
  if (!Offset)
    return Address;
  return B.CreateInBoundsGEP(B.getInt8Ty(), Address,
                             B.getInt64(Address->getType()->isVectorTy() ? Offset : bytes(Offset)));
}

/// A GEP with all offsets N times as long.
static Value *interleavedGEP(IRBuilderBase &B, const GetElementPtrInst &I, Value *Base, unsigned Width,
                             function_ref<Value *(const Value *)> Operand) {
  const DataLayout &DL = I.getDataLayout();
  unsigned Bits = DL.getIndexTypeSizeInBits(I.getType());
  SmallMapVector<Value *, APInt, 4> Variable;
  APInt Constant(Bits, 0);
  GEPNoWrapFlags Flags = I.isInBounds() ? GEPNoWrapFlags::inBounds() : GEPNoWrapFlags::none();
  if (!cast<GEPOperator>(I).collectOffset(DL, Bits, Variable, Constant))
    report_fatal_error("tapefree: internal error: pointer arithmetic over types without a size");
  for (auto &[Index, Scale] : Variable) {
    Value *I64 = B.CreateSExtOrTrunc(Operand(Index), B.getIntNTy(Bits));
    uint64_t Element = Scale.abs().getZExtValue() * Width;
    if (Scale.isNegative())
      I64 = B.CreateNeg(I64);
    Base = B.CreateGEP(ArrayType::get(B.getInt8Ty(), Element), Base, I64, I.getName() + ".shadow", Flags);
  }
  if (!Constant.isZero())
    Base = B.CreateGEP(B.getInt8Ty(), Base, B.getInt(Constant * Width), I.getName() + ".shadow", Flags);
  return Base;
}

Value *LaneOps::pointer(IRBuilderBase &B, const Instruction &I,
                        function_ref<Value *(const Value *)> Operand) const {
  if (!L.wide()) {
    Value *V = cloneWith(I, B, Operand);
    V->setName(I.getName() + ".shadow");
    return V;
  }
  switch (I.getOpcode()) {
  case Instruction::GetElementPtr: {
    auto &G = cast<GetElementPtrInst>(I);
    Value *Base = Operand(G.getPointerOperand());
    if (!Base->getType()->isVectorTy())
      return interleavedGEP(B, G, Base, L.width(), Operand);
    SmallVector<Value *, 4> Indices;
    for (const Use &U : G.indices())
      Indices.push_back(Operand(U.get()));
    return B.CreateGEP(G.getSourceElementType(), Base, Indices, I.getName() + ".shadow", G.getNoWrapFlags());
  }
  case Instruction::Call: { // ptrmask: each lane is rounded by itself
    Value *Base = Operand(I.getOperand(0)), *Mask = Operand(I.getOperand(1));
    if (auto *VT = dyn_cast<VectorType>(Base->getType()))
      Mask = B.CreateVectorSplat(VT->getElementCount(), Mask);
    return B.CreateIntrinsic(Intrinsic::ptrmask, {Base->getType(), Mask->getType()}, {Base, Mask});
  }
  case Instruction::Select:
    return B.CreateSelect(Operand(I.getOperand(0)), Operand(I.getOperand(1)), Operand(I.getOperand(2)));
  case Instruction::Freeze:
    return B.CreateFreeze(Operand(I.getOperand(0)));
  case Instruction::AddrSpaceCast: {
    Value *From = Operand(I.getOperand(0));
    return B.CreateAddrSpaceCast(From, From->getType()->getWithNewType(I.getType()));
  }
  case Instruction::ExtractValue:
    return B.CreateExtractValue(Operand(I.getOperand(0)), cast<ExtractValueInst>(I).getIndices());
  case Instruction::InsertValue:
    return B.CreateInsertValue(Operand(I.getOperand(0)), Operand(I.getOperand(1)),
                               cast<InsertValueInst>(I).getIndices());
  default:
    report_fatal_error("tapefree: internal error: no shadow in a batch is made by '" +
                       Twine(I.getOpcodeName()) + "'");
  }
}

/// Loads (`Stored` null) or stores the differential of a value of type `T`.
Value *LaneOps::access(IRBuilderBase &B, Type *T, Value *Stored, Value *Address, Align A, LaneLayout Content,
                       Tagger Tag) const {
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  auto Plain = [&](Type *Accessed, Value *V, Value *At) -> Value * {
    Instruction *I =
        V ? static_cast<Instruction *>(B.CreateAlignedStore(V, At, A)) : B.CreateAlignedLoad(Accessed, At, A);
    Tag(*I);
    return I;
  };
  if (!L.wide())
    return Plain(T, Stored, Address);
  if (isa<StructType, ArrayType>(T)) { // field by field: their lanes lie apart
    Value *All = Stored ? nullptr : PoisonValue::get(differentialType(T, Content, L.width()));
    for (unsigned I = 0, N = T->isStructTy() ? T->getStructNumElements() : unsigned(T->getArrayNumElements());
         I < N; ++I) {
      Type *FieldType = T->isStructTy() ? T->getStructElementType(I) : T->getArrayElementType();
      uint64_t Offset = T->isStructTy()
                            ? DL.getStructLayout(cast<StructType>(T))->getElementOffset(I).getFixedValue()
                            : I * DL.getTypeAllocSize(FieldType);
      Value *Part = access(B, FieldType, Stored ? B.CreateExtractValue(Stored, I) : nullptr,
                           field(B, Address, Offset), commonAlignment(A, Offset), Content, Tag);
      if (!Stored)
        All = B.CreateInsertValue(All, Part, I);
    }
    return All;
  }
  Type *All = differentialType(T, Content, L.width());
  if (Address->getType()->isVectorTy()) { // one lane at each address
    if (Stored && !Stored->getType()->isVectorTy())
      Stored = B.CreateVectorSplat(L.width(), Stored);
    Instruction *I = Stored ? B.CreateMaskedScatter(Stored, Address, A)
                            : B.CreateMaskedGather(FixedVectorType::get(T, L.width()), Address, A);
    Tag(*I);
    return I;
  }
  if (!All->isVectorTy() || DL.getTypeAllocSize(T) == DL.getTypeSizeInBits(T).getFixedValue() / 8)
    return Plain(All, Stored, Address);
  // x86_fp80 takes 16 bytes in memory, but 10 as an element of a vector.
  Value *Joined = PoisonValue::get(All);
  for (unsigned K = 0; K < L.width(); ++K) {
    Value *At = B.CreateConstInBoundsGEP1_64(T, Address, K);
    if (Stored)
      Plain(T, B.CreateExtractElement(Stored, K), At);
    else
      Joined = B.CreateInsertElement(Joined, Plain(T, nullptr, At), K);
  }
  return Joined;
}

Value *LaneOps::load(IRBuilderBase &B, Type *T, Value *Address, Align A, LaneLayout Content, Tagger Tag,
                     const Twine &Name) const {
  Value *V = access(B, T, nullptr, Address, A, Content, Tag);
  if (!V->hasName())
    V->setName(Name);
  return V;
}

void LaneOps::store(IRBuilderBase &B, Type *T, Value *V, Value *Address, Align A, Tagger Tag) const {
  LaneLayout Content = V->getType()->isVectorTy() && V->getType()->isPtrOrPtrVectorTy()
                           ? LaneLayout::Separate
                           : LaneLayout::Interleaved;
  access(B, T, V, Address, A, Content, Tag);
}

Value *LaneOps::extractElement(IRBuilderBase &B, Value *Vector, Value *Index) const {
  if (!L.wide())
    return B.CreateExtractElement(Vector, Index);
  int First = int(cast<ConstantInt>(Index)->getZExtValue() * L.width()); // Lanes::check refuses others
  SmallVector<int, 16> Mask(L.width());
  std::iota(Mask.begin(), Mask.end(), First);
  return B.CreateShuffleVector(Vector, Mask);
}

Value *LaneOps::insertElement(IRBuilderBase &B, Value *Vector, Value *Element, Value *Index) const {
  if (!L.wide())
    return B.CreateInsertElement(Vector, Element, Index);
  int Size = int(cast<FixedVectorType>(Vector->getType())->getNumElements()), N = int(L.width());
  int First = int(cast<ConstantInt>(Index)->getZExtValue()) * N;
  SmallVector<int, 32> Widen(unsigned(Size), -1), Mask;
  std::iota(Widen.begin(), Widen.begin() + N, 0);
  Value *Wide = B.CreateShuffleVector(Element, Widen);
  for (int K = 0; K < Size; ++K)
    Mask.push_back(K >= First && K < First + N ? Size + K - First : K);
  return B.CreateShuffleVector(Vector, Wide, Mask);
}

Value *LaneOps::spread(IRBuilderBase &B, Value *Block, Value *Bytes, LaneLayout Layout) const {
  if (!L.wide() || Layout == LaneLayout::Interleaved)
    return Block;
  SmallVector<Constant *, 16> Numbers;
  for (unsigned K = 0; K < L.width(); ++K)
    Numbers.push_back(B.getInt64(K));
  Value *Offsets = B.CreateMul(B.CreateVectorSplat(L.width(), Bytes), ConstantVector::get(Numbers));
  return B.CreateGEP(B.getInt8Ty(), Block, Offsets);
}

Value *LaneOps::first(IRBuilderBase &B, Value *Pointer) const {
  return Pointer->getType()->isVectorTy() ? B.CreateExtractElement(Pointer, uint64_t(0)) : Pointer;
}

} // namespace tapefree
