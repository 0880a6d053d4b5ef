// Of which arithmetic form is an index: Factor * anything + Offset?
#include "Analysis/Types/IndexForm.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"
#include <numeric>

using namespace llvm;

namespace tapefree {

static constexpr unsigned MaxDepth = 5;
static constexpr uint64_t MaxFactor = 1u << 20;

static uint64_t magnitude(int64_t X) { return X < 0 ? -static_cast<uint64_t>(X) : X; }

/// A counter: the start's form, moved by multiples of its constant steps.
static IndexForm phiForm(const PHINode &Phi, unsigned Depth) {
  IndexForm R{0, 0};
  bool Started = false;
  uint64_t Steps = 0;
  for (const Value *In : Phi.incoming_values()) {
    if (In == &Phi)
      continue;
    if (auto *Add = dyn_cast<BinaryOperator>(In);
        Add && Add->getOpcode() == Instruction::Add && Add->getOperand(0) == &Phi) {
      auto *C = dyn_cast<ConstantInt>(Add->getOperand(1));
      if (!C || C->getBitWidth() > 64)
        return {1, 0};
      Steps = std::gcd(Steps, magnitude(C->getSExtValue()));
      continue;
    }
    if (Started)
      return {1, 0};
    Started = true;
    R = indexForm(In, Depth + 1);
  }
  R.Factor = std::gcd(R.Factor, Steps);
  return R;
}

/// The element size that an exact division of the difference D tells.
static uint64_t dividedBy(const Value *D) {
  for (const User *U : D->users()) {
    auto *I = dyn_cast<PossiblyExactOperator>(U);
    auto *C = I && I->isExact() && I->getOperand(0) == D ? dyn_cast<ConstantInt>(I->getOperand(1)) : nullptr;
    if (!C || C->getBitWidth() > 64)
      continue;
    if (I->getOpcode() == Instruction::SDiv || I->getOpcode() == Instruction::UDiv)
      return magnitude(C->getSExtValue());
    if (C->getZExtValue() < 20)
      return 1ull << C->getZExtValue();
  }
  return 0;
}

/// A pointer difference in bytes is a multiple of the element's size. std::vector divides by that size in one
/// place and uses the bytes in another: any difference from the same two pointers may tell.
static uint64_t differenceFactor(const Instruction &Sub) {
  if (uint64_t F = dividedBy(&Sub))
    return F;
  for (const Value *End : Sub.operands()) {
    auto *Cast = dyn_cast<PtrToIntInst>(End);
    if (!Cast)
      return 1;
  }
  for (const Value *End : Sub.operands()) {
    unsigned Left = 32;
    for (const User *U : End->users()) {
      if (Left-- == 0)
        break;
      auto *I = dyn_cast<BinaryOperator>(U);
      if (I && I->getOpcode() == Instruction::Sub)
        if (uint64_t F = dividedBy(I))
          return F;
    }
  }
  return 1;
}

IndexForm indexForm(const Value *V, unsigned Depth) {
  const IndexForm Any{1, 0};
  if (auto *C = dyn_cast<ConstantInt>(V))
    return C->getBitWidth() <= 64 ? IndexForm{0, C->getSExtValue()} : Any;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > MaxDepth)
    return Any;
  auto *C = I->getNumOperands() == 2 ? dyn_cast<ConstantInt>(I->getOperand(1)) : nullptr;
  if (C && C->getBitWidth() > 64)
    return Any;
  IndexForm R = Any;
  switch (I->getOpcode()) {
  case Instruction::SExt:
  case Instruction::ZExt:
  case Instruction::Trunc:
  case Instruction::Freeze:
    R = indexForm(I->getOperand(0), Depth + 1);
    break;
  case Instruction::PHI:
    R = phiForm(*cast<PHINode>(I), Depth);
    break;
  case Instruction::Or:
    if (!C || !cast<PossiblyDisjointInst>(I)->isDisjoint())
      break;
    [[fallthrough]];
  case Instruction::Add:
  case Instruction::Sub: {
    IndexForm A = indexForm(I->getOperand(0), Depth + 1), B = indexForm(I->getOperand(1), Depth + 1);
    R.Factor = std::gcd(A.Factor, B.Factor);
    if (I->getOpcode() == Instruction::Sub && R.Factor == 1 && !C)
      R.Factor = differenceFactor(*I);
    R.Offset = I->getOpcode() == Instruction::Sub ? A.Offset - B.Offset : A.Offset + B.Offset;
    break;
  }
  case Instruction::Mul:
  case Instruction::Shl: {
    if (!C || (I->getOpcode() == Instruction::Shl && C->getZExtValue() > 20))
      break;
    int64_t By = I->getOpcode() == Instruction::Shl ? int64_t(1) << C->getZExtValue() : C->getSExtValue();
    R = indexForm(I->getOperand(0), Depth + 1);
    if (magnitude(By) > MaxFactor || R.Factor > MaxFactor || magnitude(R.Offset) > MaxFactor)
      return Any;
    R.Factor *= magnitude(By);
    R.Offset *= By;
    break;
  }
  default:
    break;
  }
  // Offsets matter within an element row only; huge ones are arithmetic tricks.
  if (magnitude(R.Offset) > MaxFactor)
    return R.Factor ? IndexForm{std::gcd(R.Factor, magnitude(R.Offset)), 0} : Any;
  return R;
}

} // namespace tapefree
