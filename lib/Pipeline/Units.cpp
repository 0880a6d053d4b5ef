#include "Pipeline/Units.h"
#include "Analysis/Memory/Extents.h"
#include "Analysis/Memory/PromisedBuffers.h"
#include "Analysis/Memory/TouchedBytes.h"
#include "Analysis/Types/Remember.h"
#include "Analysis/Types/Retype.h"
#include "Emit/DisjointTest.h"
#include "Emit/LaneChunks.h"
#include "Explain/Checked.h"
#include "Explain/Remarks.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "Support/Options.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tapefree {

// Past this many instructions of the primal a second body costs more code than it is worth.
static constexpr unsigned CheckedLimit = 4000;

static bool harmless(const CallBase &Call) {
  if (callsVisibleBody(Call))
    return false;
  if (rules::scalarRule(Call))
    return true;
  rules::CallKind K = rules::callEffect(Call).Kind;
  // Frees are delayed until the reverse sweep has passed the allocation, and nothing is read after a call
  // that does not come back.
  return K == rules::CallKind::Inactive || K == rules::CallKind::Allocate ||
         K == rules::CallKind::AllocateZeroed || K == rules::CallKind::Free || K == rules::CallKind::NoReturn;
}

PreparedUnit::PreparedUnit(std::unique_ptr<Prepared> Frozen, FunctionAnalysisManager &FAM)
    : P(std::move(Frozen)), FAM(FAM) {
  Function &F = *P->F;
  Types = std::make_unique<MemoryTypes>(F, F.getDataLayout());
  Over =
      std::make_unique<Overwrites>(F, FAM.getResult<AAManager>(F), FAM.getResult<DominatorTreeAnalysis>(F),
                                   FAM.getResult<LoopAnalysis>(F), FAM.getResult<ScalarEvolutionAnalysis>(F),
                                   FAM.getResult<TargetLibraryAnalysis>(F), OverwriteOptions(), harmless);
}

PreparedUnit::~PreparedUnit() {
  Over.reset();
  Types.reset();
  FAM.clear(*P->F, P->F->getName());
  P->F->eraseFromParent();
}

Units::Units(Module &M, ModuleAnalysisManager &MAM, Diag &D)
    : FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()), D(D) {}
Units::~Units() = default;

/// Notes on the copies of a function and of all that it calls what they move: of what a pointer is, is clear
/// at -O0 only as long as nothing has been simplified.
static void rememberTypesOfAll(Function &Source) {
  SmallPtrSet<Function *, 16> Seen = {&Source};
  SmallVector<Function *, 16> Todo = {&Source};
  while (!Todo.empty()) {
    Function *F = Todo.pop_back_val();
    rememberTypes(*F);
    for (const Instruction &I : instructions(*F))
      if (auto *Call = dyn_cast<CallBase>(&I); Call && callsVisibleBody(*Call))
        if (Seen.insert(Call->getCalledFunction()).second)
          Todo.push_back(Call->getCalledFunction());
  }
}

PreparedUnit *Units::prepared(Function &Source, bool Lanes, CheckedBodies Bodies) {
  auto [It, New] = Prepareds.try_emplace(&Source);
  if (!New)
    return It->second.get();
  rememberTypesOfAll(Source);
  std::unique_ptr<Prepared> P = prepareBody(Source, Bodies, FAM, D);
  if (!P)
    return nullptr;
  rememberTypes(*P->F); // before instcombine forgets of what pointers are
  InstCombinePass().run(*P->F, FAM);
  FAM.invalidate(*P->F, PreservedAnalyses::none());
  retypeCopies(*P->F); // prepared code first: what bytes are is clear only when callees are inlined
  FAM.invalidate(*P->F, PreservedAnalyses::none());
  InstCombinePass().run(*P->F, FAM);
  if (Lanes) // lanes are the vectors of a batch: the primal's own are taken apart
    scalariseVectors(*P->F, FAM);
  freeze(*P, FAM);
  It->second = std::make_unique<PreparedUnit>(std::move(P), FAM);
  return It->second.get();
}

