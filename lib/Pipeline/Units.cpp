#include "Pipeline/Units.h"
#include "Analysis/Memory/Extents.h"
#include "Analysis/Memory/Harmless.h"
#include "Analysis/Memory/PromisedBuffers.h"
#include "Analysis/Memory/StepState.h"
#include "Analysis/Memory/TouchedBytes.h"
#include "Analysis/Types/Remember.h"
#include "Analysis/Types/Retype.h"
#include "Emit/Checkpoint.h"
#include "Emit/Contract.h"
#include "Emit/DisjointTest.h"
#include "Emit/Interchange.h"
#include "Emit/LaneChunks.h"
#include "Emit/PromoteSlots.h"
#include "Emit/UserRule.h"
#include "Emit/WorkspaceSize.h"
#include "Explain/Overlap.h"
#include "Explain/Snapshots.h"
#include "Explain/Workspace.h"
#include "Prepare/Checkpoint.h"
#include "Prepare/Exits.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "Rules/UserRules.h"
#include "Support/Options.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/BasicAliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TypeBasedAliasAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
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

PreparedUnit::PreparedUnit(std::unique_ptr<Prepared> Frozen, FunctionAnalysisManager &FAM)
    : P(std::move(Frozen)), FAM(FAM) {
  Function &F = *P->F;
  Types = std::make_unique<MemoryTypes>(F, F.getDataLayout());
  Over = std::make_unique<Overwrites>(
      F, FAM.getResult<AAManager>(F), FAM.getResult<DominatorTreeAnalysis>(F), FAM.getResult<LoopAnalysis>(F),
      FAM.getResult<ScalarEvolutionAnalysis>(F), FAM.getResult<TargetLibraryAnalysis>(F), OverwriteOptions(),
      leavesMemoryAlone);
}

PreparedUnit::~PreparedUnit() {
  Over.reset();
  Types.reset();
  FAM.clear(*P->F, P->F->getName());
  P->F->eraseFromParent();
}

Units::Units(Module &M, ModuleAnalysisManager &MAM, Diag &D, unsigned &Named)
    : M(M), FAM(MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager()), D(D), Named(Named) {}

/// Exits that no derivative calls as they are, and records that nobody gives up.
Units::~Units() {
  Prepareds.clear();
  for (bool Again = true; Again;) {
    Again = false;
    for (Function &F : make_early_inc_range(M)) {
      if (!rules::isExit(F.getName()) && !F.getName().starts_with("tapefree.discard."))
        continue;
      F.removeDeadConstantUsers();
      if (any_of(F.users(), [&](const User *U) {
            auto *I = dyn_cast<Instruction>(U);
            return !I || I->getFunction() != &F;
          }))
        continue;
      FAM.clear(F, F.getName());
      F.deleteBody(); // which may call itself
      F.eraseFromParent();
      Again = true;
    }
  }
}

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
        if (!Call->getCalledFunction()->isDeclaration() && Seen.insert(Call->getCalledFunction()).second)
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
  unpackNumbers(*P->F);
  InstCombinePass().run(*P->F, FAM);
  FAM.invalidate(*P->F, PreservedAnalyses::none());
  retypeCopies(*P->F); // prepared code first: what bytes are is clear only when callees are inlined
  unpackNumbers(*P->F);
  FAM.invalidate(*P->F, PreservedAnalyses::none());
  InstCombinePass().run(*P->F, FAM);
  if (Lanes) // lanes are the vectors of a batch: the primal's own are taken apart
    scalariseVectors(*P->F, FAM);
  P->Contracts = contractsProducts(*P->F);
  if (!cutMarkedLoops(*P, FAM, D))
    return nullptr;
  freeze(*P, FAM);
  It->second = std::make_unique<PreparedUnit>(std::move(P), FAM);
  return It->second.get();
}

