#include "Analysis/Memory/DistanceBounds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace llvm;

namespace tapefree {

/// A loop needs years to walk around a 64-bit address space in steps of this size, whatever the flags say.
static constexpr int64_t MaxUnflaggedStep = 4096;
/// Least values beyond this are no knowledge, and small enough not to overflow int64_t.
static constexpr int64_t MaxRange = int64_t(1) << 40;
static constexpr unsigned MaxExpressionSize = 64;

DistanceBounds::DistanceBounds(ScalarEvolution &SE, const LoopInfo &LI, const DominatorTree &DT,
                               const Access &Read, const Access &Write, const Pairing &P, Type *IndexTy)
    : SE(SE), LI(LI), DT(DT), Read(Read), Write(Write), P(P), IndexTy(IndexTy) {
  collectTripCounts();
}

const SCEV *DistanceBounds::constant(int64_t V) { return SE.getConstant(IndexTy, V, /*isSigned=*/true); }
const SCEV *DistanceBounds::extend(const SCEV *S) { return SE.getNoopOrZeroExtend(S, IndexTy); }

bool DistanceBounds::fixed(const SCEV *S) const {
  return !SCEVExprContains(S, [&](const SCEV *Sub) {
    if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(Sub))
      return !P.Same || !Rec->getLoop()->contains(P.Same);
    const auto *U = dyn_cast<SCEVUnknown>(Sub);
    return U && !isFixed(U->getValue(), P, LI);
  });
}

/// A loop around an access runs at least once, and 2^63 times would take too long, so the count is positive.
void DistanceBounds::collectTripCounts() {
  for (const Access *A : {&Read, &Write})
    for (const Loop *L = LI.getLoopFor(A->BB); L; L = L->getParentLoop()) {
      const SCEV *Last = L->getExitingBlock() ? lastIteration(L, A->BB) : nullptr;
      if (!Last)
        continue;
      const SCEV *Count = SE.getAddExpr(Last, constant(1));
      TripCounts.insert(Count);
      if (fixed(Count))
        Positive.insert(Count);
    }
}

/// A stride that does not wrap around the address space for want of time: a small constant, or a multiple of
/// the number of times (or almost) that a loop around one of the accesses runs to its end, as the row length
/// of a matrix. (Rows skipped by a branch might add up to more; but a C program may not have such an array.)
bool DistanceBounds::isTame(const SCEV *S) {
  if (const auto *C = dyn_cast<SCEVConstant>(S))
    return C->getAPInt().abs().ule(MaxUnflaggedStep);
  if (const auto *Sum = dyn_cast<SCEVAddExpr>(S))
    return all_of(Sum->operands(), [&](const SCEV *Op) { return isTame(Op); });
  if (const auto *Mul = dyn_cast<SCEVMulExpr>(S))
    return all_of(Mul->operands(), [&](const SCEV *Op) { return isTame(Op); });
  if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(S))
    return all_of(Rec->operands(), [&](const SCEV *Op) { return isTame(Op); });
  return any_of(TripCounts, [&](const SCEV *Count) {
    const auto *C = dyn_cast<SCEVConstant>(SE.getMinusSCEV(tidy(S), Count));
    return C && C->getAPInt().abs().ule(MaxUnflaggedStep);
  });
}

/// The number of the last iteration of \p L, counted from 0, in which \p BB runs; null if unknown. In a loop
/// tested at its top, blocks behind the test do not run in the last one, and so are known to run in an
/// earlier one.
const SCEV *DistanceBounds::lastIteration(const Loop *L, const BasicBlock *BB) {
  const BasicBlock *Latch = L->getLoopLatch();
  if (!Latch || isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(L)))
    return nullptr;
  SmallVector<BasicBlock *, 4> Exiting;
  L->getExitingBlocks(Exiting);
  const SCEV *Best = nullptr;
  for (BasicBlock *E : Exiting) {
    const SCEV *Count = SE.getExitCount(L, E);
    if (isa<SCEVCouldNotCompute>(Count) || !DT.dominates(E, Latch) ||
        SE.getTypeSizeInBits(Count->getType()) > SE.getTypeSizeInBits(IndexTy))
      continue;
    bool Behind = false;
    if (L->contains(BB))
      for (const BasicBlock *S : successors(E))
        Behind |= S != L->getHeader() && L->contains(S) && DT.dominates(BasicBlockEdge(E, S), BB);
    if (!Behind) {
      if (!Best)
        Best = tidy(extend(Count));
      continue;
    }
    // Count is at least 1 here; smax(0, n) of that kind is n.
    const SCEV *N = Count;
    if (const auto *Max = dyn_cast<SCEVSMaxExpr>(Count); Max && Max->getNumOperands() == 2)
      if (const auto *C = dyn_cast<SCEVConstant>(Max->getOperand(0));
          C && !C->getAPInt().isStrictlyPositive())
        N = Max->getOperand(1);
    // An unsigned count fills its type, unless that is as wide as an address.
    bool IsSigned = N != Count || SE.getTypeSizeInBits(N->getType()) == SE.getTypeSizeInBits(IndexTy);
    if (IsSigned && fixed(N))
      Positive.insert(N);
    return SE.getMinusSCEV(tidy(extend(N)), constant(1));
  }
  return Best;
}

