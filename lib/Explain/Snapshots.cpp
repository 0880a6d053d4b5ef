#include "Explain/Snapshots.h"
#include "Prepare/Checkpoint.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DiagnosticInfo.h"

using namespace llvm;

namespace tapefree {

static std::optional<std::string> nameOf(const Value *V) {
  auto *A = dyn_cast<Argument>(V);
  if (!A)
    return std::nullopt;
  Attribute Name = A->getParent()->getAttributes().getParamAttr(A->getArgNo(), ObjectName);
  return Name.isValid() ? std::optional(Name.getValueAsString().str()) : std::nullopt;
}

/// A number of bytes in the program's variables; none where some have no name.
static std::optional<std::string> text(const SCEV *S, bool Factor = false) {
  if (auto *C = dyn_cast<SCEVConstant>(S))
    return std::to_string(C->getAPInt().getSExtValue());
  if (auto *U = dyn_cast<SCEVUnknown>(S))
    return nameOf(U->getValue());
  if (auto *Cast = dyn_cast<SCEVCastExpr>(S))
    return text(Cast->getOperand(), Factor);
  bool Sum = isa<SCEVAddExpr>(S), Most = isa<SCEVSMaxExpr, SCEVUMaxExpr>(S),
       Least = isa<SCEVSMinExpr, SCEVUMinExpr>(S);
  if (!Sum && !Most && !Least && !isa<SCEVMulExpr>(S))
    return std::nullopt;
  std::string All;
  SmallVector<const SCEV *, 4> Parts(S->operands());
  if (Sum) // 8·n - 16
    std::reverse(Parts.begin(), Parts.end());
  for (const SCEV *Part : Parts) {
    std::optional<std::string> One = text(Part, !Sum && !Most && !Least);
    if (!One)
      return std::nullopt;
    if (!All.empty() && Sum && StringRef(*One).consume_front("-"))
      All += " - " + One->substr(1);
    else
      All += (All.empty() ? "" : Sum ? " + " : Most || Least ? ", " : "·") + *One;
  }
  if (Most || Least)
    return (Most ? "max(" : "min(") + All + ")";
  return Sum && Factor ? "(" + All + ")" : All;
}

/// The bytes of all buffers, or of those only that go into a snapshot.
static std::string bytesOf(const StepState &Known, ScalarEvolution &SE, bool CarriedOnly) {
  const SCEV *Sum = nullptr;
  for (auto &[Base, B] : Known.buffers()) {
    if (CarriedOnly && !B.Carried)
      continue;
    const SCEV *Low = nullptr, *High = nullptr;
    for (const StateRange &R : B.Written) {
      Low = Low ? SE.getSMinExpr(Low, R.Low) : R.Low;
      High = High ? SE.getSMaxExpr(High, R.High) : R.High;
    }
    const SCEV *Bytes = SE.getMinusSCEV(High, Low);
    Sum = Sum ? SE.getAddExpr(Sum, Bytes) : Bytes;
  }
  if (!Sum)
    return "no bytes";
  std::optional<std::string> Text = text(Sum);
  return (Text ? *Text + " bytes" : std::string("as many bytes as the steps write"));
}

void remarkSnapshots(Function &State, const StepState &Known, ScalarEvolution &SE, const GradientName &G) {
  OptimizationRemarkEmitter ORE(&State);
  ORE.emit([&] {
    Steps S = stepsOf(State);
    DebugLoc Line = userLine(S.Mark->getDebugLoc());
    OptimizationRemark R("tapefree", "Snapshots", DiagnosticLocation(Line), &State.getEntryBlock());
    auto *Count = dyn_cast<ConstantInt>(S.Snapshots);
    std::string Number = Count ? std::to_string(Count->getSExtValue()) : "s", Given;
    if (!Count)
      Given = " (" + (nameOf(S.Snapshots) ? "s is '" + *nameOf(S.Snapshots) + "'" : "s as given") + ")";
    R << "the steps of this loop are run again in the reverse sweep, from at most "
      << ore::NV("Snapshots", Number) << (Number == "1" ? " snapshot" : " snapshots") << Given << " of "
      << ore::NV("Formula", bytesOf(Known, SE, true)) << " each, with "
      << ore::NV("Behind", bytesOf(Known, SE, false)) << " of what the loop leaves, all in one heap block; ";
    if (Count) {
      uint64_t N = Count->getZExtValue(), Once = SaturatingAdd<uint64_t>(N, 1);
      R << "up to " << ore::NV("Once", Once) << " steps are run again at most once, up to "
        << ore::NV("Twice", SaturatingMultiply(Once, SaturatingAdd<uint64_t>(N, 2)) / 2)
        << " at most twice, up to C(" << Number << " + r, r) at most r times";
    } else {
      R << "up to C(s + r, r) steps are run again at most r times";
    }
    R << ore::setExtraArgs() << ore::NV("Gradient", G.Number);
    return R;
  });
}

} // namespace tapefree
