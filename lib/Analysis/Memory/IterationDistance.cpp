#include "Analysis/Memory/IterationDistance.h"
#include "Analysis/Memory/DistanceBounds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace tapefree {

/// Ranges of opaque index expressions beyond this are no knowledge, and small enough not to overflow int64_t.
static constexpr int64_t MaxRange = int64_t(1) << 40;
static constexpr unsigned MaxExpressionSize = 64;

bool isFixed(const Value *V, const Pairing &P, const LoopInfo &LI) {
  const auto *I = dyn_cast<Instruction>(V);
  // The emitter hoists allocas of constant size: one object however often the instruction runs.
  if (!I || (isa<AllocaInst>(I) && isa<ConstantInt>(cast<AllocaInst>(I)->getArraySize())))
    return true;
  const Loop *L = LI.getLoopFor(I->getParent());
  return !L || (P.Same && L->contains(P.Same));
}

namespace {

/// One question about one pair of accesses.
class Comparison {
public:
  Comparison(ScalarEvolution &SE, const LoopInfo &LI, const DominatorTree &DT, const Access &Read,
             const Access &Write, const Pairing &P)
      : SE(SE), LI(LI), Read(Read), Write(Write), P(P), IndexTy(SE.getEffectiveSCEVType(Read.Ptr->getType())),
        Bounds(SE, LI, DT, Read, Write, P, IndexTy) {}

  Meeting run();

private:
  bool flatten(const SCEV *S, const SCEV *Factor, const Access &Of, Sum &Out, unsigned Depth = 0);
  Sum difference(const Sum &ReadAt, const Sum &WriteAt);
  bool wrapsNever(const Value *Ptr) const;
  bool certain(const Sum &ReadAt, const Sum &WriteAt, const Sum &D);
  const SCEV *constant(int64_t V) { return SE.getConstant(IndexTy, V, /*isSigned=*/true); }

