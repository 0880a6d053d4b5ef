// Inlining of visible callees, bottom-up. Each callee's locals are promoted to SSA *before* it is inlined:
// only then can LLVM's inliner turn its `restrict` parameters into no-alias scopes on the accesses, at -O0 as
// at -O3.
#include "Prepare/Prepare.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace tapefree {

// A derivative is a few times its primal; past this many instructions calls stay calls and are split instead.
static constexpr unsigned InlineBudget = 60000;

namespace {
class Inliner {
public:
  Inliner(CheckedBodies Bodies, FunctionAnalysisManager &FAM) : Bodies(Bodies), FAM(FAM) {}
  Function *flatten(Function &Source);
  void dropHelpers(Function *Keep);

private:
  bool recursive(Function &F);
  bool wanted(CallBase &Call, Function &Into);

  void choose(CallBase &Call) const;

  CheckedBodies Bodies;
  FunctionAnalysisManager &FAM;
  DenseMap<Function *, Function *> Flat;
  DenseMap<Function *, bool> Recursive;
};
} // namespace

/// Whether `F` can reach itself through direct calls to visible bodies.
bool Inliner::recursive(Function &F) {
  auto Known = Recursive.find(&F);
  if (Known != Recursive.end())
    return Known->second;
  SmallPtrSet<Function *, 16> Seen;
  SmallVector<Function *, 16> Work = {&F};
  bool Found = false;
  while (!Work.empty() && !Found) {
    Function *G = Work.pop_back_val();
    for (Instruction &I : instructions(*G))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (auto *Callee = dyn_cast_if_present<Function>(Call->getCalledOperand()->stripPointerCasts())) {
          if (Callee == &F)
            Found = true;
          else if (!Callee->isDeclaration() && Seen.insert(Callee).second)
            Work.push_back(Callee);
        }
  }
  return Recursive[&F] = Found;
}

/// Calls the safe body in place of a choice between two.
void Inliner::choose(CallBase &Call) const {
  Function *Callee = Bodies == CheckedBodies::Safe ? Call.getCalledFunction() : nullptr;
  if (MDNode *Safe = Callee ? Callee->getMetadata(SafeBodyMark) : nullptr)
    Call.setCalledFunction(mdconst::extract<Function>(Safe->getOperand(0)));
}

bool Inliner::wanted(CallBase &Call, Function &Into) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->getName() == StringRef(rules::OutOfMemoryHandler) || Callee->isDeclaration() ||
      Callee->isVarArg() || recursive(*Callee))
    return false;
  return Into.getInstructionCount() < InlineBudget && Callee->getInstructionCount() < InlineBudget;
}

Function *Inliner::flatten(Function &Source) {
  if (Function *Done = Flat.lookup(&Source))
    return Done;
  Function *F = clonePrimal(Source, "tapefree.primal." + Source.getName());
  Flat[&Source] = F;
  simplifyLocally(*F, FAM);
  // A round can make more callees visible: function pointers become constants once locals are promoted.
  for (bool Again = true; Again;) {
    Again = false;
    SmallVector<CallBase *, 16> Calls;
    for (Instruction &I : instructions(*F)) {
      auto *Call = dyn_cast<CallBase>(&I);
      if (!Call)
        continue;
      choose(*Call);
      if (wanted(*Call, *F))
        Calls.push_back(Call);
    }
    for (CallBase *Call : Calls) {
      Function *Body = flatten(*Call->getCalledFunction());
      Call->setCalledFunction(Body);
      Call->removeFnAttr(Attribute::NoInline);
      InlineFunctionInfo IFI;
      Again |= InlineFunction(*Call, IFI).isSuccess();
    }
    if (Again)
      simplifyLocally(*F, FAM);
  }
  return F;
}

void Inliner::dropHelpers(Function *Keep) {
  for (auto &[Source, F] : Flat)
    if (F != Keep && F->use_empty()) {
      FAM.clear(*F, F->getName());
      F->eraseFromParent();
    }
}

Function *inlineVisibleCalls(Function &Source, CheckedBodies Bodies, FunctionAnalysisManager &FAM) {
  Inliner In(Bodies, FAM);
  Function *F = In.flatten(Source);
  In.dropHelpers(F);
  return F;
}

} // namespace tapefree
