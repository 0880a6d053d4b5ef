#include "Pipeline/Driver.h"
#include "Emit/BatchCall.h"
#include "Emit/Checkpoint.h"
#include "Emit/LaneEntry.h"
#include "Frontend/ParseBatch.h"
#include "Frontend/ParseCall.h"
#include "Frontend/Registrations.h"
#include "Pipeline/Deliver.h"
#include "Pipeline/Units.h"
#include "Prepare/Checkpoint.h"
#include "Prepare/Restrict.h"
#include "Rules/UserRules.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tapefree {

/// Calls of derivatives inside functions that are differentiated themselves come first: the outer derivative
/// then sees ordinary code.
static SmallVector<CallBase *, 8> innermostFirst(ArrayRef<CallBase *> Calls) {
  SmallVector<CallBase *, 8> Order;
  SmallPtrSet<CallBase *, 16> Done;
  std::function<void(CallBase *)> Visit = [&](CallBase *Call) {
    if (!Done.insert(Call).second)
      return;
    SmallPtrSet<Function *, 16> Seen;
    SmallVector<Function *, 16> Work;
    for (Value *Op : Call->args())
      if (auto *F = dyn_cast<Function>(Op->stripPointerCasts()))
        Work.push_back(F);
    while (!Work.empty()) {
      Function *F = Work.pop_back_val();
      if (!Seen.insert(F).second)
        continue;
      if (std::optional<rules::UserRule> Rule = rules::userRule(*F)) // may ask for derivatives themselves
        for (Function *G : {Rule->Augmented, Rule->Gradient, Rule->Derivative})
          if (G)
            Work.push_back(G);
      for (Instruction &I : instructions(*F)) {
        auto *Inner = dyn_cast<CallBase>(&I);
        if (!Inner)
          continue;
        if (is_contained(Calls, Inner))
          Visit(Inner);
        for (Value *Op : Inner->operand_values())
          if (auto *G = dyn_cast<Function>(Op->stripPointerCasts()))
            Work.push_back(G);
      }
    }
    Order.push_back(Call);
  };
  for (CallBase *Call : Calls)
    Visit(Call);
  return Order;
}

/// Takes the request out of the program; after a refusal its result is undefined, and no code is generated
/// anyway.
static void eraseCall(CallBase &Call) {
  SmallVector<WeakTrackingVH, 16> Operands(
      Call.args()); // two markers may be one load, or one operand part of another
  if (!Call.use_empty())
    Call.replaceAllUsesWith(PoisonValue::get(Call.getType()));
  if (auto *Inv = dyn_cast<InvokeInst>(&Call)) {
    changeToCall(Inv)->eraseFromParent();
  } else {
    Call.eraseFromParent();
  }
  // Loads of marker globals must not survive: nobody defines the markers.
  for (WeakTrackingVH &V : Operands)
    if (V)
      RecursivelyDeleteTriviallyDeadInstructions(V);
}

void callThroughRule(Request &R) {
  std::optional<rules::UserRule> Rule = rules::userRule(*R.Primal);
  if (!Rule || !(R.Kind == Mode::Forward ? Rule->Derivative : Rule->Gradient))
    return;
  Function &F = *R.Primal;
  R.Primal = Function::Create(F.getFunctionType(), GlobalValue::InternalLinkage,
                              "tapefree.primal." + F.getName(), F.getParent());
  copyTarget(*R.Primal, F);
  IRBuilder<> B(BasicBlock::Create(F.getContext(), "entry", R.Primal));
  SmallVector<Value *, 8> Args;
  for (Argument &A : R.Primal->args())
    Args.push_back(&A);
  CallInst *Call = B.CreateCall(&F, Args);
  Call->setCallingConv(F.getCallingConv());
  if (F.getReturnType()->isVoidTy())
    B.CreateRetVoid();
  else
    B.CreateRet(Call);
}

/// A const argument that is a function by name (a callback) is fixed in a copy of the primal: its body
/// becomes visible.
static void fixCallbacks(CallRequest &R) {
  if (none_of(R.Primals, [](Value *V) { return isa<Function>(V); }))
    return;
  ValueToValueMapTy Map;
  Function *Fixed = CloneFunction(R.Req.Primal, Map);
  Fixed->setLinkage(GlobalValue::InternalLinkage);
  Fixed->setComdat(nullptr);
  for (auto [A, V] : zip(Fixed->args(), R.Primals))
    if (isa<Function>(V))
      A.replaceAllUsesWith(V);
  R.Req.Primal = Fixed;
}

