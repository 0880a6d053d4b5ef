// Inlining of visible callees, bottom-up. Each callee's locals are promoted to SSA *before* it is inlined:
// only then can LLVM's inliner turn its `restrict` parameters into no-alias scopes on the accesses, at -O0 as
// at -O3. The scopes of other restrict pointers are made then, too (Restrict.h).
#include "Prepare/Prepare.h"
#include "Prepare/Restrict.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "Rules/UserRules.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
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
  /// A flattened function as it is inlined into others: with the scopes of its body.
  Function *body(Function &Source);
  void dropHelpers(Function *Keep);

private:
  bool recursive(Function &F);
  bool wanted(CallBase &Call, Function &Into);

  void choose(CallBase &Call) const;

  CheckedBodies Bodies;
  FunctionAnalysisManager &FAM;
  DenseMap<Function *, Function *> Flat;
  SmallPtrSet<Function *, 16> Scoped;
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

/// Whether a function looks at its variable arguments; where only `...` stands, as in fallbacks of the
/// standard library's traits, it is like any other.
static bool readsVariableArguments(const Function &F) {
  return F.isVarArg() && any_of(instructions(F), [](const Instruction &I) {
           auto *Call = dyn_cast<IntrinsicInst>(&I);
           return isa<VAArgInst>(I) || (Call && Call->getIntrinsicID() == Intrinsic::vastart);
         });
}

bool Inliner::wanted(CallBase &Call, Function &Into) {
  Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->isDeclaration())
    return false;
  // What the program registers stays a call; a rule only in the mode that it is for.
  if (rules::isRegistered(*Callee))
    return false;
  if (std::optional<rules::UserRule> Rule = rules::userRule(*Callee))
    if (Bodies == CheckedBodies::Safe ? Rule->Gradient : Rule->Derivative)
      return false;
  // The exits of a derivative: what they release has shadows now. Together with what is around them they
  // become exits again.
  if (rules::isExit(Callee->getName()))
    return true;
  if (rules::isOpaque(Callee->getName()) || readsVariableArguments(*Callee) || recursive(*Callee))
    return false;
  return Into.getInstructionCount() < InlineBudget && Callee->getInstructionCount() < InlineBudget;
}

/// A parameter that is a reference says that there is an object, which inlining forgets. Where the argument
/// is a loaded pointer, the load says so from now on: members of the object can then be read before a loop
/// that may not run at all.
static void keepDereferenceable(const CallBase &Call) {
  const Function &Callee = *Call.getCalledFunction();
  for (unsigned K = 0; K != Callee.arg_size(); ++K) {
    uint64_t Bytes = Callee.getParamDereferenceableBytes(K);
    if (!Bytes)
      continue;
    int64_t Offset = 0;
    auto *Load = dyn_cast<LoadInst>(
        GetPointerBaseWithConstantOffset(Call.getArgOperand(K), Offset, Callee.getDataLayout()));
    if (!Load || Offset < 0 || Load->getParent() != Call.getParent() ||
        Load->hasMetadata(LLVMContext::MD_dereferenceable))
      continue;
    // The load says it of where it stands itself: control must get from there to the call.
    if (!all_of(make_range(BasicBlock::const_iterator(Load), Call.getIterator()),
                [](const Instruction &I) { return isGuaranteedToTransferExecutionToSuccessor(&I); }))
      continue;
    auto Say = [&](unsigned Kind, uint64_t N) {
      Constant *C = ConstantInt::get(Type::getInt64Ty(Load->getContext()), N);
      Load->setMetadata(Kind, MDNode::get(Load->getContext(), {ConstantAsMetadata::get(C)}));
    };
    Say(LLVMContext::MD_dereferenceable, Bytes + static_cast<uint64_t>(Offset));
    MaybeAlign Alignment = Callee.getParamAlign(K);
    if (Alignment && isAligned(*Alignment, static_cast<uint64_t>(Offset)) &&
        !Load->hasMetadata(LLVMContext::MD_align))
      Say(LLVMContext::MD_align, Alignment->value());
    if (Callee.hasParamAttribute(K, Attribute::NoUndef))
      Load->setMetadata(LLVMContext::MD_noundef, MDNode::get(Load->getContext(), {}));
  }
}

Function *Inliner::flatten(Function &Source) {
  if (Function *Done = Flat.lookup(&Source))
    return Done;
  Function *F = clonePrimal(Source, "tapefree.primal." + Source.getName());
  Flat[&Source] = F;
  takeRestrictMarks(*F);
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
    for (CallBase *Call : Calls)
      keepDereferenceable(*Call);
    for (CallBase *Call : Calls) {
      Function *Body = body(*Call->getCalledFunction());
      Call->setCalledFunction(Body);
      Call->removeFnAttr(Attribute::NoInline);
      InlineFunctionInfo IFI;
      Again |= InlineFunction(*Call, IFI).isSuccess();
    }
    // A parameter may have become the address of a local struct, which can now become values.
    Again |= dropObjectMarks(*F, /*OnlyOfLocals=*/true);
    if (Again)
      simplifyLocally(*F, FAM);
  }
  scopeRestrictLocals(*F);
  return F;
}

Function *Inliner::body(Function &Source) {
  Function *F = flatten(Source);
  if (Scoped.insert(F).second)
    scopeRestrictObjects(*F, FAM);
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
