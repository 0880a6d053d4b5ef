// What does the use of an integer register say about the memory it was loaded from or is stored to?
//
//   %v = load i64, ptr %p            a double travels as an i64 (instcombine, byval coercion, memcpy
//   lowering): store i64 %v, ptr %q             the load says nothing, but %p and %q hold the same %h = lshr
//   i64 %w, 32             a {int, float} pair in one register: the upper bytes are ... %t = trunc i64 %h to
//   i32 %f = bitcast i32 %t to float     ... a float %n = add i64 %v, 1               only now %p holds an
//   integer
//
// A register is a memory class of its own whose bytes are linked to what they are copied from and to.
#include "Analysis/Types/Solver.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

static uint64_t bitsOf(const Type *T) { return T->getPrimitiveSizeInBits().getKnownMinValue(); }

static bool isRegisterType(const Type *T) {
  return T->isIntOrIntVectorTy() && !T->isScalableTy() && T->getScalarSizeInBits() % 8 == 0 &&
         bitsOf(T) % 8 == 0;
}

/// A constant, or the constant that a vector repeats.
static const APInt *constantOf(const Value *V) {
  auto *C = dyn_cast<Constant>(V);
  if (C && C->getType()->isVectorTy())
    C = C->getSplatValue();
  auto *CI = dyn_cast_or_null<ConstantInt>(C);
  return CI ? &CI->getValue() : nullptr;
}

static const APInt *maskOf(const Instruction &I) { return constantOf(I.getOperand(1)); }

static uint64_t eltBytes(const Value *V) { return V->getType()->getScalarSizeInBits() / 8; }

/// The constant shift by whole bytes, in bytes.
static std::optional<uint64_t> byteShift(const Instruction &I) {
  const APInt *C = I.isShift() ? maskOf(I) : nullptr;
  if (!C || C->uge(I.getType()->getScalarSizeInBits()) || C->getZExtValue() % 8)
    return std::nullopt;
  return C->getZExtValue() / 8;
}

/// One bit per byte of an element: the byte is surely zero.
static uint64_t zeroBytes(const Value *V, unsigned Depth = 0) {
  uint64_t N = eltBytes(V), All = N >= 64 ? ~0ull : (1ull << N) - 1;
  if (const APInt *C = constantOf(V)) {
    uint64_t R = 0;
    for (uint64_t I = 0; I < N && I < 64; ++I)
      if (C->extractBitsAsZExtValue(8, I * 8) == 0)
        R |= 1ull << I;
    return R;
  }
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > 4 || N > 64)
    return 0;
  switch (I->getOpcode()) {
  case Instruction::ZExt: {
    uint64_t From = divideCeil(I->getOperand(0)->getType()->getScalarSizeInBits(), 8);
    return From >= 64 ? 0 : All & ~((1ull << From) - 1);
  }
  case Instruction::Shl:
    if (auto K = byteShift(*I))
      return ((zeroBytes(I->getOperand(0), Depth + 1) << *K) | ((1ull << *K) - 1)) & All;
    return 0;
  case Instruction::LShr:
    if (auto K = byteShift(*I))
      return (zeroBytes(I->getOperand(0), Depth + 1) >> *K) | (All & ~(All >> *K));
    return 0;
  case Instruction::And:
    return zeroBytes(I->getOperand(0), Depth + 1) | zeroBytes(I->getOperand(1), Depth + 1);
  case Instruction::Or:
    return zeroBytes(I->getOperand(0), Depth + 1) & zeroBytes(I->getOperand(1), Depth + 1);
  default:
    return 0;
  }
}

static bool isByteMask(const APInt &M) {
  for (unsigned I = 0; I < M.getBitWidth(); I += 8) {
    uint64_t B = M.extractBitsAsZExtValue(8, I);
    if (B != 0 && B != 0xff)
      return false;
  }
  return true;
}

/// The mask of fabs, fneg and copysign on float bits: the sign bit of each 32 or 64 bits, or all others.
static bool isSignMask(const APInt &M) {
  for (unsigned W : {64u, 32u, 16u}) {
    if (M.getBitWidth() % W)
      continue;
    APInt S = APInt::getSplat(M.getBitWidth(), APInt::getSignMask(W));
    if (M == S || M == ~S)
      return true;
  }
  return false;
}