/// Whether a function or what it calls has the attribute.
static bool reaches(Function &F, StringRef Mark) {
  SmallPtrSet<Function *, 16> Seen = {&F};
  SmallVector<Function *, 16> Work = {&F};
  while (!Work.empty()) {
    Function *G = Work.pop_back_val();
    if (G->hasFnAttribute(Mark))
      return true;
    for (Instruction &I : instructions(*G))
      if (auto *Call = dyn_cast<CallBase>(&I))
        for (Value *Op : Call->operand_values())
          if (auto *Callee = dyn_cast<Function>(Op->stripPointerCasts()))
            if (Seen.insert(Callee).second)
              Work.push_back(Callee);
  }
  return false;
}

/// A derivative of a gradient in a workspace would need a shadow of the workspace, which nobody gave.
static bool refuseWorkspaceInside(const CallRequest &R, Diag &D) {
  if (reaches(*R.Req.Primal, CheckpointedMark)) {
    D.error(*R.Call,
            "'" + userName(*R.Req.Primal) +
                "' takes a gradient of a loop marked by checkpoint, which cannot be differentiated again: "
                "leave the mark out there");
    return true;
  }
  if (!reaches(*R.Req.Primal, WorkspaceMark))
    return false;
  D.error(*R.Call,
          "'" + userName(*R.Req.Primal) +
              "' takes a gradient in a workspace, which cannot be differentiated again: use gradient "
              "there, without a workspace");
  return true;
}

/// Whether what is compiled here is linked by way of LTO: clang notes that in the module.
static bool toBeLinked(const Module &M) { return M.getModuleFlag("ThinLTO"); }

/// Whether a call waits until then: its function is in another file.
static bool waitsForLink(const CallBase &Call) {
  auto *Function = dyn_cast<llvm::Function>(Call.getArgOperand(0)->stripPointerCasts());
  return Function && Function->isDeclaration() && !rules::userRule(*Function);
}

/// A call that only batches: a loop over its lanes.
static void lowerBatch(CallBase &Call, FunctionAnalysisManager &FAM, Diag &D) {
  if (std::optional<BatchRequest> R = parseBatch(Call, D)) {
    emitBatchLoop(*R);
    FAM.invalidate(*Call.getFunction(), PreservedAnalyses::none());
  }
  eraseCall(Call);
}

bool lowerRequests(Module &M, ModuleAnalysisManager &MAM, bool Last, Diag &D) {
  if (!hasRequests(M))
    return false;
  FunctionAnalysisManager &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  declareCheckpoints(M);
  exposeRequests(M, FAM);
  if (std::string Mistake = environmentMistake(); !Mistake.empty()) {
    D.count();
    M.getContext().emitError("tapefree: " + Mistake);
  }
  refuseUnknownSpellings(M, D);
  unsigned Named = 0;
  for (CallBase *Call : innermostFirst(findRequestCalls(M))) {
    auto *Callee = cast<Function>(Call->getCalledOperand()->stripPointerCasts());
    if (isBatchName(Callee->getName())) {
      lowerBatch(*Call, FAM, D);
      continue;
    }
    if (!Last && toBeLinked(M) && Call->arg_size() && waitsForLink(*Call))
      continue;
    // Each call gets its own cache of prepared functions: lowering an inner call changed the functions around
    // it.
    Units U(M, MAM, D, Named);
    FAM.invalidate(*Call->getFunction(), PreservedAnalyses::none());
    std::optional<CallRequest> R = parseCall(*Call, *requestedMode(Callee->getName()), D);
    if (R)
      callThroughRule(R->Req);
    if (R)
      fixCallbacks(*R);
    if (R && !refuseWorkspaceInside(*R, D))
      if (Function *Derivative = R->Req.Kind == Mode::Forward ? U.tangent(*R) : U.gradient(*R))
        replaceCall(*R, *Derivative, D);
    eraseCall(*Call);
  }
  return true;
}

PreservedAnalyses TapefreePass::run(Module &M, ModuleAnalysisManager &MAM) {
  Diag D;
  bool Changed = showRegisteredCalls(M);
  Changed |= readRegistrations(M, D);
  keepRegistered(M); // before wrappers are inlined
  Changed |= lowerRequests(M, MAM, Last, D);
  clearRegistrations(M);
  if (Last)
    Changed |= releaseRegistered(M);
  else if (toBeLinked(M))
    hideRegisteredCalls(M);
  Changed |= stripCheckpoints(M);
  Changed |= stripRestrictAnnotations(M);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

PreservedAnalyses ReleaseRegisteredPass::run(Module &M, ModuleAnalysisManager &) {
  return releaseRegistered(M) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace tapefree
