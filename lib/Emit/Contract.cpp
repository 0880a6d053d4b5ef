#include "Emit/Contract.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tapefree {

static bool mayContract(const Value *V) {
  auto *Op = dyn_cast<FPMathOperator>(V);
  return Op && Op->hasAllowContract();
}

bool contractsProducts(const Function &F) {
  auto IsMultiplyAdd = [](const Instruction &I) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    return Call && Call->getIntrinsicID() == Intrinsic::fmuladd;
  };
  return any_of(instructions(F), IsMultiplyAdd) &&
         none_of(instructions(F), [](const Instruction &I) { return mayContract(&I); });
}

namespace {
/// One operand of a sum, if it is a product that may be contracted.
struct Product {
  Instruction *I = nullptr;
  Value *A = nullptr, *B = nullptr;
  explicit Product(Value *V) {
    if (match(V, m_FMul(m_Value(A), m_Value(B))) && isa<Instruction>(V) && mayContract(V))
      I = cast<Instruction>(V);
  }
};
} // namespace

/// Of two products the one that was computed last is contracted, whatever the order of the operands.
static bool isLater(const Instruction &X, const Instruction &Y, const Instruction &Sum) {
  if (X.getParent() == Y.getParent())
    return Y.comesBefore(&X);
  return X.getParent() == Sum.getParent();
}

static Value *contracted(Instruction &Sum) {
  bool Minus = Sum.getOpcode() == Instruction::FSub;
  Product Left(Sum.getOperand(0)), Right(Sum.getOperand(1));
  if (!Left.I && !Right.I)
    return nullptr;
  bool TakeRight = Right.I && (!Left.I || isLater(*Right.I, *Left.I, Sum));
  const Product &P = TakeRight ? Right : Left;
  Value *Other = Sum.getOperand(TakeRight ? 0 : 1), *Factor = P.A;
  IRBuilder<> B(&Sum);
  B.setFastMathFlags(Sum.getFastMathFlags());
  if (Minus) {
    Value *&Negative = TakeRight ? Factor : Other;
    Negative = B.CreateFNeg(Negative);
  }
  return B.CreateIntrinsic(Intrinsic::fmuladd, {Sum.getType()}, {Factor, P.B, Other});
}

void contractProducts(Function &F) {
  SmallVector<WeakTrackingVH, 16> Products;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if ((I.getOpcode() != Instruction::FAdd && I.getOpcode() != Instruction::FSub) || !mayContract(&I))
      continue;
    if (Value *V = contracted(I)) {
      Products.append(I.op_begin(), I.op_end());
      I.replaceAllUsesWith(V);
      I.eraseFromParent();
    }
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Products);
  // The permission was for this place alone.
  for (Instruction &I : instructions(F))
    if (mayContract(&I))
      I.setHasAllowContract(false);
}

} // namespace tapefree