/// Whether the two sides of an `or` never both fill a byte, so that it glues and does not compute.
static bool gluesBytes(const Instruction &Or) {
  uint64_t N = eltBytes(&Or);
  if (N > 64)
    return false;
  uint64_t All = N >= 64 ? ~0ull : (1ull << N) - 1;
  return (zeroBytes(Or.getOperand(0)) | zeroBytes(Or.getOperand(1))) == All;
}

/// Whether I moves bytes of its integer operands without computing on them.
static bool carries(const Instruction &I, bool LittleEndian) {
  if (!isRegisterType(I.getType()))
    return false;
  switch (I.getOpcode()) {
  case Instruction::PHI:
  case Instruction::Select:
  case Instruction::Freeze:
  case Instruction::ShuffleVector:
    return true;
  case Instruction::BitCast:
    return isRegisterType(I.getOperand(0)->getType());
  case Instruction::ZExt:
  case Instruction::Trunc:
    return LittleEndian && isRegisterType(I.getOperand(0)->getType());
  case Instruction::Shl:
  case Instruction::LShr:
    return LittleEndian && byteShift(I);
  case Instruction::Or:
    if (const APInt *M = maskOf(I); M && isSignMask(*M))
      return true;
    return LittleEndian && gluesBytes(I);
  case Instruction::And:
    if (const APInt *M = maskOf(I))
      return isSignMask(*M) || (LittleEndian && isByteMask(*M));
    return false;
  case Instruction::Xor: {
    const APInt *M = maskOf(I);
    return M && isSignMask(*M) && M->isNegative();
  }
  case Instruction::ExtractElement:
    return isa<ConstantInt>(I.getOperand(1));
  case Instruction::InsertElement:
    return isa<ConstantInt>(I.getOperand(2));
  default:
    return false;
  }
}

/// The low bytes of each element of V that some user reads. Vectorised or coerced code computes on a packed
/// {int, float} as a whole and masks the sum: only the masked part is an integer then.
static uint64_t demandedBytes(const Value *V) {
  uint64_t Full = V->getType()->getScalarSizeInBits() / 8, R = 0;
  for (const User *U : V->users()) {
    auto *I = dyn_cast<Instruction>(U);
    if (!I)
      return Full;
    const APInt *M = I->getOpcode() == Instruction::And ? maskOf(*I) : nullptr;
    if (M)
      R = std::max<uint64_t>(R, divideCeil(M->getActiveBits(), 8));
    else if (isa<TruncInst>(I))
      R = std::max<uint64_t>(R, divideCeil(I->getType()->getScalarSizeInBits(), 8));
    else
      return Full;
  }
  return R == 0 ? Full : R;
}

/// Whether the low bytes of I's result depend on the low bytes of its operands only.
static bool isLowToLow(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul:
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
    return true;
  default:
    return false;
  }
}

std::optional<Place> Solver::reg(const Value *V) {
  if (!isRegisterType(V->getType()) || isa<Constant>(V))
    return std::nullopt;
  auto [It, New] = Registers.try_emplace(V, 0);
  if (New) {
    It->second = G.makeClass();
    RegisterOrder.push_back(V);
  }
  return G.root(Place{It->second, 0, 0, {}});
}

void Solver::linkLanes(const Value *A, uint64_t OffA, const Value *B, uint64_t OffB, uint64_t Len) {
  if (Len == eltBytes(A) && Len == eltBytes(B))
    return linkRegisters(A, 0, B, 0, bitsOf(A->getType()) / 8);
  for (uint64_t Lane = 0, N = bitsOf(A->getType()) / 8 / eltBytes(A); Lane != N; ++Lane)
    linkRegisters(A, OffA + Lane * eltBytes(A), B, OffB + Lane * eltBytes(B), Len);
}

void Solver::linkRegisters(const Value *A, uint64_t OffA, const Value *B, uint64_t OffB, uint64_t Len) {
  auto X = reg(A), Y = reg(B);
  if (!X || !Y || Len == 0)
    return;
  bool Whole = OffA == 0 && OffB == 0 && Len * 8 == bitsOf(A->getType()) && Len * 8 == bitsOf(B->getType());
  if (Whole)
    G.unifyAt(*X, *Y);
  else
    G.link(X->plus(static_cast<int64_t>(OffA)), Y->plus(static_cast<int64_t>(OffB)), Len);
}

