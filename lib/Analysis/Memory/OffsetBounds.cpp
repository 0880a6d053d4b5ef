#include "Analysis/Memory/OffsetBounds.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace tapefree {

/// c ? a : b, as an instruction or by a branch.
std::optional<OffsetBounds::Choice> OffsetBounds::choice(Value *V) {
  if (auto *Select = dyn_cast<SelectInst>(V))
    return Choice{Select->getCondition(), Select->getTrueValue(), Select->getFalseValue()};
  auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi || Phi->getNumIncomingValues() != 2)
    return std::nullopt;
  BasicBlock *A = Phi->getIncomingBlock(0), *B = Phi->getIncomingBlock(1), *Here = Phi->getParent();
  for (BasicBlock *Fork : {A, B, A->getSinglePredecessor()}) {
    auto *Branch = Fork ? dyn_cast<BranchInst>(Fork->getTerminator()) : nullptr;
    if (!Branch || !Branch->isConditional() || Branch->getSuccessor(0) == Branch->getSuccessor(1))
      continue;
    auto Leads = [&](unsigned Side, BasicBlock *To) {
      BasicBlock *S = Branch->getSuccessor(Side);
      return S == Here ? To == Fork : S == To && To->getSinglePredecessor() == Fork;
    };
    if (Leads(0, A) && Leads(1, B))
      return Choice{Branch->getCondition(), Phi->getIncomingValue(0), Phi->getIncomingValue(1)};
    if (Leads(0, B) && Leads(1, A))
      return Choice{Branch->getCondition(), Phi->getIncomingValue(1), Phi->getIncomingValue(0)};
  }
  return std::nullopt;
}

/// One side of k < c ? a + b k : ..., k the counter of a loop: in the iterations in which it is chosen.
const SCEV *OffsetBounds::ofSide(const Choice &Of, bool Side, bool Upper) {
  const SCEV *S = SE.getSCEV(Side ? Of.True : Of.False);
  auto *AR = dyn_cast<SCEVAddRecExpr>(S);
  auto *Test = dyn_cast<ICmpInst>(Of.Condition);
  if (!AR || !AR->isAffine() || !Test || !SE.isSCEVable(Test->getOperand(0)->getType()))
    return bound(S, Upper);
  auto *X = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Test->getOperand(0)));
  const SCEV *C = SE.getSCEV(Test->getOperand(1)), *N = SE.getBackedgeTakenCount(AR->getLoop());
  if (!X || X->getLoop() != AR->getLoop() || !X->isAffine() || !X->getStepRecurrence(SE)->isOne() ||
      !X->getType()->isIntegerTy(64) || !SE.isLoopInvariant(C, X->getLoop()) || isa<SCEVCouldNotCompute>(N) ||
      SE.getTypeSizeInBits(N->getType()) > 64 || !SE.isKnownNonNegative(X->getStart()) ||
      !SE.isKnownNonNegative(C))
    return bound(S, Upper);
  N = SE.getNoopOrZeroExtend(N, X->getType());
  const SCEV *First = SE.getZero(X->getType()), *Last = N, *D = SE.getMinusSCEV(C, X->getStart()),
             *One = SE.getOne(X->getType());
  CmpInst::Predicate P = Side ? Test->getPredicate() : Test->getInversePredicate();
  switch (ICmpInst::isUnsigned(P) ? ICmpInst::getSignedPredicate(P) : P) {
  case CmpInst::ICMP_EQ:
    First = Last = D;
    break;
  case CmpInst::ICMP_NE:
    First = D->isZero() ? One : First;
    Last = D == N ? SE.getMinusSCEV(N, One) : Last;
    break;
  case CmpInst::ICMP_SLT:
    Last = SE.getSMinExpr(N, SE.getMinusSCEV(D, One));
    break;
  case CmpInst::ICMP_SLE:
    Last = SE.getSMinExpr(N, D);
    break;
  case CmpInst::ICMP_SGT:
    First = SE.getSMaxExpr(First, SE.getAddExpr(D, One));
    break;
  case CmpInst::ICMP_SGE:
    First = SE.getSMaxExpr(First, D);
    break;
  default:
    break;
  }
  const SCEV *Step = AR->getStepRecurrence(SE);
  bool Up = SE.isKnownNonNegative(Step);
  if (!Up && !SE.isKnownNonPositive(Step))
    return bound(S, Upper);
  const SCEV *At = Up == Upper ? Last : First;
  if (AR->getType()->isIntegerTy(64))
    return bound(AR->evaluateAtIteration(At, SE), Upper);
  // A narrow index may wrap on the way, unless its ends are known numbers.
  auto *A = dyn_cast<SCEVConstant>(AR->getStart()), *B = dyn_cast<SCEVConstant>(Step);
  auto *K = dyn_cast<SCEVConstant>(At), *Most = dyn_cast<SCEVConstant>(N);
  if (!A || !B || !K || !Most || A->getAPInt().getSignificantBits() > 28 ||
      B->getAPInt().getSignificantBits() > 28 || Most->getAPInt().getActiveBits() > 28 ||
      K->getAPInt().getSignificantBits() > 29)
    return bound(S, Upper);
  int64_t End = A->getAPInt().getSExtValue() + B->getAPInt().getSExtValue() * K->getAPInt().getSExtValue();
  if (!isIntN(28, End))
    return bound(S, Upper);
  return SE.getConstant(AR->getType(), uint64_t(End), /*isSigned=*/true);
}

