#include "Explain/Remarks.h"
#include "Explain/Explanation.h"
#include "Support/Diag.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

static constexpr const char *PassName = "tapefree";
using NV = ore::NV;

/// A part of the record that says where something is.
static NV located(StringRef Key, const Twine &Text, const DebugLoc &At) {
  NV Part(Key, Text.str());
  if (At && At.getLine())
    Part.Loc = DiagnosticLocation(At);
  return Part;
}

static std::string fileAndLine(const DebugLoc &L) {
  return L && L.getLine() ? (L->getFilename() + ":" + Twine(L.getLine())).str() : std::string();
}

/// What the file name of a line is relative to; the record has only the name.
static StringRef folder(const DebugLoc &L) { return L ? L->getDirectory() : ""; }

/// The calls that lead from the differentiated function to the value, and the function that has it.
static std::pair<CallChain, std::string> callsOf(const Explanation &E, const GradientName &G) {
  CallChain Calls = G.Calls;
  append_range(Calls, E.Calls);
  return {std::move(Calls), E.Calls.empty() ? G.Function : userName(*E.Line->getScope()->getSubprogram())};
}

/// " (line 12)", " (line 5, in 'layer', which 'net' calls at line 12)"
static std::string placeOf(const Explanation &E, const GradientName &G) {
  if (!E.Line || !E.Line.getLine())
    return "";
  auto [Calls, Function] = callsOf(E, G);
  return " (line " + std::to_string(E.Line.getLine()) +
         (Calls.empty() ? "" : ", in " + calledText(Function, Calls, E.Line)) + ")";
}

/// For programs that read the record: what the sentence has no word for.
static void addParts(DiagnosticInfoOptimizationBase &R, const Explanation &E, const GradientName &G) {
  auto [Calls, Function] = callsOf(E, G);
  R << ore::setExtraArgs() << NV("Bytes", E.RowBytes) << NV("Cause", name(E.Why))
    << located("By", fileAndLine(E.CauseLine), E.CauseLine);
  if (!E.CauseName.empty())
    R << NV("ByWhat", E.CauseName);
  if (E.Total)
    if (auto Constant = E.Total->constant())
      R << NV("Total", *Constant);
  R << NV("Gradient", G.Number) << NV("In", Function) << NV("Folder", folder(E.Line));
  for (const CallStep &Step : Calls)
    R << located("Caller", Step.Caller, Step.At);
}

static void remarkKeep(const Explanation &E, const Prepared &P, const GradientName &G,
                       OptimizationRemarkEmitter &ORE) {
  // The remarks are about the user's function: the prepared clone has another name and goes away.
  const BasicBlock *Where = &P.Source->getEntryBlock();
  DiagnosticLocation Line(E.Line);

  OptimizationRemarkMissed Keep(PassName, "Keep", Line, Where);
  Keep << "keeps " << NV("Value", E.Name) << placeOf(E, G) << ": " << NV("Formula", E.Bytes) << ", "
       << NV("Place", E.Place) << ", because " << NV("Why", E.Because) << "; to avoid it, "
       << NV("Edit", E.Edit);
  addParts(Keep, E, G);
  ORE.emit(Keep);

  OptimizationRemarkAnalysis Cause(PassName, "KeepCause", Line, Where);
  Cause << NV("Value", E.Name) << " can be neither computed nor read again: " << NV("Why", E.Because)
        << "; to avoid it, " << NV("Edit", E.Edit);
  addParts(Cause, E, G);
  ORE.emit(Cause);
}

static unsigned count(const Plan &P, Fate Wanted) {
  return unsigned(count_if(P.Values, [&](const auto &V) { return V.second.F == Wanted; }));
}

static std::string values(unsigned N, StringRef What) {
  return (Twine(N) + (N == 1 ? " value" : " values") + What).str();
}

