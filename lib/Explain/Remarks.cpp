#include "Explain/Remarks.h"
#include "Explain/Explanation.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

static constexpr const char *PassName = "tapefree";
using NV = ore::NV;

/// " (line 12)"
static std::string lineOf(const Explanation &E) {
  return E.Line && E.Line.getLine() ? " (line " + std::to_string(E.Line.getLine()) + ")" : "";
}

static void remarkKeep(const Explanation &E, const Prepared &P, OptimizationRemarkEmitter &ORE) {
  // The remarks are about the user's function: the prepared clone has another name and goes away.
  const BasicBlock *Where = &P.Source->getEntryBlock();
  std::string By = E.CauseLine && E.CauseLine.getLine()
                       ? (E.CauseLine->getFilename() + ":" + Twine(E.CauseLine.getLine())).str()
                       : std::string();
  DiagnosticLocation Line(E.Line);

  OptimizationRemarkMissed Keep(PassName, "Keep", Line, Where);
  Keep << "keeps " << NV("Value", E.Name) << lineOf(E) << ": " << NV("Formula", E.Bytes) << ", "
       << NV("Place", E.Place) << ", because " << NV("Why", E.Because) << "; to avoid it, "
       << NV("Edit", E.Edit);
  Keep << ore::setExtraArgs() << NV("Bytes", E.RowBytes) << NV("Cause", name(E.Why)) << NV("By", By);
  ORE.emit(Keep);

  OptimizationRemarkAnalysis Cause(PassName, "KeepCause", Line, Where);
  Cause << NV("Value", E.Name) << " can be neither computed nor read again: " << NV("Why", E.Because)
        << "; to avoid it, " << NV("Edit", E.Edit);
  Cause << ore::setExtraArgs() << NV("Cause", name(E.Why)) << NV("By", By);
  ORE.emit(Cause);
}

static unsigned count(const Plan &P, Fate Wanted) {
  return unsigned(count_if(P.Values, [&](const auto &V) { return V.second.F == Wanted; }));
}

static std::string values(unsigned N, StringRef What) {
  return (Twine(N) + (N == 1 ? " value" : " values") + What).str();
}

void remarkPlan(const Facts &F, const Plan &P, StringRef Name) {
  OptimizationRemarkEmitter ORE(F.P.Source);
  if (!ORE.allowExtraAnalysis(PassName))
    return;
  SmallVector<Explanation, 4> All = explainPlan(F, P);
  DiagnosticLocation Line;
  if (const DISubprogram *SP = F.P.Source->getSubprogram())
    Line = DiagnosticLocation(SP);
  OptimizationRemark Gradient(PassName, "Gradient", Line, &F.P.Source->getEntryBlock());
  // A part of an inner derivative that could not be taken into the outer one.
  bool Again = F.P.Source->getName().starts_with("tapefree.");
  Gradient << (Again ? "gradient of a derivative of '" : "gradient of '") << NV("Function", Name)
           << "' keeps ";
  if (All.empty()) {
    Gradient << NV("Kept", "nothing") << " (0 bytes)";
  } else {
    Gradient << NV("Kept", values(All.size(), ""));
    if (auto Sum = sumBytes(All))
      Gradient << " (" << NV("Formula", *Sum) << ")";
    else
      Gradient << " (how many bytes, only the run tells)";
  }
  unsigned Reloads = count(P, Fate::Reload), Recomputes = count(P, Fate::Recompute);
  Gradient << "; " << NV("ReloadText", values(Reloads, " read again")) << ", "
           << NV("RecomputeText", values(Recomputes, " computed again"));
  Gradient << ore::setExtraArgs() << NV("KeptValues", unsigned(All.size())) << NV("Reloads", Reloads)
           << NV("Recomputes", Recomputes);
  ORE.emit(Gradient);
  for (const Explanation &E : All)
    remarkKeep(E, F.P, ORE);
}

bool checkStrict(const Facts &F, const Plan &P, const CallBase &Call, Diag &D) {
  unsigned Before = D.errors();
  for (const Explanation &E : explainPlan(F, P)) {
    if (!E.OnHeap)
      continue;
    std::string Asked;
    if (DebugLoc Line = userLine(Call.getDebugLoc()))
      Asked = " (strict by the call at " + Names::lineText(Line, E.Line) + ")";
    D.error(*F.P.Source, E.Line,
            "strict: the gradient of '" + userName(*F.P.Source) + "' keeps " + E.Name + lineOf(E) + ": " +
                E.Bytes + ", " + E.Place + ", because " + E.Because + "; to avoid it, " + E.Edit + Asked);
  }
  return D.errors() == Before;
}

} // namespace tapefree