/// Registers for slots, and the plainest simplifications: a pipeline that runs later does the rest.
void Units::clean(Function &F, unsigned Width, bool Contract) {
  FAM.invalidate(F, PreservedAnalyses::none());
  ownAssignIds(F);
  removeUnreachableBlocks(F);
  promoteSlots(F, FAM.getResult<DominatorTreeAnalysis>(F), FAM.getResult<LoopAnalysis>(F));
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
  if (interchangeLoops(F, FAM))
    ADCEPass().run(F, FAM);
  if (Contract)
    contractProducts(F);
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
/// The facts of a function, if one more alias analysis is right.
struct AssumedFacts {
  template <class Alias>
  AssumedFacts(const Facts &F, FunctionAnalysisManager &FAM, Alias &Extra)
      : AA(FAM.getResult<TargetLibraryAnalysis>(*F.P.F)),
        Over(*F.P.F, with(AA, FAM, *F.P.F, Extra, true), F.DT, F.LI, F.SE,
             FAM.getResult<TargetLibraryAnalysis>(*F.P.F), F.Over.options(), leavesMemoryAlone),
        Unscoped(FAM.getResult<TargetLibraryAnalysis>(*F.P.F)),
        Last(F.DT, F.LI, with(Unscoped, FAM, *F.P.F, Extra, false)),
        Optimistic{F.P, F.DT, F.LI, F.SE, F.Types, F.Act, F.L, Over, Last} {}

  AAResults AA;
  Overwrites Over;
  AAResults Unscoped; // scopes may begin inside a loop
  LastStores Last;
  Facts Optimistic;

private:
  template <class Alias>
  static AAResults &with(AAResults &To, FunctionAnalysisManager &FAM, Function &F, Alias &Extra,
                         bool Scopes) {
    To.addAAResult(FAM.getResult<BasicAA>(F));
    if (Scopes)
      To.addAAResult(FAM.getResult<ScopedNoAliasAA>(F));
    To.addAAResult(FAM.getResult<TypeBasedAA>(F));
    To.addAAResult(Extra);
    return To;
  }
};
} // namespace

void Units::plan(const Request &R, PlanUser Use, bool Overwritten) {
  PreparedUnit *U = prepared(*R.Primal, R.Lanes.Width > 1, CheckedBodies::Safe);
  if (!U)
    return;
  Function &F = *U->prepared().F;
  Activity Act(F, R.Args, R.ReturnActive, U->types());
  Lanes L(F, Act, lanesOf(F, Act, R.Lanes));
  // No scopes of restrict: those that begin in a loop say nothing of two iterations.
  AAResults AA(FAM.getResult<TargetLibraryAnalysis>(F));
  AA.addAAResult(FAM.getResult<BasicAA>(F));
  AA.addAAResult(FAM.getResult<TypeBasedAA>(F));
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  LastStores Last(DT, LI, AA);
  std::optional<Overwrites> ByCallers;
  if (Overwritten)
    ByCallers.emplace(F, FAM.getResult<AAManager>(F), DT, LI, SE, FAM.getResult<TargetLibraryAnalysis>(F),
                      OverwriteOptions{.CallerWrites = true}, leavesMemoryAlone);
  Facts Known{U->prepared(), DT, LI, SE, U->types(), Act, L, ByCallers ? *ByCallers : U->overwrites(), Last};
  if (!L.check(D))
    return;
  Plan P;
  if (R.Alias != AliasPolicy::Disjoint) {
    if (buildPlan(P, Known, D))
      Use(Known, P, nullptr);
    return;
  }
  PromisedBuffers Buffers(F, FAM.getResult<MemorySSAAnalysis>(F).getMSSA(),
                          [&](const Value *Root) { return Act.pointer(Root) == PointerState::Mixed; });
  PromisedDisjoint Disjoint(Buffers);
  AssumedFacts Kept(Known, FAM, Disjoint);
  Promise Given{Buffers, Kept.AA};
  if (buildPlan(P, Kept.Optimistic, D))
    Use(Kept.Optimistic, P, &Given);
}