/// The largest value of a bound over the iterations that the pairing leaves open (triangular nests).
const SCEV *DistanceBounds::widest(const SCEV *S, unsigned Depth) {
  if (!S || fixed(S))
    return S;
  if (Depth > 4)
    return nullptr;
  if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(S); Rec && Rec->isAffine()) {
    int Sign = sign(Rec->getStepRecurrence(SE));
    if (Sign < 0)
      return widest(Rec->getStart(), Depth + 1);
    // With the header's count: it is the same recurrence wherever it is read.
    const SCEV *Last = Sign > 0 ? lastIteration(Rec->getLoop(), Rec->getLoop()->getHeader()) : nullptr;
    return Last && Last->getType() == Rec->getType() ? widest(Rec->evaluateAtIteration(Last, SE), Depth + 1)
                                                     : nullptr;
  }
  if (const auto *Add = dyn_cast<SCEVAddExpr>(S)) {
    const SCEV *Total = SE.getZero(S->getType());
    for (const SCEV *Op : Add->operands()) {
      const SCEV *W = widest(Op, Depth + 1);
      if (!W)
        return nullptr;
      Total = SE.getAddExpr(Total, W);
    }
    return Total;
  }
  return nullptr;
}

/// Writes trip counts, which are made of zero extensions and of maxima with 0 or 1, in the terms of the
/// strides, which are made of sign extensions, so that they cancel: zext(n - 1) becomes sext(n) - 1 where n >
/// 0.
class Tidier : public SCEVRewriteVisitor<Tidier> {
public:
  Tidier(ScalarEvolution &SE, function_ref<bool(const SCEV *)> IsPositive)
      : SCEVRewriteVisitor(SE), IsPositive(IsPositive) {}

  const SCEV *visitSMaxExpr(const SCEVSMaxExpr *E) {
    if (E->getNumOperands() == 2)
      if (const auto *C = dyn_cast<SCEVConstant>(E->getOperand(0)); C && C->getAPInt().sle(1))
        if (IsPositive(E->getOperand(1)))
          return visit(E->getOperand(1));
    return E;
  }
  const SCEV *visitUMaxExpr(const SCEVUMaxExpr *E) {
    if (E->getNumOperands() == 2 && E->getOperand(0)->isOne() && IsPositive(E->getOperand(1)))
      return visit(E->getOperand(1));
    return E;
  }
  const SCEV *visitZeroExtendExpr(const SCEVZeroExtendExpr *E) {
    const SCEV *Op = visit(E->getOperand());
    const auto *Add = dyn_cast<SCEVAddExpr>(Op);
    if (const auto *C = Add ? dyn_cast<SCEVConstant>(Add->getOperand(0)) : nullptr;
        C && C->getAPInt().isNegative()) {
      // With N > 0 and N + C >= 0 nothing wraps.
      const SCEV *N = SE.getMinusSCEV(Op, C);
      if (IsPositive(N) && (C->isAllOnesValue() || IsPositive(SE.getAddExpr(Op, SE.getOne(Op->getType())))))
        return SE.getAddExpr(SE.getSignExtendExpr(N, E->getType()), SE.getSignExtendExpr(C, E->getType()));
    }
    return IsPositive(Op) ? SE.getSignExtendExpr(Op, E->getType()) : SE.getZeroExtendExpr(Op, E->getType());
  }

private:
  function_ref<bool(const SCEV *)> IsPositive;
};

const SCEV *DistanceBounds::tidy(const SCEV *S) {
  auto IsPos = [&](const SCEV *N) { return isPositive(N); };
  return Tidier(SE, IsPos).visit(S);
}