  ScalarEvolution &SE;
  const LoopInfo &LI;
  const Access &Read, &Write;
  const Pairing &P;
  Type *IndexTy;
  DistanceBounds Bounds;
  const SCEV *ReadBytes = nullptr, *WriteBytes = nullptr;
};

/// Adds \p Factor * \p S to \p Out; false when it has no such form.
bool Comparison::flatten(const SCEV *S, const SCEV *Factor, const Access &Of, Sum &Out, unsigned Depth) {
  if (Depth > 8)
    return false;
  if (Bounds.fixed(S)) {
    Out.Rest = SE.getAddExpr(Out.Rest, SE.getMulExpr(Factor, S));
    return true;
  }
  if (const auto *Rec = dyn_cast<SCEVAddRecExpr>(S); Rec && Rec->isAffine()) {
    const SCEV *Step = Rec->getStepRecurrence(SE);
    if (!Bounds.fixed(Step))
      return false;
    const SCEV *Coefficient = SE.getMulExpr(Factor, Step);
    const Loop *L = Rec->getLoop();
    if (L == P.Later)
      Out.OfLater = SE.getAddExpr(Out.OfLater, Coefficient);
    else if (P.Same && L->contains(P.Same))
      return false; // a start that varies within the loop of its own recurrence: never built by SCEV
    else
      Out.Terms.push_back({Coefficient, constant(0), Bounds.lastIteration(L, Of.BB), &Of == &Write});
    return flatten(Rec->getStart(), Factor, Of, Out, Depth + 1);
  }
  if (const auto *Add = dyn_cast<SCEVAddExpr>(S))
    return all_of(Add->operands(), [&](const SCEV *Op) { return flatten(Op, Factor, Of, Out, Depth + 1); });
  if (const auto *Mul = dyn_cast<SCEVMulExpr>(S)) {
    const SCEV *Varying = nullptr;
    for (const SCEV *Op : Mul->operands()) {
      if (Bounds.fixed(Op))
        Factor = SE.getMulExpr(Factor, Op);
      else if (Varying)
        return false;
      else
        Varying = Op;
    }
    return flatten(Varying, Factor, Of, Out, Depth + 1);
  }
  // Anything else is an unknown of its own, known by its range (i % 4, a bool, ...).
  ConstantRange Range = SE.getSignedRange(S);
  APInt Lo = Range.getSignedMin(), Hi = Range.getSignedMax();
  bool Known = Lo.getSignificantBits() <= 64 && Hi.getSignificantBits() <= 64 &&
               Lo.getSExtValue() >= -MaxRange && Hi.getSExtValue() <= MaxRange;
  Out.Terms.push_back({Factor, Known ? constant(Lo.getSExtValue()) : nullptr,
                       Known ? constant(Hi.getSExtValue()) : nullptr, &Of == &Write, /*IsIteration=*/false});
  return true;
}

/// WriteAt - ReadAt. Of the loop Later, w*(k + between) - r*k = (w - r)*k + w*between.
Sum Comparison::difference(const Sum &ReadAt, const Sum &WriteAt) {
  Sum D{SE.getMinusSCEV(WriteAt.Rest, ReadAt.Rest), SE.getMinusSCEV(WriteAt.OfLater, ReadAt.OfLater),
        WriteAt.OfLater, WriteAt.Terms};
  for (const Term &T : ReadAt.Terms)
    D.Terms.push_back({SE.getNegativeSCEV(T.Coefficient), T.Lo, T.Hi, T.OfWrite, T.IsIteration});
  erase_if(D.Terms, [](const Term &T) { return T.Coefficient->isZero(); });
  return D;
}

/// An address may be taken for the integer that its formula says, rather than that modulo 2^64, when it is
/// made by arithmetic that must not wrap (C's array indexing).
bool Comparison::wrapsNever(const Value *Ptr) const {
  const SCEV *S = SE.getSCEV(const_cast<Value *>(Ptr));
  while (const auto *Rec = dyn_cast<SCEVAddRecExpr>(S)) {
    if (!Rec->hasNoSelfWrap())
      break;
    S = Rec->getStart();
  }
  if (const auto *Add = dyn_cast<SCEVAddExpr>(S); Add && Add->getNumOperands() == 2)
    if (const auto *C = dyn_cast<SCEVConstant>(Add->getOperand(0));
        C && C->getAPInt().getSignificantBits() < 48)
      S = Add->getOperand(1);
  if (isa<SCEVUnknown>(S))
    return true;
  const auto *GEP = dyn_cast<GEPOperator>(Ptr);
  return GEP && (GEP->hasNoUnsignedSignedWrap() || GEP->hasNoUnsignedWrap()) &&
         wrapsNever(GEP->getPointerOperand());
}

/// Is there a run of the write that hits just what was read? Then no check of address ranges can help.
bool Comparison::certain(const Sum &ReadAt, const Sum &WriteAt, const Sum &D) {
  const auto *Offset = dyn_cast<SCEVConstant>(D.Rest);
  const auto *RB = dyn_cast_or_null<SCEVConstant>(ReadBytes),
             *WB = dyn_cast_or_null<SCEVConstant>(WriteBytes);
  if (!Offset || !RB || !WB)
    return false;
  int64_t At = Offset->getAPInt().getSExtValue();
  if (P.Later) {
    // The next iteration is taken for one that runs.
    const auto *Step = dyn_cast<SCEVConstant>(WriteAt.OfLater);
    if (!Step || WriteAt.OfLater != ReadAt.OfLater)
      return false;
    // Some number of iterations in between must make up for the offset.
    int64_t S = Step->getAPInt().getSExtValue();
    if (S == 0 ? At != 0 : (At % S != 0 || -(At / S) < 1))
      return false;
  } else if (At != 0) {
    return false;
  }
  // The loops that only one of them is in can be at the same place, or the write's at their start.
  auto IsIteration = [](const Term &T) { return T.IsIteration; };
  return RB == WB && all_of(WriteAt.Terms, IsIteration) && all_of(ReadAt.Terms, [&](const Term &R) {
           return R.IsIteration && any_of(WriteAt.Terms, [&](const Term &W) {
                    return W.Coefficient == R.Coefficient && W.Hi == R.Hi;
                  });
         });
}

Meeting Comparison::run() {
  const SCEV *ReadAddress = SE.getSCEV(const_cast<Value *>(Read.Ptr));
  const SCEV *WriteAddress = SE.getSCEV(const_cast<Value *>(Write.Ptr));
  const auto *Base = dyn_cast<SCEVUnknown>(SE.getPointerBase(ReadAddress));
  if (!Base || Base != SE.getPointerBase(WriteAddress) || !isFixed(Base->getValue(), P, LI) ||
      ReadAddress->getExpressionSize() > MaxExpressionSize ||
      WriteAddress->getExpressionSize() > MaxExpressionSize)
    return Meeting::Maybe;
  if (SE.getTypeSizeInBits(IndexTy) != 64)
    return Meeting::Maybe;

  auto Bytes = [&](LocationSize Size) -> const SCEV * {
    if (!Size.hasValue() || Size.getValue().isScalable())
      return nullptr;
    return constant(Size.getValue().getFixedValue());
  };
  ReadBytes = Bytes(Read.Size);
  WriteBytes = Bytes(Write.Size);
  if (!WriteBytes && Write.Length) {
    const SCEV *Length = SE.getSCEV(const_cast<Value *>(Write.Length));
    if (SE.getTypeSizeInBits(Length->getType()) <= 64)
      WriteBytes = Bounds.widest(Bounds.tidy(SE.getNoopOrZeroExtend(Length, IndexTy)));
  }

  Sum ReadAt{constant(0), constant(0), constant(0), {}}, WriteAt{constant(0), constant(0), constant(0), {}};
  if (!flatten(SE.removePointerBase(ReadAddress), constant(1), Read, ReadAt) ||
      !flatten(SE.removePointerBase(WriteAddress), constant(1), Write, WriteAt))
    return Meeting::Maybe;
  Sum D = difference(ReadAt, WriteAt);

  // The proofs are about integers, the addresses are such modulo 2^64.
  bool Tame = Bounds.isTame(D.Rest) && Bounds.isTame(D.OfLater) && Bounds.isTame(D.OfBetween) &&
              all_of(D.Terms, [&](const Term &T) { return Bounds.isTame(T.Coefficient); });
  if ((Tame || (wrapsNever(Read.Ptr) && wrapsNever(Write.Ptr))) &&
      (Bounds.apart(D, ReadBytes, WriteBytes) || Bounds.apartModulo(D, ReadBytes, WriteBytes)))
    return Meeting::Never;
  return certain(ReadAt, WriteAt, D) ? Meeting::Surely : Meeting::Maybe;
}

} // namespace

Meeting IterationDistance::meet(const Access &Read, const Access &Write, const Pairing &P) const {
  return Comparison(SE, LI, DT, Read, Write, P).run();
}

bool IterationDistance::mayRepeat(const Loop *L) const {
  const SCEV *Count = SE.getConstantMaxBackedgeTakenCount(L);
  return isa<SCEVCouldNotCompute>(Count) || !Count->isZero();
}

} // namespace tapefree
