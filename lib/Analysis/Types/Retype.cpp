#include "Analysis/Types/Retype.h"
#include "Analysis/Types/MemoryTypes.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

namespace {
/// A part of an integer that has a type of its own in memory.
struct Piece {
  uint64_t Offset, Size; // bytes
  Type *T;
};
} // namespace

/// The pieces of an integer access of `Bytes` bytes; empty when nothing has to be rewritten or something is unclear.
static SmallVector<Piece, 4> piecesOf(const AccessPattern &P, uint64_t Bytes, LLVMContext &C) {
  SmallVector<Piece, 4> Pieces;
  if (!P.Period || P.hasConflict() || P.Open || Bytes % P.Period)
    return Pieces;
  bool Typed = false;
  uint64_t At = 0;
  for (uint64_t Start = 0; Start < Bytes; Start += P.Period)
    for (const TypeField &F : P.Fields) {
      if (Start + F.Offset > At) // padding, or bytes that nobody reads
        Pieces.push_back({At, Start + F.Offset - At, Type::getIntNTy(C, unsigned(8 * (Start + F.Offset - At)))});
      At = Start + F.Offset + F.Size;
      if (At > Bytes)
        return {};
      Type *T = Type::getIntNTy(C, unsigned(8 * F.Size));
      if (isFloatKind(F.Kind) && floatType(F.Kind, C)->getPrimitiveSizeInBits() == 8 * F.Size) {
        T = floatType(F.Kind, C);
        Typed = true;
      } else if (F.Kind == ScalarKind::Pointer && F.Size == 8) {
        T = PointerType::getUnqual(C);
        Typed = true;
      } else if (F.Kind != ScalarKind::Integer && F.Kind != ScalarKind::Unknown) {
        return {};
      }
      Pieces.push_back({Start + F.Offset, F.Size, T});
    }
  if (At < Bytes)
    Pieces.push_back({At, Bytes - At, Type::getIntNTy(C, unsigned(8 * (Bytes - At)))});
  return Typed ? Pieces : SmallVector<Piece, 4>();
}

static void retypeLoad(LoadInst &Load, ArrayRef<Piece> Pieces) {
  IRBuilder<> B(&Load);
  Type *Whole = Load.getType();
  Value *All = nullptr;
  for (const Piece &P : Pieces) {
    Value *Address = P.Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Load.getPointerOperand(), P.Offset)
                              : Load.getPointerOperand();
    Value *V = B.CreateAlignedLoad(P.T, Address, commonAlignment(Load.getAlign(), P.Offset), Load.getName());
    if (P.T->isPointerTy())
      V = B.CreatePtrToInt(V, B.getIntNTy(unsigned(8 * P.Size)));
    else if (!P.T->isIntegerTy())
      V = B.CreateBitCast(V, B.getIntNTy(unsigned(8 * P.Size)));
    V = B.CreateZExt(V, Whole);
    if (P.Offset)
      V = B.CreateShl(V, 8 * P.Offset);
    All = All ? B.CreateOr(All, V) : V;
  }
  Load.replaceAllUsesWith(All);
  Load.eraseFromParent();
}

static void retypeStore(StoreInst &Store, ArrayRef<Piece> Pieces) {
  IRBuilder<> B(&Store);
  for (const Piece &P : Pieces) {
    Value *Address = P.Offset ? B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Store.getPointerOperand(), P.Offset)
                              : Store.getPointerOperand();
    Type *Bits = B.getIntNTy(unsigned(8 * P.Size));
    Value *V = P.Offset ? B.CreateLShr(Store.getValueOperand(), 8 * P.Offset) : Store.getValueOperand();
    V = B.CreateTrunc(V, Bits);
    if (P.T->isPointerTy())
      V = B.CreateIntToPtr(V, P.T);
    else if (!P.T->isIntegerTy())
      V = B.CreateBitCast(V, P.T);
    B.CreateAlignedStore(V, Address, commonAlignment(Store.getAlign(), P.Offset));
  }
  Store.eraseFromParent();
}

bool retypeCopies(Function &F) {
  const DataLayout &DL = F.getDataLayout();
  SmallVector<std::pair<Instruction *, SmallVector<Piece, 4>>, 8> Work;
  {
    std::optional<MemoryTypes> Types; // solved only when there is an integer access at all
    for (Instruction &I : instructions(F)) {
      Type *T = isa<LoadInst>(I) ? I.getType() : isa<StoreInst>(I) ? I.getOperand(0)->getType() : nullptr;
      if (!T || !T->isIntegerTy() || T->getIntegerBitWidth() % 8 || T->getIntegerBitWidth() < 16 || I.isAtomic() ||
          I.isVolatile())
        continue;
      if (!Types)
        Types.emplace(F, DL);
      AccessPattern P = Types->pattern(I);
      if (SmallVector<Piece, 4> Pieces = piecesOf(P, T->getIntegerBitWidth() / 8, F.getContext()); !Pieces.empty())
        Work.push_back({&I, Pieces});
    }
  }
  for (auto &[I, Pieces] : Work) {
    if (auto *Load = dyn_cast<LoadInst>(I))
      retypeLoad(*Load, Pieces);
    else
      retypeStore(cast<StoreInst>(*I), Pieces);
  }
  return !Work.empty();
}

} // namespace tapefree