bool DistanceBounds::isPositive(const SCEV *S) {
  if (Positive.contains(S) || SE.isKnownPositive(S))
    return true;
  // n > 0 if a loop runs n - 2 times.
  for (const SCEV *Count : TripCounts)
    if (Count->getType() == S->getType() && Positive.contains(Count))
      if (const auto *More = dyn_cast<SCEVConstant>(SE.getMinusSCEV(S, Count));
          More && More->getAPInt().ule(MaxUnflaggedStep))
        return true;
  if (const auto *Ext = dyn_cast<SCEVSignExtendExpr>(S))
    return isPositive(Ext->getOperand());
  // A condition on the way to one access says something about the other one's run only if the value is the
  // same.
  if (isa<SCEVConstant>(S) || S->getExpressionSize() > MaxExpressionSize || !fixed(S))
    return false;
  const SCEV *Zero = SE.getZero(S->getType());
  for (const BasicBlock *BB : {Read.BB, Write.BB})
    if (SE.isBasicBlockEntryGuardedByCond(BB, ICmpInst::ICMP_SGT, S, Zero)) {
      Positive.insert(S);
      return true;
    }
  return false;
}

/// 1 when \p S >= 0, -1 when \p S <= 0, 0 when unknown.
int DistanceBounds::sign(const SCEV *S) {
  if (const auto *C = dyn_cast<SCEVConstant>(S))
    return C->getAPInt().isNegative() ? -1 : 1;
  if (isPositive(S) || SE.isKnownNonNegative(S))
    return 1;
  if (SE.isKnownNonPositive(S))
    return -1;
  if (const auto *Mul = dyn_cast<SCEVMulExpr>(S)) {
    int Product = 1;
    for (const SCEV *Op : Mul->operands())
      Product *= sign(Op);
    return Product;
  }
  if (const auto *Add = dyn_cast<SCEVAddExpr>(S)) {
    int First = sign(Add->getOperand(0));
    return all_of(Add->operands(), [&](const SCEV *Op) { return sign(Op) == First; }) ? First : 0;
  }
  return 0;
}

/// A constant that \p S is not below.
std::optional<int64_t> DistanceBounds::atLeast(const SCEV *S, unsigned Depth) {
  if (Depth > 6)
    return std::nullopt;
  if (const auto *C = dyn_cast<SCEVConstant>(S))
    return C->getAPInt().trySExtValue();
  if (const auto *Add = dyn_cast<SCEVAddExpr>(S)) {
    int64_t Total = 0;
    for (const SCEV *Op : Add->operands()) {
      std::optional<int64_t> Least = atLeast(Op, Depth + 1);
      if (!Least || AddOverflow(Total, *Least, Total))
        return std::nullopt;
    }
    return Total;
  }
  if (const auto *Mul = dyn_cast<SCEVMulExpr>(S)) {
    int64_t Product = 1;
    for (const SCEV *Op : Mul->operands()) {
      std::optional<int64_t> Least = atLeast(Op, Depth + 1);
      if (!Least || *Least < 0 || MulOverflow(Product, *Least, Product))
        Product = -1;
      if (Product < 0)
        break;
    }
    if (Product >= 0)
      return Product;
  }
  int64_t Least = SE.getSignedRange(S).getSignedMin().getSExtValue();
  for (const SCEV *Count : TripCounts)
    if (Positive.contains(Count))
      if (const auto *More = dyn_cast<SCEVConstant>(SE.getMinusSCEV(S, Count)))
        if (More->getAPInt().abs().ule(MaxUnflaggedStep))
          Least = std::max(Least, 1 + More->getAPInt().getSExtValue());
  if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(S);
      Rec && Rec->isAffine() && sign(Rec->getStepRecurrence(SE)) > 0)
    if (std::optional<int64_t> AtStart = atLeast(Rec->getStart(), Depth + 1))
      Least = std::max(Least, *AtStart);
  if (Least < 1 && isPositive(S))
    Least = 1;
  return Least < -MaxRange ? std::nullopt : std::optional(Least);
}

