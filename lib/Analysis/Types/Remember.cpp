#include "Analysis/Types/Remember.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace tapefree {

static constexpr StringLiteral Mark = "tapefree.types"; // {period, then offset, size and kind of each field}

void rememberTypes(Function &F) {
  SmallVector<AnyMemIntrinsic *, 8> Moves;
  for (Instruction &I : instructions(F))
    if (auto *Move = dyn_cast<AnyMemIntrinsic>(&I))
      Moves.push_back(Move);
  if (Moves.empty())
    return;
  MemoryTypes Types(F, F.getDataLayout());
  Type *I64 = Type::getInt64Ty(F.getContext());
  for (AnyMemIntrinsic *Move : Moves) {
    AccessPattern P = Types.pattern(*Move);
    if (P.Open || P.hasConflict() || P.Fields.empty())
      continue;
    SmallVector<Metadata *, 16> Words;
    auto Add = [&](uint64_t N) { Words.push_back(ConstantAsMetadata::get(ConstantInt::get(I64, N))); };
    Add(P.Period);
    for (const TypeField &Field : P.Fields) {
      Add(Field.Offset);
      Add(Field.Size);
      Add(static_cast<uint64_t>(Field.Kind));
    }
    Move->setMetadata(Mark, MDNode::get(F.getContext(), Words));
  }
}

AccessPattern rememberedTypes(const Instruction &I) {
  AccessPattern P;
  const MDNode *N = I.hasMetadataOtherThanDebugLoc() ? I.getMetadata(Mark) : nullptr;
  if (!N)
    return P;
  auto Word = [&](unsigned K) { return mdconst::extract<ConstantInt>(N->getOperand(K))->getZExtValue(); };
  P.Period = Word(0);
  for (unsigned K = 1; K + 2 < N->getNumOperands(); K += 3)
    P.Fields.push_back({Word(K), Word(K + 1), static_cast<ScalarKind>(Word(K + 2))});
  return P;
}

} // namespace tapefree
