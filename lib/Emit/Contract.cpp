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

/// The operand of a sum that is a product to be contracted with it.
static std::optional<unsigned> productToContract(const Instruction &Sum) {
  if ((Sum.getOpcode() != Instruction::FAdd && Sum.getOpcode() != Instruction::FSub) || !mayContract(&Sum))
    return std::nullopt;
  Product Left(Sum.getOperand(0)), Right(Sum.getOperand(1));
  if (Right.I && (!Left.I || isLater(*Right.I, *Left.I, Sum)))
    return 1;
  return Left.I ? std::optional(0U) : std::nullopt;
}

static Value *contracted(Instruction &Sum, unsigned Operand) {
  Product P(Sum.getOperand(Operand));
  Value *Other = Sum.getOperand(1 - Operand), *Factor = P.A;
  IRBuilder<> B(&Sum);
  B.setFastMathFlags(Sum.getFastMathFlags());
  if (Sum.getOpcode() == Instruction::FSub) {
    Value *&Subtracted = Operand == 1 ? Factor : Other;
    Subtracted = B.CreateFNeg(Subtracted);
  }
  return B.CreateIntrinsic(Intrinsic::fmuladd, {Sum.getType()}, {Factor, P.B, Other});
}

void contractProducts(Function &F) {
  SmallVector<std::pair<Instruction *, unsigned>, 16>
      Sums; // all first: a change costs the order of its block
  for (Instruction &I : instructions(F))
    if (std::optional<unsigned> Operand = productToContract(I))
      Sums.push_back({&I, *Operand});
  SmallVector<WeakTrackingVH, 16> Products;
  for (auto [Sum, Operand] : Sums) {
    Products.push_back(Sum->getOperand(Operand));
    Sum->replaceAllUsesWith(contracted(*Sum, Operand));
    Sum->eraseFromParent();
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Products);
  // The permission was for this place alone.
  for (Instruction &I : instructions(F))
    if (mayContract(&I))
      I.setHasAllowContract(false);
}

} // namespace tapefree