void Solver::markInteger(const Value *V, const Instruction *Why, Level L) {
  if (auto R = reg(V)) {
    // By element, so that a part of the register that goes elsewhere takes its own facts along.
    uint64_t Size = V->getType()->getScalarSizeInBits() / 8, N = bitsOf(V->getType()) / 8, Low = Size;
    if (DL.isLittleEndian() && isLowToLow(*Why))
      Low = demandedBytes(Why);
    for (uint64_t Off = 0; Off < N; Off += Size)
      G.addFact(R->plus(static_cast<int64_t>(Off)), Low, ScalarKind::Integer, L, Why);
  }
}

void Solver::floatBits(const Value *Reg, Type *T, const Instruction *Why) {
  auto R = reg(Reg);
  ScalarKind K = scalarKind(T->getScalarType());
  if (!R || !isFloatKind(K))
    return;
  uint64_t Size = T->getScalarSizeInBits() / 8, N = bitsOf(T) / 8;
  for (uint64_t Off = 0; Off + Size <= N; Off += Size)
    G.addFact(R->plus(static_cast<int64_t>(Off)), Size, K, Level::Access, Why);
}

void Solver::linkOr(const Instruction &Or) {
  uint64_t N = eltBytes(&Or);
  for (unsigned Op : {0u, 1u}) {
    uint64_t Zero = zeroBytes(Or.getOperand(Op));
    for (uint64_t I = 0; I < N;) {
      uint64_t E = I;
      while (E < N && !(Zero >> E & 1))
        ++E;
      linkLanes(&Or, I, Or.getOperand(Op), I, E - I);
      I = E + 1;
    }
  }
}

void Solver::visitRegister(const Value *V) {
  Place P = *reg(V);
  registerDef(V, P);
  for (const Use &U : V->uses())
    registerUse(V, P, U);
}

void Solver::registerDef(const Value *V, const Place &P) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return; // an argument may carry anything
  uint64_t Size = bitsOf(I->getType()) / 8;
  if (carries(*I, DL.isLittleEndian())) {
    uint64_t Elt = I->getType()->getScalarSizeInBits() / 8;
    const Value *Op = I->getOperand(0);
    switch (I->getOpcode()) {
    case Instruction::PHI:
      for (const Value *In : cast<PHINode>(I)->incoming_values())
        linkRegisters(I, 0, In, 0, Size);
      return;
    case Instruction::Select:
      linkRegisters(I, 0, I->getOperand(1), 0, Size);
      return linkRegisters(I, 0, I->getOperand(2), 0, Size);
    case Instruction::ZExt:
      return linkLanes(I, 0, Op, 0, eltBytes(Op));
    case Instruction::Shl:
      return linkLanes(I, *byteShift(*I), Op, 0, Elt - *byteShift(*I));
    case Instruction::LShr:
      return linkLanes(I, 0, Op, *byteShift(*I), Elt - *byteShift(*I));
    case Instruction::Or:
      if (const APInt *M = maskOf(*I); !M || !isSignMask(*M))
        return linkOr(*I);
      break;
    case Instruction::And:
      if (const APInt *M = maskOf(*I); !isSignMask(*M)) {
        for (uint64_t B = 0; B < Elt; ++B) {
          uint64_t E = B;
          while (E < Elt && (*M)[E * 8])
            ++E;
          linkLanes(I, B, Op, B, E - B);
          B = E;
        }
        return;
      }
      break;
    case Instruction::Trunc:
      return linkLanes(I, 0, Op, 0, Elt);
    case Instruction::ExtractElement:
      return linkRegisters(I, 0, Op, cast<ConstantInt>(I->getOperand(1))->getZExtValue() * Elt, Elt);
    case Instruction::InsertElement: {
      uint64_t At = cast<ConstantInt>(I->getOperand(2))->getZExtValue() * Elt;
      if (At >= Size)
        return;
      linkRegisters(I, 0, Op, 0, At);
      linkRegisters(I, At + Elt, Op, At + Elt, Size - At - Elt);
      return linkRegisters(I, At, I->getOperand(1), 0, Elt);
    }
    case Instruction::ShuffleVector: {
      ArrayRef<int> Mask = cast<ShuffleVectorInst>(I)->getShuffleMask();
      int N = static_cast<int>(bitsOf(Op->getType()) / 8 / Elt);
      for (size_t J = 0; J != Mask.size(); ++J)
        if (Mask[J] >= 0)
          linkRegisters(I, J * Elt, I->getOperand(Mask[J] >= N), (Mask[J] % N) * Elt, Elt);
      return;
    }
    default:
      break;
    }
    // Freeze, bitcast, and the masks that keep a float a float.
    return linkRegisters(I, 0, Op, 0, Size);
  }
  switch (I->getOpcode()) {
  case Instruction::Load:
  case Instruction::Invoke:
  case Instruction::CallBr:
  case Instruction::AtomicRMW:
  case Instruction::VAArg:
  case Instruction::ExtractElement:
    return; // as they are, or linked where the memory is visited
  case Instruction::Call:
    if (isa<IntrinsicInst>(I) && cast<IntrinsicInst>(I)->getIntrinsicID() != Intrinsic::masked_load)
      markInteger(I, I);
    return;
  case Instruction::BitCast:
    return floatBits(I, I->getOperand(0)->getType(), I);
  case Instruction::PtrToInt:
    if (auto To = place(I->getOperand(0)); To && Size == DL.getPointerSize())
      G.storePointer(P, Size, *To, I);
    return;
  case Instruction::ExtractValue: {
    auto &X = cast<ExtractValueInst>(*I);
    auto *L = dyn_cast<LoadInst>(X.getAggregateOperand());
    if (isa<IntrinsicInst>(X.getAggregateOperand()))
      return markInteger(I, I);
    auto From = L ? place(L->getPointerOperand()) : std::nullopt;
    if (!From)
      return;
    SmallVector<Value *, 4> Index{ConstantInt::get(Type::getInt32Ty(I->getContext()), 0)};
    for (unsigned N : X.indices())
      Index.push_back(ConstantInt::get(Type::getInt32Ty(I->getContext()), N));
    return G.link(From->plus(DL.getIndexedOffsetInType(L->getType(), Index)), P, Size);
  }
  default:
    return markInteger(I, I);
  }
}