const SCEV *OffsetBounds::ofChoice(const Choice &Of, bool Upper) {
  const SCEV *A = ofSide(Of, true, Upper), *B = ofSide(Of, false, Upper);
  return A && B ? (Upper ? SE.getSMaxExpr(A, B) : SE.getSMinExpr(A, B)) : nullptr;
}

const SCEV *OffsetBounds::bound(const SCEV *S, bool Upper) {
  if (KeepKnown && Known(S))
    return S;
  switch (S->getSCEVType()) {
  case scAddRecExpr: {
    auto *AR = cast<SCEVAddRecExpr>(S);
    const SCEV *N = SE.getBackedgeTakenCount(AR->getLoop());
    if (SE.getTypeSizeInBits(AR->getType()) < 64)
      break; // a narrow index may wrap on the way
    if (!AR->isAffine() || isa<SCEVCouldNotCompute>(N) || SE.getTypeSizeInBits(N->getType()) > 64)
      return nullptr;
    N = SE.getNoopOrZeroExtend(N, AR->getType());
    const SCEV *First = AR->getStart(), *Step = AR->getStepRecurrence(SE);
    const SCEV *Last = AR->evaluateAtIteration(N, SE);
    bool Up = SE.isKnownNonNegative(Step), Down = SE.isKnownNonPositive(Step);
    if (Up || Down)
      return bound(Up == Upper ? Last : First, Upper);
    const SCEV *A = bound(First, Upper), *B = bound(Last, Upper);
    return A && B ? (Upper ? SE.getSMaxExpr(A, B) : SE.getSMinExpr(A, B)) : nullptr;
  }
  case scAddExpr: { // the parts are bounded one by one: never too tight
    SmallVector<const SCEV *, 4> Parts;
    for (const SCEV *Op : S->operands())
      if (const SCEV *P = bound(Op, Upper))
        Parts.push_back(P);
      else
        return nullptr;
    return SE.getAddExpr(Parts);
  }
  case scMulExpr: {
    auto *M = cast<SCEVMulExpr>(S);
    auto *C = dyn_cast<SCEVConstant>(M->getOperand(0));
    if (Known(S))
      return S;
    if (!C || M->getNumOperands() != 2)
      return nullptr;
    const SCEV *Inner = bound(M->getOperand(1), C->getAPInt().isNegative() ? !Upper : Upper);
    return Inner ? SE.getMulExpr(C, Inner) : nullptr;
  }
  case scSignExtend:
  case scZeroExtend: {
    if (Known(S))
      return S;
    const SCEV *Inner = bound(cast<SCEVCastExpr>(S)->getOperand(), Upper);
    if (!Inner)
      break;
    return isa<SCEVSignExtendExpr>(S) ? SE.getSignExtendExpr(Inner, S->getType())
                                      : SE.getZeroExtendExpr(Inner, S->getType());
  }
  case scUnknown:
    if (Known(S))
      return S;
    if (std::optional<Choice> C = choice(cast<SCEVUnknown>(S)->getValue()))
      if (const SCEV *B = ofChoice(*C, Upper))
        return B;
    break;
  default:
    if (Known(S))
      return S;
    break;
  }
  // Something that varies in ways not followed here may still have a constant range.
  ConstantRange Range = SE.getSignedRange(S);
  if (Range.isFullSet() || Range.getSignedMax().getSignificantBits() > 28 ||
      Range.getSignedMin().getSignificantBits() > 28)
    return nullptr;
  return SE.getConstant(Upper ? Range.getSignedMax() : Range.getSignedMin());
}

} // namespace tapefree
