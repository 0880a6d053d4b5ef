// Calls in forward mode.
#include "Emit/TangentBuilder.h"
#include "Emit/Unwinding.h"
#include "Prepare/Exits.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "Rules/UserRules.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

/// A call that stays a call: the callee's tangent function takes its place.
void TangentBuilder::visibleCall(IRBuilderBase &After, const CallBase &I) {
  CallSignature Signature = F.L.signature(I);
  if (!Signature.active()) { // what it returns is without a derivative
    if (carries(&I))
      Tangents[&I] = inactive(After, primal(&I), F.L.of(&I));
    return;
  }
  if (std::string Obstacle = rules::ruleObstacle(I, /*Reverse=*/false, F.L.width()); !Obstacle.empty())
    return D.error(I, Obstacle);
  Function *Tangent = Callee(*I.getCalledFunction(), Signature);
  if (!Tangent) {
    if (!D.errors())
      D.error(I, "the call of " + calleeName(I) + " has no derivative");
    return;
  }
  auto *Copy = cast<CallBase>(copyOf(I));
  IRBuilder<> B(Copy);
  SmallVector<Value *, 8> Args;
  for (const Use &U : I.args()) {
    unsigned Number = I.getArgOperandNo(&U);
    Args.push_back(Copy->getArgOperand(Number));
    if (Signature.Args[Number] != ArgActivity::Const)
      Args.push_back(differential(B, U.get(), Signature.Lanes.arg(Number)));
  }
  CallInst *New = B.CreateCall(Tangent, Args);
  New->setDebugLoc(Copy->getDebugLoc());
  Replaced[&I] = New;
  if (!I.getType()->isVoidTy()) {
    Value *Result = B.CreateExtractValue(New, 0, I.getName());
    Copy->replaceAllUsesWith(Result);
    Map[&I] = Result;
    if (carries(&I))
      Tangents[&I] = B.CreateExtractValue(New, 1, I.getName() + ".tangent");
  }
  Dead.push_back(Copy);
}

/// Calls out of which an exception may come: the list of blocks that end with this function must not outlive
/// it.
bool TangentBuilder::guard() {
  auto Primal = [&](const Value *V) { return primal(V); };
  auto Shadow = [&](IRBuilderBase &B, const Value *V) { return differential(B, V); };
  LeavingFinder Finder{F.Act, F.L, Primal, Shadow, Callee, D};
  SmallVector<LeavingCall, 8> Leaving;
  for (const Instruction &I : instructions(*F.P.F)) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    CallInst *Copy = Replaced.lookup(Call);
    if (!Copy)
      Copy = dyn_cast<CallInst>(primal(Call));
    if (Copy && !Finder.add(*Call, *Copy, Leaving, Dead))
      return false;
  }
  auto Release = [&](IRBuilderBase &B) { releaseScoped(B); };
  if (Scoped)
    guardCalls(G, Leaving, Release);
  else
    guardCalls(G, Leaving, nullptr);
  return true;
}

void TangentBuilder::maskedStore(IRBuilderBase &B, const CallBase &I) {
  const Value *V = I.getArgOperand(0), *Pointer = I.getArgOperand(1);
  if (!F.Act.hasShadow(Pointer) || (V->getType()->isIntOrIntVectorTy() && !F.Act.isVaried(V)))
    return;
  if (!holdsFloat(V->getType()))
    return refuse(I);
  Value *Address = shadowAddress(B, Pointer, G.getDataLayout().getTypeStoreSize(V->getType()), true);
  B.CreateMaskedStore(differential(B, V), Address, I.getParamAlign(1).valueOrOne(),
                      primal(I.getArgOperand(2)));
}

void TangentBuilder::call(IRBuilderBase &B, const CallBase &I) {
  if (callsVisibleBody(I))
    return visibleCall(B, I);
  if (isAllocation(&I))
    return allocation(B, I);
  if (roundsPointer(I))
    return carries(&I) ? pointer(B, I) : void();
  rules::CallEffect Effect = rules::callEffect(I);
  if (Effect.Kind == rules::CallKind::Free)
    return release(B, I, unsigned(Effect.Pointer));
  switch (I.getIntrinsicID()) {
  case Intrinsic::masked_store:
    return maskedStore(B, I);
  case Intrinsic::masked_load: {
    if (!carries(&I))
      return;
    Value *Address =
        shadowAddress(B, I.getArgOperand(0), G.getDataLayout().getTypeStoreSize(I.getType()), false);
    Tangents[&I] = B.CreateMaskedLoad(I.getType(), Address, I.getParamAlign(0).valueOrOne(),
                                      primal(I.getArgOperand(1)), differential(B, I.getArgOperand(2)));
    return;
  }
  case Intrinsic::vector_reduce_fadd:
    if (carries(&I))
      Tangents[&I] =
          B.CreateFAddReduce(differential(B, I.getArgOperand(0)), differential(B, I.getArgOperand(1)));
    return;
  default:
    break;
  }
  if (!carries(&I))
    return;
  D.error(I, "no derivative is known for the call of " + calleeName(I) +
                 ", which is given differentiated data: make its body visible here, or keep differentiated "
                 "values out of it");
  Tangents[&I] = zero(&I);
}

} // namespace tapefree