CallChain Units::callsToSplit(const Function &Source) const {
  if (Within.empty())
    return {};
  CallChain Calls = Within.back().Name->Calls;
  append_range(Calls, callsTo(Source, *Within.back().Frozen, Within.back().Name->Function));
  return Calls;
}

/// An exit that also releases the shadows of what it releases. It is made of the exit as it stands.
Function *Units::shadowedExit(Function &Exit, const CallSignature &S) {
  for (const CallTangent &Known : CallTangents)
    if (Known.Source == &Exit && Known.S == S)
      return Known.Tangent;
  TangentSignature Signature;
  Signature.Args = S.Args;
  Signature.Lanes = S.Lanes;
  Signature.OnlyReleases = true;
  Function *Shadowed = declareTangent(Exit, Signature, Exit.getName() + ".shadowed");
  CallTangents.push_back({&Exit, S, Shadowed});
  Prepared Frozen;
  Frozen.F = Frozen.Source = &Exit;
  MemoryTypes Types(Exit, Exit.getDataLayout());
  Activity Act(Exit, S.Args, /*ReturnActive=*/false, Types);
  Lanes L(Exit, Act, lanesOf(Exit, Act, S.Lanes));
  if (!L.consistentBesideLoads() ||
      !emitTangent(
          *Shadowed, {Frozen, Types, Act, L}, Signature,
          [&](Function &G, const CallSignature &T) { return callTangent(G, T); }, D)) {
    abandon({Shadowed});
    return nullptr;
  }
  clean(*Shadowed, S.Lanes.Width);
  return Shadowed;
}

/// What could not be finished, after an error: as declarations, since no other pass may see half of a body.
void Units::abandon(std::initializer_list<Function *> Unfinished) {
  for (Function *F : Unfinished)
    if (F && !F->isDeclaration()) {
      FAM.clear(*F, F->getName());
      F->deleteBody();
    }
}