/// Registers for slots, and the plainest simplifications: a pipeline that runs later does the rest.
void Units::clean(Function &F, unsigned Width) {
  FAM.invalidate(F, PreservedAnalyses::none());
  ownAssignIds(F);
  removeUnreachableBlocks(F);
  SROAPass(SROAOptions::ModifyCFG).run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  EarlyCSEPass(true).run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  InstCombinePass().run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  SimplifyCFGPass(SimplifyCFGOptions().speculateBlocks(false)).run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  ADCEPass().run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  if (Width > StraightLanes) {
    chunkLanes(F, Width, FAM.getResult<AAManager>(F));
    FAM.invalidate(F, PreservedAnalyses::none());
    ADCEPass().run(F, FAM);
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  // Separate lanes: element by element is faster than what processors make of gathers and scatters.
  if (Width > 1)
    expandMaskedAccesses(F);
}

/// Shadow pointers in memory have the layout of the caller's buffers where it does not matter, and separate
/// lanes where only these will do.
static LaneSignature lanesOf(const Function &F, const Activity &Act, LaneSignature S) {
  if (!S.InMemory) {
    S.InMemory = LaneLayout::Interleaved;
    if (!Lanes(F, Act, S).consistent())
      S.InMemory = LaneLayout::Separate;
  }
  return S;
}

namespace {
/// What is overwritten, if one more alias analysis is right.
struct AssumingOverwrites {
  template <class Assumed>
  AssumingOverwrites(const Facts &F, FunctionAnalysisManager &FAM, Assumed &Extra)
      : AA(FAM.getResult<TargetLibraryAnalysis>(*F.P.F)) {
    Function &Frozen = *F.P.F;
    AA.addAAResult(FAM.getResult<BasicAA>(Frozen));
    AA.addAAResult(FAM.getResult<ScopedNoAliasAA>(Frozen));
    AA.addAAResult(FAM.getResult<TypeBasedAA>(Frozen));
    AA.addAAResult(Extra);
    Over.emplace(Frozen, AA, F.DT, F.LI, F.SE, FAM.getResult<TargetLibraryAnalysis>(Frozen),
                 OverwriteOptions(), harmless);
  }
  AAResults AA;
  std::optional<Overwrites> Over;
};
} // namespace

/// The same facts with other overwrites.
static Facts with(const Facts &F, Overwrites &Over) {
  return {F.P, F.DT, F.LI, F.SE, F.Types, F.Act, F.L, Over};
}

void Units::plan(const Request &R,
                 function_ref<void(const Facts &, const Plan &, const PromisedBuffers *)> Use) {
  PreparedUnit *U = prepared(*R.Primal, R.Lanes.Width > 1, CheckedBodies::Safe);
  if (!U)
    return;
  Function &F = *U->prepared().F;
  Activity Act(F, R.Args, R.ReturnActive, U->types());
  Lanes L(F, Act, lanesOf(F, Act, R.Lanes));
  Facts Known{U->prepared(),
              FAM.getResult<DominatorTreeAnalysis>(F),
              FAM.getResult<LoopAnalysis>(F),
              FAM.getResult<ScalarEvolutionAnalysis>(F),
              U->types(),
              Act,
              L,
              U->overwrites()};
  if (!L.check(D))
    return;
  Plan P;
  if (R.Alias != AliasPolicy::Disjoint) {
    if (buildPlan(P, Known, D))
      Use(Known, P, nullptr);
    return;
  }
  PromisedBuffers Promise(F, FAM.getResult<MemorySSAAnalysis>(F).getMSSA(),
                          [&](const Value *Root) { return Act.pointer(Root) == PointerState::Mixed; });
  PromisedDisjoint Assumed(Promise);
  AssumingOverwrites Kept(Known, FAM, Assumed);
  Facts Promised = with(Known, *Kept.Over);
  if (buildPlan(P, Promised, D))
    Use(Promised, P, &Promise);
}

const SplitFunctions *Units::split(Function &Source, const CallSignature &S) {
  for (auto &Known : Splits)
    if (Known->Source == &Source && Known->S == S)
      return Known->Failed ? nullptr : &Known->Functions;
  Splits.push_back(std::make_unique<Split>());
  Split &Mine = *Splits.back();
  Mine.Source = &Source;
  Mine.S = S;
  DerivativeSignature Signature{S.Args, S.ReturnActive, false, S.Lanes};
  Mine.Functions = declareSplit(Source, Signature);
  Request R;
  R.Primal = &Source;
  R.Args = S.Args;
  R.ReturnActive = S.ReturnActive;
  R.Lanes = S.Lanes;
  bool Done = false;
  plan(R, [&](const Facts &F, const Plan &P, const PromisedBuffers *) {
    Done = emitSplit(
        Mine.Functions, F, P, Signature, [&](Function &G, const CallSignature &T) { return split(G, T); }, D);
    if (Done) {
      remarkPlan(F, P, userName(Source));
      clean(*Mine.Functions.Augmented, S.Lanes.Width);
      clean(*Mine.Functions.Reverse, S.Lanes.Width);
    }
  });
  Mine.Failed = !Done;
  return Done ? &Mine.Functions : nullptr;
}

/// Lanes behind one shadow must not overlap: an error at the call where they are certain to.
static bool checkStrides(const CallRequest &R, Function &Frozen, FunctionAnalysisManager &FAM, Diag &D) {
  unsigned Before = D.errors();
  for (auto [I, Stride] : enumerate(R.Strides)) {
    auto *Bytes = dyn_cast_if_present<ConstantInt>(Stride);
    if (!Bytes || R.Req.Lanes.Width == 1)
      continue;
    uint64_t Touched = surelyTouchedBytes(*Frozen.getArg(unsigned(I)), FAM.getResult<LoopAnalysis>(Frozen),
                                          FAM.getResult<ScalarEvolutionAnalysis>(Frozen),
                                          FAM.getResult<DominatorTreeAnalysis>(Frozen));
    if (Bytes->getValue().abs().ult(Touched))
      D.error(*R.Call, "the stride of argument " + Twine(I + 1) + " is " + Twine(Bytes->getSExtValue()) +
                           " bytes, but '" + userName(*R.Req.Primal) + "' touches " + Twine(Touched) +
                           " bytes behind it: the lanes of its shadow would overlap");
  }
  return D.errors() == Before;
}

/// Under the alias policy `checked`: a second body, planned and optimised as if the buffers that the run can
/// compare did not overlap, and a test at entry that chooses. Null where there is nothing to gain.
/// Without `SafeBody` (strict checked) a failed test ends the program, and the second body is the only one.
Function *Units::checkedGradient(const CallRequest &R, const Facts &F, unsigned SafeKeeps,
                                 Function *SafeBody) {
  Function &Frozen = *F.P.F;
  // Without loops there is little to keep and nothing to vectorise.
  if (R.Req.Alias != AliasPolicy::Checked || F.LI.empty() ||
      (SafeBody && Frozen.getInstructionCount() > CheckedLimit))
    return nullptr;
  Extents Known(Frozen, F.LI, F.SE, FAM.getResult<MemorySSAAnalysis>(Frozen).getMSSA());
  Known.drop([&](const Value *Buffer) { return F.Act.pointer(Buffer) == PointerState::Mixed; });
  if (Known.buffers().size() < 2)
    return nullptr;
  AssumedDisjoint Assumed(Known);
  AssumingOverwrites Kept(F, FAM, Assumed);
  Facts Optimistic = with(F, *Kept.Over);
  Plan Fast;
  if (!buildPlan(Fast, Optimistic, D))
    return nullptr;
  std::string Name = userName(*R.Req.Primal);
  if (!SafeBody && !checkStrict(Optimistic, Fast, *R.Call, D))
    return nullptr;
  DerivativeSignature S{R.Req.Args, R.Req.ReturnActive, R.Req.ReturnPrimal, F.L.signature()};
  Function *Body = emitGradient(
      Optimistic, Fast, S, &Known, [&](Function &H, const CallSignature &T) { return split(H, T); }, D,
      SafeBody ? SafeBody->getName() + ".disjoint" : "tapefree.gradient." + R.Req.Primal->getName());
  if (!Body)
    return nullptr;
  Names Spelt(F);
  auto Message = [&](unsigned A, unsigned B, bool Shadows) {
    auto Buffer = [&](unsigned I) { return bufferName(Spelt, Known.buffers().begin()[I].first); };
    return overlapText(Buffer(A), Buffer(B), Shadows, Name, *R.Call,
                       "which is strict and has no second body for that");
  };
  OverlapMessage Given = nullptr;
  if (!SafeBody)
    Given = Message;
  Function *Test = emitDisjointTest(F.P, F.Act, F.L, Known, R.Req.Args, Body->getFunctionType(), FAM, Given);
  if (!Test) {
    Body->eraseFromParent();
    return nullptr;
  }
  clean(*Body, S.Lanes.Width);
  clean(*Test, 1);
  if (!SafeBody)
    remarkPlan(Optimistic, Fast, Name);
  else if (Fast.keptValues() < SafeKeeps)
    remarkChecked(Optimistic, Fast, Name, Known.buffers().size());
  return emitChoice(*Test, *Body, SafeBody);
}

Function *Units::gradient(const CallRequest &R) {
  for (auto &[Known, G] : Gradients)
    if (Known.sameDerivative(R.Req) && Known.Strict == R.Req.Strict && Known.Alias == R.Req.Alias &&
        Known.TrapOverlap == R.Req.TrapOverlap)
      return G;
  Function *G = nullptr;
  plan(R.Req, [&](const Facts &F, const Plan &P, const PromisedBuffers *Promise) {
    if (!checkStrides(R, *F.P.F, FAM, D))
      return;
    DerivativeSignature S{R.Req.Args, R.Req.ReturnActive, R.Req.ReturnPrimal, F.L.signature()};
    if (R.Req.TrapOverlap) {
      unsigned Before = D.errors();
      G = checkedGradient(R, F, 0, nullptr);
      if (G || D.errors() != Before)
        return;
    }
    if ((R.Req.Strict || strictEverywhere()) && !checkStrict(F, P, *R.Call, D))
      return;
    std::string Name = userName(*R.Req.Primal);
    Names Spelt(F);
    auto Message = [&](unsigned A, unsigned B, bool Shadows) {
      return overlapText(bufferName(Spelt, Promise->roots(A)[0]), bufferName(Spelt, Promise->roots(B)[0]),
                         Shadows, Name, *R.Call, "which was promised not to happen (alias policy disjoint)");
    };
    // While the promise is looked after, the forward sweep must not rely on it.
    bool Check = Promise && checksDisjoint();
    G = emitGradient(
        F, P, S, Check ? nullptr : Promise, [&](Function &H, const CallSignature &T) { return split(H, T); },
        D, "tapefree.gradient." + R.Req.Primal->getName(), Check ? Promise : nullptr, Message);
    if (!G)
      return;
    remarkPlan(F, P, Name);
    Function *Chosen = R.Req.TrapOverlap ? nullptr : checkedGradient(R, F, P.keptValues(), G);
    clean(*G, S.Lanes.Width);
    if (Chosen)
      G = Chosen;
  });
  Gradients.push_back({R.Req, G});
  return G;
}

bool Units::fillTangent(Function &Into, Function &Source, const TangentSignature &S, bool ReturnActive) {
  PreparedUnit *U = prepared(Source, S.Lanes.Width > 1, CheckedBodies::Both);
  if (!U)
    return false;
  Activity Act(*U->prepared().F, S.Args, ReturnActive, U->types());
  Lanes L(*U->prepared().F, Act, lanesOf(*U->prepared().F, Act, S.Lanes));
  if (!L.check(D) || !emitTangent(
                         Into, {U->prepared(), U->types(), Act, L}, S,
                         [&](Function &G, const CallSignature &T) { return callTangent(G, T); }, D))
    return false;
  clean(Into, S.Lanes.Width);
  return true;
}

Function *Units::callTangent(Function &Source, const CallSignature &S) {
  for (const CallTangent &Known : CallTangents)
    if (Known.Source == &Source && Known.S == S)
      return Known.Tangent;
  TangentSignature Signature = callTangentSignature(Source, S);
  Function *Tangent = declareTangent(Source, Signature, "tapefree.tangent." + Source.getName());
  CallTangents.push_back({&Source, S, Tangent});
  // After an error the declaration stays, and the error stops the compilation.
  return fillTangent(*Tangent, Source, Signature, S.ReturnActive) ? Tangent : nullptr;
}

Function *Units::tangent(const CallRequest &R) {
  for (auto &[Known, G] : Gradients)
    if (Known.sameDerivative(R.Req))
      return G;
  TangentSignature S{R.Req.Args, R.Req.ReturnPrimal, R.Req.ReturnActive, R.Req.Lanes};
  Function *G = declareTangent(*R.Req.Primal, S, "tapefree.tangent." + R.Req.Primal->getName());
  PreparedUnit *U = prepared(*R.Req.Primal, S.Lanes.Width > 1, CheckedBodies::Both);
  if (!U || !checkStrides(R, *U->prepared().F, FAM, D) ||
      !fillTangent(*G, *R.Req.Primal, S, R.Req.ReturnActive)) {
    G->eraseFromParent();
    G = nullptr;
  }
  Gradients.push_back({R.Req, G});
  return G;
}

} // namespace tapefree
