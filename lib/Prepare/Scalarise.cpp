// Vector instructions to scalar ones. A batch has vectors of its own, one element for each lane.
#include "Prepare/Prepare.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/Scalarizer.h"

using namespace llvm;

namespace tapefree {

/// Sums of elements, in the order in which the instruction adds them where it promises one.
static void expandSum(IntrinsicInst &Sum) {
  IRBuilder<> B(&Sum);
  B.setFastMathFlags(Sum.getFastMathFlags());
  Value *Total = Sum.getArgOperand(0), *Elements = Sum.getArgOperand(1);
  for (unsigned K = 0, N = cast<FixedVectorType>(Elements->getType())->getNumElements(); K < N; ++K)
    Total = B.CreateFAdd(Total, B.CreateExtractElement(Elements, K));
  Sum.replaceAllUsesWith(Total);
  Sum.eraseFromParent();
}

/// An access through a constant mask or a vector of addresses, element by element.
static void expandMasked(IntrinsicInst &I) {
  bool Load = I.getIntrinsicID() == Intrinsic::masked_load,
       Gather = I.getIntrinsicID() == Intrinsic::masked_gather;
  bool Store = I.getIntrinsicID() == Intrinsic::masked_store,
       Scatter = I.getIntrinsicID() == Intrinsic::masked_scatter;
  if (!Load && !Gather && !Store && !Scatter)
    return;
  bool Reads = Load || Gather;
  auto *Mask = dyn_cast<Constant>(I.getArgOperand(Reads ? 1 : 2));
  if (!Mask)
    return;
  Value *Stored = Reads ? nullptr : I.getArgOperand(0), *Address = I.getArgOperand(Reads ? 0 : 1);
  auto *T = cast<FixedVectorType>(Reads ? I.getType() : Stored->getType());
  Align A = I.getParamAlign(Reads ? 0 : 1).valueOrOne();
  Type *Element = T->getElementType();
  if (Load || Store)
    A = commonAlignment(A, I.getDataLayout().getTypeAllocSize(Element).getFixedValue());
  IRBuilder<> B(&I);
  Value *Result = Reads ? I.getArgOperand(2) : nullptr;
  for (unsigned K = 0; K < T->getNumElements(); ++K) {
    auto *On = dyn_cast_or_null<ConstantInt>(Mask->getAggregateElement(K));
    if (!On)
      return;
    if (On->isZero())
      continue;
    Value *At = Load || Store ? B.CreateConstInBoundsGEP1_64(Element, Address, K)
                              : B.CreateExtractElement(Address, K);
    Instruction *Access = Reads ? static_cast<Instruction *>(B.CreateAlignedLoad(Element, At, A))
                                : B.CreateAlignedStore(B.CreateExtractElement(Stored, K), At, A);
    Access->setAAMetadata(I.getAAMetadata());
    if (Reads)
      Result = B.CreateInsertElement(Result, Access, K);
  }
  if (Reads)
    I.replaceAllUsesWith(Result);
  I.eraseFromParent();
}

void expandMaskedAccesses(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<IntrinsicInst>(&I))
      expandMasked(*Call);
}

void scalariseVectors(Function &F, FunctionAnalysisManager &FAM) {
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Call = dyn_cast<IntrinsicInst>(&I);
        Call && Call->getIntrinsicID() == Intrinsic::vector_reduce_fadd)
      expandSum(*Call);
  expandMaskedAccesses(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  ScalarizerPassOptions Options;
  Options.ScalarizeVariableInsertExtract = true;
  Options.ScalarizeLoadStore = true;
  ScalarizerPass(Options).run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
}

} // namespace tapefree