void remarkPlan(const Facts &F, const Plan &P, const GradientName &G, bool InWorkspace) {
  OptimizationRemarkEmitter ORE(F.P.Source);
  if (!ORE.allowExtraAnalysis(PassName))
    return;
  SmallVector<Explanation, 4> All = explainPlan(F, P);
  if (InWorkspace)
    for (Explanation &E : All)
      if (E.OnHeap)
        E.Place = "in the workspace";
  DiagnosticLocation Line;
  if (const DISubprogram *SP = F.P.Source->getSubprogram())
    Line = DiagnosticLocation(SP);
  bool Step = F.P.Source->getName().starts_with("tapefree.step."); // of a loop whose steps are run again
  for (const Instruction &I : instructions(*F.P.Source))
    if (DebugLoc At = Step ? userLine(I.getDebugLoc()) : DebugLoc(); At && At.getLine()) {
      Line = DiagnosticLocation(At);
      break;
    }
  OptimizationRemark Gradient(PassName, "Gradient", Line, &F.P.Source->getEntryBlock());
  // A part of an inner derivative that could not be taken into the outer one.
  bool Again = F.P.Source->getName().starts_with("tapefree.");
  Gradient << (Step    ? "gradient of a step of '"
               : Again ? "gradient of a derivative of '"
                       : "gradient of '")
           << NV("Function", G.Function) << "' keeps ";
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
  if (!G.Calls.empty())
    Gradient << "; a part of the gradient of '" << NV("Outermost", G.Calls[0].Caller)
             << "': " << calledText(G.Function, G.Calls, G.Calls[0].At);
  Gradient << ore::setExtraArgs() << NV("KeptValues", unsigned(All.size())) << NV("Reloads", Reloads)
           << NV("Recomputes", Recomputes) << NV("Gradient", G.Number)
           << located("Request", fileAndLine(G.Request), G.Request)
           << NV("Folder", F.P.Source->getSubprogram() ? F.P.Source->getSubprogram()->getDirectory() : "");
  for (const CallStep &Step : G.Calls)
    Gradient << located("Caller", Step.Caller, Step.At);
  ORE.emit(Gradient);
  for (const Explanation &E : All)
    remarkKeep(E, F.P, G, ORE);
}

void remarkChecked(const Facts &F, const Plan &Fast, const GradientName &G, size_t Buffers) {
  OptimizationRemarkEmitter ORE(F.P.Source);
  ORE.emit([&] {
    OptimizationRemark R(PassName, "Checked", F.P.Source->getSubprogram(), &F.P.Source->getEntryBlock());
    R << "the gradient of '" << NV("Function", G.Function) << "' tests at run time that "
      << NV("Buffers", unsigned(Buffers)) << " buffers and their shadows do not overlap, and then keeps ";
    size_t Kept = explainPlan(F, Fast).size(); // records of calls included
    R << NV("Kept", Kept ? values(Kept, "") : "nothing");
    R << ore::setExtraArgs() << NV("KeptValues", Kept) << NV("Gradient", G.Number);
    return R;
  });
}

/// Notes at the value, at what forces it, and at each call that leads to the value.
static void noteKept(const Explanation &E, const Function &In, const GradientName &G, Diag &D) {
  D.note(In, E.Line,
         "keeps " + E.Name + placeOf(E, G) + ": " + E.Bytes + ", " + E.Place + ", because " + E.Because +
             "; to avoid it, " + E.Edit);
  bool Elsewhere = E.CauseLine && E.CauseLine.getLine() &&
                   (!E.Line || E.Line.getLine() != E.CauseLine.getLine() ||
                    E.Line.getCol() != E.CauseLine.getCol() || E.Line->getFile() != E.CauseLine->getFile());
  if (Elsewhere && !E.CauseName.empty())
    D.note(In, E.CauseLine, E.CauseName + " is here");
}

bool checkStrict(const Facts &F, const Plan &P, const CallBase &Call, Diag &D) {
  SmallVector<Explanation, 4> OnHeap;
  for (Explanation &E : explainPlan(F, P))
    if (E.OnHeap)
      OnHeap.push_back(std::move(E));
  if (OnHeap.empty())
    return true;
  GradientName G;
  G.Function = userName(*F.P.Source);
  std::optional<std::string> Sum = sumBytes(OnHeap);
  D.error(Call, "strict: the gradient of '" + G.Function + "' keeps " +
                    values(OnHeap.size(), " on the heap") + (Sum ? " (" + *Sum + ")" : std::string()));
  for (const Explanation &E : OnHeap)
    noteKept(E, *F.P.Source, G, D);
  return false;
}

} // namespace tapefree