const SplitFunctions *Units::split(Function &Source, const CallSignature &S) {
  for (auto &Known : Splits)
    if (Known->Source == &Source && Known->S == S && Known->Guarded == Guarded)
      return Known->Failed ? nullptr : &Known->Functions;
  Splits.push_back(std::make_unique<Split>());
  Split &Mine = *Splits.back();
  Mine.Source = &Source;
  Mine.S = S;
  Mine.Guarded = Guarded;
  if (rules::isExit(Source.getName())) {
    Mine.Functions.Augmented = shadowedExit(Source, S);
    Mine.Failed = !Mine.Functions.Augmented;
    return Mine.Failed ? nullptr : &Mine.Functions;
  }
  if (std::optional<rules::UserRule> Rule = rules::userRule(Source); Rule && Rule->Gradient) {
    Mine.Functions = emitRuleGradient(Source, *Rule, S);
    return &Mine.Functions;
  }
  DerivativeSignature Signature{S.Args, S.ReturnActive, false, false, Guarded, S.Lanes};
  Mine.Functions = declareSplit(Source, Signature);
  if (Source.hasFnAttribute(StepsMark)) {
    if (Guarded) {
      D.error(*Source.getEntryBlock().getTerminator(),
              "the steps of the loop that is marked by checkpoint cannot be run again in a function that an "
              "exception may leave: report errors by a return value, or take the mark away");
      Mine.Failed = true;
      return nullptr;
    }
    Mine.Failed = !splitSteps(Mine.Functions, Source, S);
    return Mine.Failed ? nullptr : &Mine.Functions;
  }
  Request R;
  R.Primal = &Source;
  R.Args = S.Args;
  R.ReturnActive = S.ReturnActive;
  R.Lanes = S.Lanes;
  bool Done = false;
  plan(
      R,
      [&](const Facts &F, const Plan &P, const Promise *) {
        GradientName Name{userName(Source), ++Named, Within.empty() ? DebugLoc() : Within[0].Name->Request,
                          callsToSplit(Source)};
        remarkPlan(F, P, Name);
        Within.push_back({F.P.F, &Name});
        Done = emitSplit(
            Mine.Functions, F, P, Signature, [&](Function &G, const CallSignature &T) { return split(G, T); },
            D);
        Within.pop_back();
        if (Done) {
          clean(*Mine.Functions.Augmented, S.Lanes.Width, F.P.Contracts);
          clean(*Mine.Functions.Reverse, S.Lanes.Width, F.P.Contracts);
          if (Guarded)
            clean(*Mine.Functions.Discard, 1);
        }
      },
      S.Overwritten);
  Mine.Failed = !Done;
  if (!Done)
    abandon({Mine.Functions.Augmented, Mine.Functions.Reverse, Mine.Functions.Discard});
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

namespace {
/// The facts of a function, and its plan, if the buffers of `Known` do not overlap.
struct Assumption {
  Assumption(const Facts &F, Extents Ranges, FunctionAnalysisManager &FAM)
      : Known(std::move(Ranges)), Disjoint(Known), Kept(F, FAM, Disjoint) {}

  Extents Known;
  AssumedDisjoint Disjoint;
  AssumedFacts Kept;
  Plan Fast;
};
} // namespace

/// The derivative of a step whose buffers do not overlap, with the test whether that is so; null where it
/// would not keep less.
std::unique_ptr<Units::Split> Units::splitApart(Function &Step, const CallSignature &S, Function *&Test) {
  if (is_contained(S.Args, ArgActivity::DupMaybe))
    return nullptr;
  DerivativeSignature Signature{S.Args, S.ReturnActive, false, false, false, S.Lanes};
  std::unique_ptr<Split> Made;
  Request R;
  R.Primal = &Step;
  R.Args = S.Args;
  R.Lanes = S.Lanes;
  plan(R, [&](const Facts &F, const Plan &Safe, const Promise *) {
    Function &Frozen = *F.P.F;
    if (Frozen.getInstructionCount() > CheckedLimit)
      return;
    Extents Known(Frozen, F.LI, F.SE, FAM.getResult<MemorySSAAnalysis>(Frozen).getMSSA());
    Known.drop([&](const Value *Buffer) { return F.Act.pointer(Buffer) == PointerState::Mixed; });
    Assumption Assuming(F, std::move(Known), FAM);
    if (Assuming.Known.buffers().size() < 2 || !buildPlan(Assuming.Fast, Assuming.Kept.Optimistic, D) ||
        Assuming.Fast.heapWeight() >= Safe.heapWeight())
      return;
    auto *Parameters =
        FunctionType::get(Type::getVoidTy(Frozen.getContext()), gradientParameters(Frozen, Signature), false);
    Test = emitDisjointTest(F.P, F.Act, F.L, Assuming.Known, {}, S.Args, Parameters, FAM, nullptr);
    if (!Test)
      return;
    Made = std::make_unique<Split>(Split{&Step, S, false, declareSplit(Step, Signature)});
    auto Inner = [&](Function &G, const CallSignature &T) { return split(G, T); };
    if (!emitSplit(Made->Functions, Assuming.Kept.Optimistic, Assuming.Fast, Signature, Inner, D))
      return abandon({Made->Functions.Augmented, Made->Functions.Reverse});
    clean(*Test, 1);
    clean(*Made->Functions.Augmented, S.Lanes.Width, F.P.Contracts);
    clean(*Made->Functions.Reverse, S.Lanes.Width, F.P.Contracts);
  });
  return Made;
}

/// The derivative of a loop whose steps are run again.
bool Units::splitSteps(const SplitFunctions &Into, Function &Steps, const CallSignature &S) {
  unsigned Before = D.errors();
  ValueToValueMapTy Map;
  StepFunctions Made;
  Made.Steps = &Steps;
  Made.State = withParameter(Steps, PointerType::getUnqual(Steps.getContext()), "tapefree.state.", Map);
  {
    Function &F = *Made.State;
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    StepState Known(F, **LI.begin(), LI, SE, FAM.getResult<DominatorTreeAnalysis>(F), D);
    if (D.errors() == Before) {
      if (!Within.empty())
        remarkSnapshots(F, Known, SE, *Within.back().Name);
      emitState(F, Known, SE);
    }
    Made.Buffers = unsigned(Known.buffers().size());
  }
  FAM.clear(*Made.State, Made.State->getName());
  if (D.errors() != Before) {
    Made.State->eraseFromParent();
    return false;
  }
  clean(*Made.State, 1);
  Made.One = oneStep(Steps);
  CallSignature Step = S;
  Step.Args.push_back(ArgActivity::Const);
  Made.Split = split(*Made.One, Step);
  if (!Made.Split)
    return false;
  std::unique_ptr<Split> Apart = splitApart(*Made.One, Step, Made.Test);
  if (Apart)
    Made.Apart = &Apart->Functions;
  if (D.errors() != Before)
    return false;
  emitCheckpointed(Into, Made, {S.Args, S.ReturnActive, false, false, false, S.Lanes});
  return true;
}

/// Whether walks save at least a number of heap memory for each of their steps: that is what they cost.
static bool saves(const Plan &With, const Plan &Without, ArrayRef<RangeWalk> Walks) {
  unsigned Depth = 0;
  for (const RangeWalk &W : Walks)
    Depth = std::max(Depth, W.Depth);
  return With.heapWeight() + sizeof(double) * assumedRuns(Depth) <= Without.heapWeight();
}

static void discardWalks(SmallVectorImpl<RangeWalk> &Walks, FunctionAnalysisManager &FAM) {
  for (const RangeWalk &W : Walks) {
    FAM.clear(*W.F, W.F->getName());
    W.F->eraseFromParent();
  }
  Walks.clear();
}

static DerivativeSignature signatureOf(const Request &R, const Facts &F) {
  return {R.Args, R.ReturnActive, R.ReturnPrimal, R.InWorkspace, mayThrow(*F.P.F), F.L.signature()};
}

/// Under the alias policy `checked`: a second body, planned and optimised as if the buffers that the run can
/// compare did not overlap, and a test at entry that chooses. Else the safe body.
/// Without `SafeBody` (strict checked) a failed test ends the program, and the second body is the only one;
/// null where there is nothing to gain.
Function *Units::checked(const CallRequest &R, const Facts &F, const Plan &Safe, Function *SafeBody,
                         BodyMaker Make) {
  Function &Frozen = *F.P.F;
  // Without loops there is little to keep and nothing to vectorise.
  if (R.Req.Alias != AliasPolicy::Checked || F.LI.empty() ||
      (SafeBody && Frozen.getInstructionCount() > CheckedLimit))
    return SafeBody;
  Extents Known(Frozen, F.LI, F.SE, FAM.getResult<MemorySSAAnalysis>(Frozen).getMSSA());
  Known.drop([&](const Value *Buffer) { return F.Act.pointer(Buffer) == PointerState::Mixed; });
  auto Assuming = std::make_unique<Assumption>(F, std::move(Known), FAM);
  bool Planned = Assuming->Known.buffers().size() >= 2;
  if (Planned && !buildPlan(Assuming->Fast, Assuming->Kept.Optimistic, D))
    return SafeBody;
  // Ranges that take a walk to find cost time, so they must save heap memory.
  SmallVector<RangeWalk, 2> Walks;
  const Plan &Before = Planned ? Assuming->Fast : Safe;
  if (!Assuming->Known.walks().empty() && Before.keepsOnHeap()) {
    Extents More = Assuming->Known;
    Walks = emitRangeWalks(F.P, More, FAM, /*Exact=*/!SafeBody);
    auto Walking = std::make_unique<Assumption>(F, std::move(More), FAM);
    if (!Walks.empty() && !buildPlan(Walking->Fast, Walking->Kept.Optimistic, D))
      return SafeBody;
    bool Better = SafeBody ? saves(Walking->Fast, Before, Walks) : !Walking->Fast.keepsOnHeap();
    if (!Walks.empty() && Better) {
      Assuming = std::move(Walking);
      Planned = true;
    } else {
      discardWalks(Walks, FAM);
    }
  }
  if (!Planned)
    return SafeBody;
  Names Spelt(F);
  auto Message = [&](unsigned A, unsigned B, bool Shadows) {
    auto Buffer = [&](unsigned I) { return bufferName(Spelt, Assuming->Known.buffers().begin()[I].first); };
    return overlapText(Buffer(A), Buffer(B), Shadows, userName(*R.Req.Primal), *R.Call,
                       "which is strict and has no second body for that");
  };
  OverlapMessage Given = nullptr;
  if (!SafeBody)
    Given = Message;
  auto *Parameters = FunctionType::get(Type::getVoidTy(Frozen.getContext()),
                                       gradientParameters(Frozen, signatureOf(R.Req, F)), false);
  Function *Test =
      emitDisjointTest(F.P, F.Act, F.L, Assuming->Known, Walks, R.Req.Args, Parameters, FAM, Given);
  if (!Test) {
    discardWalks(Walks, FAM);
    return SafeBody;
  }
  Function *Body = Make(Assuming->Kept.Optimistic, Assuming->Fast, &Assuming->Known, Assuming->Kept.AA);
  if (!Body)
    return SafeBody;
  clean(*Test, 1);
  for (const RangeWalk &W : Walks)
    clean(*W.F, 1);
  return emitChoice(*Test, *Body, SafeBody);
}

/// With an error at the call where a strict gradient keeps something on the heap.
bool Units::announce(const CallRequest &R, const Facts &F, const Plan &P, const GradientName &Asked) {
  const Request &Req = R.Req;
  remarkPlan(F, P, Asked, Req.InWorkspace); // before an error, at which opt stops
  if ((Req.Strict || strictEverywhere()) && !Req.InWorkspace && !checkStrict(F, P, *R.Call, D))
    return false;
  return !Req.InWorkspace || checkWorkspace(F, *R.Call, D);
}

Function *Units::makeGradient(const CallRequest &R, const Facts &F, const Plan &P, const Promise *Given) {
  const Request &Req = R.Req;
  GradientName Asked{userName(*Req.Primal), ++Named, userLine(R.Call->getDebugLoc()), {}};
  DerivativeSignature S = signatureOf(Req, F);
  std::string Name = ("tapefree.gradient." + Req.Primal->getName()).str();
  Within.push_back({F.P.F, &Asked});
  scope_exit Left([&] { Within.pop_back(); });
  Guarded = S.Guarded;
  auto Split = [&](Function &H, const CallSignature &T) { return split(H, T); };
  auto Finish = [&](Function *G) {
    if (G && Req.InWorkspace)
      G->addFnAttr(WorkspaceMark);
    return G;
  };
  if (Req.TrapOverlap) {
    unsigned Before = D.errors();
    Function *Only = checked(
        R, F, P, nullptr,
        [&](const Facts &Optimistic, const Plan &Fast, const Extents *Tested, AAResults &) -> Function * {
          if (!announce(R, Optimistic, Fast, Asked))
            return nullptr;
          Function *Body = emitGradient(Optimistic, Fast, S, Tested, Split, D, Name);
          if (Body)
            clean(*Body, S.Lanes.Width, F.P.Contracts);
          return Body;
        });
    if (Only || D.errors() != Before)
      return Finish(Only);
  }
  if (!announce(R, F, P, Asked))
    return nullptr;
  Names Spelt(F);
  auto Message = [&](unsigned A, unsigned B, bool Shadows) {
    auto Buffer = [&](unsigned I) { return bufferName(Spelt, Given->Buffers.roots(I)[0]); };
    return overlapText(Buffer(A), Buffer(B), Shadows, Asked.Function, *R.Call,
                       "which was promised not to happen (alias policy disjoint)");
  };
  const PromisedBuffers *Buffers = Given ? &Given->Buffers : nullptr;
  // While the promise is looked after, the forward sweep must not rely on it.
  bool Check = Buffers && checksDisjoint();
  Function *G =
      emitGradient(F, P, S, Check ? nullptr : Buffers, Split, D, Name, Check ? Buffers : nullptr, Message);
  if (!G)
    return nullptr;
  Function *Chosen =
      Req.TrapOverlap
          ? G
          : checked(R, F, P, G,
                    [&](const Facts &Optimistic, const Plan &Fast, const Extents *Tested, AAResults &) {
                      Function *Body =
                          emitGradient(Optimistic, Fast, S, Tested, Split, D, Name + ".disjoint");
                      if (!Body)
                        return Body;
                      clean(*Body, S.Lanes.Width, F.P.Contracts);
                      if (Fast.keptValues() < P.keptValues())
                        remarkChecked(Optimistic, Fast, Asked, Tested->buffers().size());
                      return Body;
                    });
  clean(*G, S.Lanes.Width, F.P.Contracts);
  return Finish(Chosen);
}

/// Chooses as the gradient chooses, so that the number is that of the body that will run.
Function *Units::makeWorkspaceSize(const CallRequest &R, const Facts &F, const Plan &P,
                                   const Promise *Given) {
  DerivativeSignature S = signatureOf(R.Req, F);
  if (!checkWorkspace(F, *R.Call, D))
    return nullptr;
  auto Make = [&](const Facts &F, const Plan &P, const Extents *, AAResults &AA) -> Function * {
    if (!checkSizes(F, P, *R.Call, D))
      return nullptr;
    MemorySSA Memory(*F.P.F, &AA, &F.DT);
    SizeObstacle Obstacle;
    Function *Size =
        emitWorkspaceSize(F, P, S, Memory, Obstacle, "tapefree.workspacesize." + R.Req.Primal->getName());
    if (!Size) {
      refuseSize(F, Obstacle.Nest, Obstacle.Unknown, *R.Call, D);
      return nullptr;
    }
    clean(*Size, 1);
    return Size;
  };
  if (R.Req.TrapOverlap) {
    unsigned Before = D.errors();
    Function *Only = checked(R, F, P, nullptr, Make);
    if (Only || D.errors() != Before)
      return Only;
  }
  Function *Safe = Make(F, P, nullptr, Given ? Given->AA : FAM.getResult<AAManager>(*F.P.F));
  return !Safe || R.Req.TrapOverlap ? Safe : checked(R, F, P, Safe, Make);
}

Function *Units::gradient(const CallRequest &R) {
  for (auto &[Known, G] : Gradients)
    if (Known.sameDerivative(R.Req) && Known.Strict == R.Req.Strict && Known.Alias == R.Req.Alias &&
        Known.TrapOverlap == R.Req.TrapOverlap)
      return G;
  Function *G = nullptr;
  plan(R.Req, [&](const Facts &F, const Plan &P, const Promise *Given) {
    if (checkStrides(R, *F.P.F, FAM, D))
      G = R.Req.AsksSize ? makeWorkspaceSize(R, F, P, Given) : makeGradient(R, F, P, Given);
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
  clean(Into, S.Lanes.Width, U->prepared().Contracts);
  return true;
}

Function *Units::callTangent(Function &Source, const CallSignature &S) {
  if (rules::isExit(Source.getName()))
    return shadowedExit(Source, S);
  for (const CallTangent &Known : CallTangents)
    if (Known.Source == &Source && Known.S == S)
      return Known.Tangent;
  TangentSignature Signature = callTangentSignature(Source, S);
  Function *Tangent = declareTangent(Source, Signature, "tapefree.tangent." + Source.getName());
  CallTangents.push_back({&Source, S, Tangent});
  if (std::optional<rules::UserRule> Rule = rules::userRule(Source); Rule && Rule->Derivative) {
    emitRuleTangent(*Tangent, Source, *Rule, Signature);
    return Tangent;
  }
  // After an error the declaration stays, and the error stops the compilation.
  if (fillTangent(*Tangent, Source, Signature, S.ReturnActive))
    return Tangent;
  abandon({Tangent});
  return nullptr;
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