void Solver::registerUse(const Value *V, const Place &P, const Use &U) {
  auto *I = dyn_cast<Instruction>(U.getUser());
  if (!I)
    return;
  if (carries(*I, DL.isLittleEndian()) && !(isa<SelectInst>(I) && U.getOperandNo() == 0)) {
    (void)reg(I); // its definition makes the link
    return;
  }
  switch (I->getOpcode()) {
  case Instruction::Store:
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
  case Instruction::IntToPtr:
  case Instruction::InsertValue:
  case Instruction::Ret:
  case Instruction::Freeze:
    return; // a copy, linked where the memory is visited
  case Instruction::BitCast:
    return floatBits(V, I->getType(), I);
  case Instruction::AShr:
    // The sign extension of the upper part of a packed pair.
    if (auto K = byteShift(*I); K && U.getOperandNo() == 0 && DL.isLittleEndian()) {
      for (uint64_t Lane = 0; Lane < bitsOf(V->getType()) / 8; Lane += eltBytes(V))
        G.addFact(P.plus(static_cast<int64_t>(Lane + *K)), eltBytes(V) - *K, ScalarKind::Integer,
                  Level::Access, I);
      return;
    }
    return markInteger(V, I);
  case Instruction::ICmp: {
    // Sign tests of float bits look like this; so do those of integers.
    auto *C = dyn_cast<Constant>(I->getOperand(1));
    bool Sign = C && cast<ICmpInst>(I)->isSigned() && (C->isNullValue() || C->isAllOnesValue());
    return markInteger(V, I, Sign ? Level::Hint : Level::Access);
  }
  case Instruction::Call:
  case Instruction::Invoke:
  case Instruction::CallBr: {
    auto &C = cast<CallBase>(*I);
    if (auto *II = dyn_cast<IntrinsicInst>(I)) {
      bool Copy = II->getIntrinsicID() == Intrinsic::masked_store || II->isAssumeLikeIntrinsic();
      return Copy ? void() : markInteger(V, I);
    }
    // A library function takes integers; a visible one may take a coerced struct.
    const Function *Callee = C.getCalledFunction();
    if (Callee && Callee->isDeclaration())
      markInteger(V, I, Level::Hint);
    return;
  }
  default:
    return markInteger(V, I);
  }
}

} // namespace tapefree