bool DistanceBounds::provenAtLeast(const SCEV *S, const SCEV *Bytes) {
  if (!S || !Bytes)
    return false;
  S = SE.getMinusSCEV(S, Bytes);
  while (true) {
    std::optional<int64_t> Slack = atLeast(tidy(S));
    if (Slack && *Slack >= 0)
      return true;
    // What still varies does so with the iterations that both share; the worst of these, innermost loop
    // first.
    const auto *Rec = dyn_cast<SCEVAddRecExpr>(S);
    if (!Rec || !Rec->isAffine())
      return false;
    const SCEV *Step = Rec->getStepRecurrence(SE), *Worst = constant(0);
    int Sign = sign(Step);
    if (Sign < 0)
      Worst = lastIteration(Rec->getLoop(), Read.BB);
    if (!Sign || !Worst)
      return false;
    S = SE.getAddExpr(Rec->getStart(), SE.getMulExpr(Step, Worst));
  }
}

/// Puts each unknown at that end of its range which makes the distance smallest (or largest). An inner loop's
/// range may depend on the iteration of the loop outside; that is put in before the latter's range is used.
const SCEV *DistanceBounds::bound(const Sum &D, bool Lower) {
  const SCEV *Total = D.Rest, *OfLater = D.OfLater, *OfBetween = D.OfBetween;
  auto Add = [&](const SCEV *&To, const SCEV *A, const SCEV *B) {
    To = SE.getAddExpr(To, SE.getMulExpr(A, B));
  };
  for (const Term &T : D.Terms) {
    int Sign = sign(T.Coefficient);
    const SCEV *Edge = (Sign > 0) == Lower ? T.Lo : T.Hi;
    if (!Sign || !Edge)
      return nullptr;
    const auto *Rec = dyn_cast<SCEVAddRecExpr>(Edge);
    if (Rec && Rec->isAffine() && Rec->getLoop() == P.Later && fixed(Rec->getStart()) &&
        fixed(Rec->getStepRecurrence(SE))) {
      const SCEV *Step = Rec->getStepRecurrence(SE);
      Add(OfLater, T.Coefficient, Step);
      if (T.OfWrite)
        Add(OfBetween, T.Coefficient, Step);
      Edge = Rec->getStart();
    }
    Edge = widest(Edge);
    if (!Edge)
      return nullptr;
    Add(Total, T.Coefficient, Edge);
  }
  if (!P.Later)
    return Total;
  // 0 <= k, 1 <= between, k + between <= Last: the end of the range is a corner of this triangle.
  const SCEV *Last = widest(lastIteration(P.Later, Write.BB));
  auto Grows = [&](const SCEV *Coefficient) -> std::optional<bool> {
    if (Coefficient->isZero())
      return false;
    int Sign = sign(Coefficient);
    return Sign ? std::optional((Sign < 0) == Lower) : std::nullopt;
  };
  std::optional<bool> WithK = Grows(OfLater), WithBetween = Grows(OfBetween);
  if (!WithK || !WithBetween || ((*WithK || *WithBetween) && !Last))
    return nullptr;
  bool BothGrow = *WithK && *WithBetween;
  std::optional<bool> BetweenFirst = BothGrow ? Grows(SE.getMinusSCEV(OfBetween, OfLater)) : *WithBetween;
  if (BothGrow && OfBetween == OfLater)
    BetweenFirst = true;
  if (*WithK && !(BothGrow && BetweenFirst && *BetweenFirst))
    Add(Total, OfLater, SE.getMinusSCEV(Last, constant(1)));
  // Where it is not known which of the two grows faster, each is put at its own end.
  Add(Total, OfBetween, *WithBetween && (!BetweenFirst || *BetweenFirst) ? Last : constant(1));
  return Total;
}

bool DistanceBounds::apart(const Sum &D, const SCEV *ReadBytes, const SCEV *WriteBytes) {
  if (provenAtLeast(bound(D, /*Lower=*/true), ReadBytes))
    return true;
  const SCEV *Upper = bound(D, /*Lower=*/false);
  return Upper && provenAtLeast(SE.getNegativeSCEV(Upper), WriteBytes);
}

