#include "Frontend/ParseCall.h"
#include "Frontend/Registrations.h"
#include "Support/CheckpointMark.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace tapefree {

/// What follows the prefix in a name of this interface: "autodiff_square" of "__tapefree_autodiff_square".
/// The mangled spelling of a template or overload carries the plain name inside.
static StringRef verbOf(StringRef Name) {
  for (StringRef Prefix : {"__tapefree_", "__enzyme_"})
    if (size_t At = Name.find(Prefix); At != StringRef::npos)
      return Name.drop_front(At + Prefix.size());
  return {};
}

std::optional<Mode> requestedMode(StringRef Name) {
  StringRef Verb = verbOf(Name);
  if (Verb.starts_with("autodiff") || asksWorkspaceSize(Name))
    return Mode::Reverse;
  if (Verb.starts_with("fwddiff"))
    return Mode::Forward;
  return std::nullopt;
}

bool asksWorkspaceSize(StringRef Name) { return verbOf(Name).starts_with("workspacesize"); }

bool isBatchName(StringRef Name) { return verbOf(Name).starts_with("batch"); }

static bool isRequest(StringRef Name) { return requestedMode(Name) || isBatchName(Name); }

/// Spellings of this interface that mean something to the derivative, but not to this version: they must not
/// be passed over in silence.
bool refuseUnknownSpellings(Module &M, Diag &D) {
  unsigned Before = D.errors();
  auto Ours = [](StringRef Name) { return Name.contains("__tapefree_") || Name.contains("__enzyme_"); };
  for (Function &F : M) {
    if (!F.isDeclaration() || F.use_empty() || !Ours(F.getName()) || isRequest(F.getName()) ||
        F.getName() == CheckpointName)
      continue;
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U))
        D.error(*Call, "'" + userName(F) +
                           "' is not supported by this version of Tapefree: only autodiff, fwddiff, batch "
                           "and workspacesize "
                           "calls are");
  }
  for (GlobalVariable &G : M.globals())
    if (Ours(G.getName()) && !isRegistration(G.getName()) &&
        none_of(ArrayRef{"_autodiff", "_fwddiff", "_batch", "_workspacesize"},
                [&](StringRef Verb) { return G.getName().contains(Verb); })) {
      D.count();
      M.getContext().emitError(
          "tapefree: '" + G.getName() +
          "' is not supported by this version of Tapefree, and its meaning must not be passed over");
    }
  return D.errors() == Before;
}

bool hasRequests(const Module &M) {
  return any_of(
      M, [](const Function &F) { return F.isDeclaration() && !F.use_empty() && isRequest(F.getName()); });
}

SmallVector<CallBase *, 8> findRequestCalls(Module &M) {
  SmallVector<CallBase *, 8> Calls;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Call = dyn_cast<CallBase>(&I))
        if (auto *Callee = dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts()))
          if (Callee->isDeclaration() && isRequest(Callee->getName()))
            Calls.push_back(Call);
  return Calls;
}

/// Inlines every always_inline call inside `F`, transitively. Wrappers of the C++ API are always_inline.
static bool inlineWrappers(Function &F) {
  bool Changed = false;
  for (bool Again = true; Again;) {
    Again = false;
    for (Instruction &I : make_early_inc_range(instructions(F))) {
      auto *Call = dyn_cast<CallBase>(&I);
      Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      if (!Callee || Callee == &F || Callee->isDeclaration() ||
          !Callee->hasFnAttribute(Attribute::AlwaysInline))
        continue;
      InlineFunctionInfo IFI;
      if (InlineFunction(*Call, IFI).isSuccess()) {
        Changed = Again = true;
        break; // the instruction list changed under us
      }
    }
  }
  return Changed;
}

void exposeRequests(Module &M, FunctionAnalysisManager &FAM) {
  // A function reaches a request directly, or through always_inline wrappers that take the callee as an
  // argument.
  SmallVector<Function *, 16> Work;
  SmallPtrSet<Function *, 16> Holders;
  for (Function &F : M)
    if (F.isDeclaration() && isRequest(F.getName()))
      for (User *U : F.users())
        if (auto *Call = dyn_cast<CallBase>(U))
          if (Holders.insert(Call->getFunction()).second)
            Work.push_back(Call->getFunction());
  while (!Work.empty()) {
    Function *F = Work.pop_back_val();
    if (!F->hasFnAttribute(Attribute::AlwaysInline))
      continue;
    for (User *U : F->users())
      if (auto *Call = dyn_cast<CallBase>(U))
        if (Call->getCalledFunction() == F && Holders.insert(Call->getFunction()).second)
          Work.push_back(Call->getFunction());
  }
  for (Function &F : M) { // module order: the order of errors must not depend on pointers
    if (!Holders.contains(&F) || F.hasFnAttribute(Attribute::AlwaysInline))
      continue;
    if (!inlineWrappers(F))
      continue;
    // SROA opens the argument objects of the C++ API (dup, active, ...), and EarlyCSE forwards what they
    // held.
    FAM.invalidate(F, PreservedAnalyses::none());
    SROAPass(SROAOptions::PreserveCFG).run(F, FAM);
    FAM.invalidate(F, PreservedAnalyses::none());
    EarlyCSEPass().run(F, FAM);
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  // The wrappers that are left would still ask for derivatives of their own parameters, but nobody calls them
  // any more.
  for (bool Again = true; Again;) {
    Again = false;
    for (Function &F : make_early_inc_range(M)) {
      F.removeDeadConstantUsers();
      if (Holders.contains(&F) && F.hasFnAttribute(Attribute::AlwaysInline) && F.use_empty() &&
          F.isDiscardableIfUnused()) {
        Holders.erase(&F);
        F.eraseFromParent();
        Again = true;
      }
    }
  }
}

} // namespace tapefree
