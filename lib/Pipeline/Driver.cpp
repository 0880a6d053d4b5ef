#include "Pipeline/Driver.h"
#include "Frontend/ParseCall.h"
#include "Pipeline/Units.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tapefree {

/// Calls of derivatives inside functions that are differentiated themselves come first: the outer derivative then sees
/// ordinary code.
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

/// Writes the derivative's results where the call expects its own, in the layout of a C struct of them.
static Value *deliver(IRBuilder<> &B, CallRequest &R, Value *Result, Diag &D) {
  const DataLayout &DL = R.Call->getDataLayout();
  auto *ST = dyn_cast<StructType>(Result->getType());
  uint64_t Want = R.ResultType->isVoidTy() ? 0 : DL.getTypeStoreSize(R.ResultType);
  if (R.ResultType->isVoidTy())
    return nullptr; // the caller ignores the results
  if (!ST) {
    D.error(*R.Call, R.Req.Kind == Mode::Forward
                         ? "this call expects a result, but the derivative has none: '" + userName(*R.Req.Primal) +
                               "' returns no floating value, and primal_return is not asked for"
                         : std::string("this call expects a result, but the derivative has none: no argument is out, and "
                                       "primal_return is not asked for"));
    return nullptr;
  }
  if (ST->getNumElements() == 1 && ST->getElementType(0) == R.ResultType && !R.ResultMemory)
    return B.CreateExtractValue(Result, 0);
  uint64_t Size = DL.getTypeStoreSize(ST);
  if (Want < DL.getStructLayout(ST)->getElementOffset(ST->getNumElements() - 1) +
                 DL.getTypeStoreSize(ST->getElementType(ST->getNumElements() - 1))) {
    D.error(*R.Call, "the result of this call has " + Twine(Want) + " bytes, but the derivative returns " +
                         Twine(ST->getNumElements()) + (ST->getNumElements() == 1 ? " value of " : " values of together ") +
                         Twine(Size) + " bytes: one field for each out argument, in order" +
                         (R.Req.ReturnPrimal ? ", behind the primal's value" : ""));
    return nullptr;
  }
  Value *Memory = R.ResultMemory;
  if (!Memory) {
    BasicBlock &Entry = R.Call->getFunction()->getEntryBlock();
    Type *Bytes = ArrayType::get(B.getInt8Ty(), std::max(Size, Want));
    auto *Slot = new AllocaInst(Bytes, 0, nullptr, Align(16), "tapefree.result", Entry.begin());
    Memory = Slot;
  }
  for (unsigned I = 0; I < ST->getNumElements(); ++I)
    B.CreateStore(B.CreateExtractValue(Result, I), B.CreateStructGEP(ST, Memory, I));
  return R.ResultMemory ? nullptr : B.CreateLoad(R.ResultType, Memory);
}

static void replaceCall(CallRequest &R, Function &Derivative, Diag &D) {
  IRBuilder<> B(R.Call);
  SmallVector<Value *, 16> Args;
  for (unsigned I = 0; I < R.Primals.size(); ++I) {
    Args.push_back(R.Primals[I]);
    if (R.Shadows[I])
      Args.push_back(R.Shadows[I]);
  }
  if (R.Req.Kind == Mode::Reverse && R.Req.ReturnActive)
    Args.push_back(R.Seed ? R.Seed : ConstantFP::get(R.Req.Primal->getReturnType(), 1.0));
  Value *Result = B.CreateCall(&Derivative, Args);
  if (Value *V = deliver(B, R, Result, D))
    R.Call->replaceAllUsesWith(V);
}

/// Takes the request out of the program; after a refusal its result is undefined, and no code is generated anyway.
static void eraseCall(CallBase &Call) {
  SmallVector<WeakTrackingVH, 16> Operands(Call.args()); // two markers may be one load, or one operand part of another
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

/// A const argument that is a function by name (a callback) is fixed in a copy of the primal: its body becomes visible.
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

bool lowerRequests(Module &M, ModuleAnalysisManager &MAM) {
  if (!hasRequests(M))
    return false;
  FunctionAnalysisManager &FAM = MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  exposeRequests(M, FAM);
  Diag D;
  refuseUnknownSpellings(M, D);
  for (CallBase *Call : innermostFirst(findRequestCalls(M))) {
    // Each call gets its own cache of prepared functions: lowering an inner call changed the functions around it.
    Units U(M, MAM, D);
    auto *Callee = cast<Function>(Call->getCalledOperand()->stripPointerCasts());
    FAM.invalidate(*Call->getFunction(), PreservedAnalyses::none());
    std::optional<CallRequest> R = parseCall(*Call, *requestedMode(Callee->getName()), D);
    if (R)
      fixCallbacks(*R);
    if (R)
      if (Function *Derivative = R->Req.Kind == Mode::Forward ? U.tangent(*R) : U.gradient(*R))
        replaceCall(*R, *Derivative, D);
    eraseCall(*Call);
  }
  return true;
}

PreservedAnalyses TapefreePass::run(Module &M, ModuleAnalysisManager &MAM) {
  return lowerRequests(M, MAM) ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace tapefree