/// \p S less its multiples of \p Stride, a constant times a symbol.
const SCEV *DistanceBounds::modulo(const SCEV *S, const SCEV *Stride) {
  if (const auto *Add = dyn_cast<SCEVAddExpr>(S)) {
    const SCEV *Left = constant(0);
    for (const SCEV *Op : Add->operands())
      Left = SE.getAddExpr(Left, modulo(Op, Stride));
    return Left;
  }
  if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(S); Rec && Rec->isAffine())
    return SE.getAddRecExpr(modulo(Rec->getStart(), Stride), modulo(Rec->getStepRecurrence(SE), Stride),
                            Rec->getLoop(), SCEV::FlagAnyWrap);
  auto Split = [&](const SCEV *Product) {
    const auto *Mul = dyn_cast<SCEVMulExpr>(Product);
    const auto *C = Mul ? dyn_cast<SCEVConstant>(Mul->getOperand(0)) : nullptr;
    if (!C)
      return std::pair(int64_t(1), Product);
    SmallVector<const SCEV *, 4> Others(drop_begin(Mul->operands()));
    return std::pair(C->getAPInt().getSExtValue(), SE.getMulExpr(Others));
  };
  auto [Factor, Symbol] = Split(S);
  auto [Unit, UnitSymbol] = Split(Stride);
  return Symbol == UnitSymbol && Factor % Unit == 0 ? constant(0) : S;
}

bool DistanceBounds::apartModulo(const Sum &D, const SCEV *ReadBytes, const SCEV *WriteBytes) {
  const auto *RB = dyn_cast_or_null<SCEVConstant>(ReadBytes),
             *WB = dyn_cast_or_null<SCEVConstant>(WriteBytes);
  if (RB && WB && apartModuloConstant(D, RB->getAPInt().getSExtValue(), WB->getAPInt().getSExtValue()))
    return true;
  if (!ReadBytes || !WriteBytes)
    return false;
  SmallSetVector<const SCEV *, 4> Strides;
  for (const Term &T : D.Terms)
    if (const auto *Mul = dyn_cast<SCEVMulExpr>(T.Coefficient))
      Strides.insert(SE.isKnownNegative(Mul->getOperand(0)) ? SE.getNegativeSCEV(Mul) : Mul);
  for (const SCEV *Stride : Strides) {
    if (sign(Stride) <= 0)
      continue;
    auto Left = [&](const SCEV *S) { return modulo(S, Stride); };
    Sum M{Left(D.Rest), Left(D.OfLater), Left(D.OfBetween), D.Terms};
    // As below: nothing is known of multiples of an index read from memory.
    bool Exact = true;
    for (Term &T : M.Terms) {
      const SCEV *Remainder = Left(T.Coefficient);
      Exact &= T.IsIteration || Remainder == T.Coefficient;
      T.Coefficient = Remainder;
    }
    if (!Exact)
      continue;
    erase_if(M.Terms, [](const Term &T) { return T.Coefficient->isZero(); });
    // What is left is to lie within one period, clear of both its ends.
    if (!provenAtLeast(bound(M, /*Lower=*/true), ReadBytes))
      continue;
    const SCEV *Upper = bound(M, /*Lower=*/false);
    if (Upper && provenAtLeast(SE.getMinusSCEV(Stride, Upper), WriteBytes))
      return true;
  }
  return false;
}

/// Two fields of the elements of an array never meet, whatever the elements.
bool DistanceBounds::apartModuloConstant(const Sum &D, int64_t ReadBytes, int64_t WriteBytes) {
  uint64_t Divisor = 0;
  auto Include = [&](const SCEV *S) {
    if (S->isZero())
      return;
    // Of a negative constant this is the constant itself; a huge one is reduced to its power of two.
    APInt Multiple = SE.getConstantMultiple(S).abs();
    bool Huge = Multiple.getActiveBits() > 32;
    Divisor = std::gcd(Divisor,
                       Huge ? uint64_t(1) << std::min(Multiple.countr_zero(), 31u) : Multiple.getZExtValue());
  };
  // An index that was read from memory may have been multiplied modulo 2^64: only powers of two survive that.
  bool Exact = isa<SCEVConstant>(D.Rest);
  for (const Term &T : D.Terms) {
    Include(T.Coefficient);
    Exact &= T.IsIteration;
  }
  Include(D.OfLater);
  Include(D.OfBetween);
  int64_t Offset = 0;
  auto Split = [&](const SCEV *S) {
    if (const auto *C = dyn_cast<SCEVConstant>(S))
      Offset = C->getAPInt().getSExtValue();
    else
      Include(S);
  };
  if (const auto *Add = dyn_cast<SCEVAddExpr>(D.Rest))
    for_each(Add->operands(), Split);
  else
    Split(D.Rest);
  if (!Exact)
    Divisor &= -Divisor;
  if (Divisor < 2)
    return false;
  int64_t Period = Divisor, Remainder = ((Offset % Period) + Period) % Period;
  return Remainder >= ReadBytes && Remainder + WriteBytes <= Period;
}

} // namespace tapefree
