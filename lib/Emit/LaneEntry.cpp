#include "Emit/LaneEntry.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

/// A vector in memory: an array, whose elements are as far apart as C wants them.
static Type *inMemory(Type *T) {
  auto *V = dyn_cast<FixedVectorType>(T);
  return V ? ArrayType::get(V->getElementType(), V->getNumElements()) : T;
}

StructType *laneResults(const Function &Inner) {
  auto *T = dyn_cast<StructType>(Inner.getReturnType());
  if (!T)
    return nullptr;
  SmallVector<Type *, 4> Fields;
  for (Type *Field : T->elements())
    Fields.push_back(inMemory(Field));
  return StructType::get(Inner.getContext(), Fields);
}

/// Loads (`Stored` null) or stores a vector as an array.
static Value *moveLanes(IRBuilder<> &B, Type *T, Value *Stored, Value *Address) {
  auto *V = dyn_cast<FixedVectorType>(T);
  const DataLayout &DL = B.GetInsertBlock()->getDataLayout();
  Type *Element = T->getScalarType();
  Align A = DL.getABITypeAlign(Element);
  if (!V || DL.getTypeAllocSizeInBits(Element) == DL.getTypeSizeInBits(Element))
    return Stored ? static_cast<Value *>(B.CreateAlignedStore(Stored, Address, A))
                  : B.CreateAlignedLoad(T, Address, A);
  Value *All = PoisonValue::get(T);
  for (unsigned K = 0; K < V->getNumElements(); ++K) {
    Value *At = B.CreateConstInBoundsGEP1_64(Element, Address, K);
    if (Stored)
      B.CreateAlignedStore(B.CreateExtractElement(Stored, K), At, A);
    else
      All = B.CreateInsertElement(All, B.CreateAlignedLoad(Element, At, A), K);
  }
  return All;
}

void copyTarget(Function &To, const Function &From) {
  for (StringRef Name :
       {"target-cpu", "target-features", "tune-cpu", "min-legal-vector-width", "prefer-vector-width"})
    if (Attribute A = From.getFnAttribute(Name); A.isValid())
      To.addFnAttr(A);
}

Function *emitLaneEntry(Function &Inner) {
  LLVMContext &C = Inner.getContext();
  SmallVector<Type *, 16> Params;
  for (Type *T : Inner.getFunctionType()->params())
    Params.push_back(T->isVectorTy() ? PointerType::getUnqual(C) : T);
  StructType *Results = laneResults(Inner);
  if (Results)
    Params.push_back(PointerType::getUnqual(C));
  Function *F = Function::Create(FunctionType::get(Type::getVoidTy(C), Params, false),
                                 GlobalValue::InternalLinkage, Inner.getName() + ".lanes", Inner.getParent());
  copyTarget(*F, Inner);
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  SmallVector<Value *, 16> Args;
  for (Argument &A : Inner.args()) {
    Argument *Mine = F->getArg(A.getArgNo());
    Mine->setName(A.getName());
    Args.push_back(A.getType()->isVectorTy() ? moveLanes(B, A.getType(), nullptr, Mine) : Mine);
  }
  Value *Result = B.CreateCall(&Inner, Args);
  if (Results)
    for (unsigned I = 0; I < Results->getNumElements(); ++I) {
      Value *Field = B.CreateExtractValue(Result, I);
      moveLanes(B, Field->getType(), Field, B.CreateStructGEP(Results, F->getArg(F->arg_size() - 1), I));
    }
  B.CreateRetVoid();
  return F;
}

} // namespace tapefree
