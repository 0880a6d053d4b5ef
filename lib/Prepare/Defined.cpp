// Lanes of a vector that nobody reads are poison: instcombine writes them so (shuffles that lead to one
// element), and intrinsics leave them so. In reverse they are read: the adjoint of such a lane is zero, times
// poison is poison, and that may be any number in lanes that count. So each number gets a value here; any
// will do.
#include "Prepare/Prepare.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace tapefree {

/// The constant with 1 in place of what is undefined in it: of 1, all functions and quotients are finite.
static Constant *defined(Constant *C) {
  Type *T = C->getType();
  if (!T->isFPOrFPVectorTy())
    return C;
  if (isa<UndefValue>(C))
    return ConstantFP::get(T, 1);
  auto *Vector = dyn_cast<ConstantVector>(C);
  if (!Vector)
    return C;
  SmallVector<Constant *, 16> Lanes;
  for (const Use &U : Vector->operands())
    Lanes.push_back(defined(cast<Constant>(U.get())));
  return ConstantVector::get(Lanes);
}

void defineNumbers(Function &F) {
  for (Instruction &I : instructions(F)) {
    if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I); Shuffle && Shuffle->getType()->isFPOrFPVectorTy()) {
      auto *From = dyn_cast<FixedVectorType>(Shuffle->getOperand(0)->getType());
      if (!From)
        continue;
      SmallVector<int, 16> Mask(Shuffle->getShuffleMask());
      bool Second = !isa<UndefValue>(Shuffle->getOperand(1));
      for (int &M : Mask)
        if (M < 0 || (!Second && M >= int(From->getNumElements())))
          M = 0;
      Shuffle->setShuffleMask(Mask);
      if (auto *C = dyn_cast<Constant>(Shuffle->getOperand(0)))
        Shuffle->setOperand(0, defined(C));
      if (auto *C = dyn_cast<Constant>(Shuffle->getOperand(1)); C && Second)
        Shuffle->setOperand(1, defined(C));
      continue;
    }
    if (isa<InsertElementInst, PHINode, SelectInst, UnaryOperator, BinaryOperator, FPTruncInst, FPExtInst>(I))
      for (Use &U : I.operands())
        if (auto *C = dyn_cast<Constant>(U.get()))
          if (Constant *New = defined(C); New != C)
            U.set(New);
  }
}

} // namespace tapefree
