#include "Pipeline/Deliver.h"
#include "Emit/LaneChunks.h"
#include "Emit/LaneEntry.h"
#include "Prepare/Exits.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tapefree {

static AllocaInst *localSlot(const CallRequest &R, Type *T, Align A, const Twine &Name) {
  return new AllocaInst(T, R.Call->getDataLayout().getAllocaAddrSpace(), nullptr, A, Name,
                        R.Call->getFunction()->getEntryBlock().begin());
}

/// Whether the call has room for results of type `ST` (null: none). An error if it expects what it will not
/// get.
static bool fits(const CallRequest &R, StructType *ST, Diag &D) {
  const DataLayout &DL = R.Call->getDataLayout();
  if (R.ResultType->isVoidTy())
    return false; // the caller ignores the results
  if (!ST) {
    D.error(
        *R.Call,
        R.Req.Kind == Mode::Forward
            ? "this call expects a result, but the derivative has none: '" + userName(*R.Req.Primal) +
                  "' returns no floating value, and primal_return is not asked for"
            : std::string("this call expects a result, but the derivative has none: no argument is out, and "
                          "primal_return is not asked for"));
    return false;
  }
  unsigned Fields = ST->getNumElements(), Lanes = R.Req.Lanes.Width;
  uint64_t Size = DL.getTypeStoreSize(ST), Want = DL.getTypeStoreSize(R.ResultType);
  if (Want >= DL.getStructLayout(ST)->getElementOffset(Fields - 1) +
                  DL.getTypeStoreSize(ST->getElementType(Fields - 1)))
    return true;
  std::string Each = Lanes == 1 ? "one field" : "one array of " + std::to_string(Lanes);
  D.error(*R.Call, "the result of this call has " + Twine(Want) + " bytes, but the derivative returns " +
                       Twine(Fields) + (Fields == 1 ? " value of " : " values of together ") + Twine(Size) +
                       " bytes: " + Each + " for each out argument, in order" +
                       (R.Req.ReturnPrimal ? ", behind the primal's value" : ""));
  return false;
}

/// Writes the derivative's results where the call expects its own, in the layout of a C struct of them.
static Value *deliver(IRBuilder<> &B, CallRequest &R, Value *Result, Diag &D) {
  auto *ST = dyn_cast<StructType>(Result->getType());
  if (!fits(R, ST, D))
    return nullptr;
  if (ST->getNumElements() == 1 && ST->getElementType(0) == R.ResultType && !R.ResultMemory)
    return B.CreateExtractValue(Result, 0);
  Value *Memory = R.ResultMemory;
  if (!Memory) {
    const DataLayout &DL = R.Call->getDataLayout();
    uint64_t Bytes = std::max<uint64_t>(DL.getTypeStoreSize(ST), DL.getTypeStoreSize(R.ResultType));
    Memory = localSlot(R, ArrayType::get(B.getInt8Ty(), Bytes), Align(16), "tapefree.result");
  }
  for (unsigned I = 0; I < ST->getNumElements(); ++I)
    B.CreateStore(B.CreateExtractValue(Result, I), B.CreateStructGEP(ST, Memory, I));
  return R.ResultMemory ? nullptr : B.CreateLoad(R.ResultType, Memory);
}

/// tapefree.strided(ptr lanes, ptr first, i64 stride, i64 count): the addresses of many lanes, by a loop that
/// stays one.
static Function *stridedFunction(Module &M) {
  if (Function *Known = M.getFunction("tapefree.strided"))
    return Known;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr, I64, I64}, false),
                             GlobalValue::InternalLinkage, "tapefree.strided", M);
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::NoUnwind);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F), *Body = BasicBlock::Create(C, "body", F),
             *Exit = BasicBlock::Create(C, "exit", F);
  IRBuilder<> B(Entry);
  B.CreateBr(Body);
  B.SetInsertPoint(Body);
  PHINode *Lane = B.CreatePHI(I64, 2);
  Value *Address = B.CreateGEP(B.getInt8Ty(), F->getArg(1), B.CreateMul(Lane, F->getArg(2)));
  B.CreateStore(Address, B.CreateInBoundsGEP(Ptr, F->getArg(0), Lane));
  Value *Next = B.CreateAdd(Lane, B.getInt64(1));
  Lane->addIncoming(B.getInt64(0), Entry);
  Lane->addIncoming(Next, Body);
  B.CreateCondBr(B.CreateICmpEQ(Next, F->getArg(3)), Exit, Body);
  IRBuilder<>(Exit).CreateRetVoid();
  return F;
}

/// Where the user's call unwinds to code of its own, the derivative's exceptions go there as well.
static void unwindLike(const CallBase &User, CallInst &Derivative) {
  auto *Invoke = dyn_cast<InvokeInst>(&User);
  if (!Invoke || !mayThrow(Derivative))
    return;
  BasicBlock *Unwind = Invoke->getUnwindDest();
  BasicBlock *Here = Derivative.getParent();
  changeToInvokeAndSplitBasicBlock(&Derivative, Unwind);
  for (PHINode &Phi : Unwind->phis())
    Phi.addIncoming(Phi.getIncomingValueForBlock(Invoke->getParent()), Here);
}

/// N values of one type in memory. One value stands for all lanes; with a stride it is the address of the
/// first lane.
static Value *lanesInMemory(IRBuilder<> &B, const CallRequest &R, ArrayRef<Value *> Values, Value *Stride) {
  unsigned Width = R.Req.Lanes.Width;
  Type *T = Values[0]->getType();
  Align A = R.Call->getDataLayout().getABITypeAlign(T);
  auto *Slot = localSlot(R, ArrayType::get(T, Width), A, "tapefree.lanes");
  if (Stride && Width > StraightLanes) {
    B.CreateCall(stridedFunction(*R.Call->getModule()), {Slot, Values[0], Stride, B.getInt64(Width)});
    return Slot;
  }
  auto At = [&](Value *Lane) { return B.CreateInBoundsGEP(T, Slot, Lane); };
  for (auto [K, V] : enumerate(Values))
    B.CreateAlignedStore(V, At(B.getInt64(K)), A);
  for (unsigned K = unsigned(Values.size()); K < Width; ++K) {
    Value *V = Stride ? B.CreateGEP(B.getInt8Ty(), Values[0], B.CreateMul(Stride, B.getInt64(K))) : Values[0];
    B.CreateAlignedStore(V, At(B.getInt64(K)), A);
  }
  return Slot;
}

static void replaceBatchedCall(CallRequest &R, Function &Derivative, Diag &D) {
  StructType *Results = laneResults(Derivative);
  bool Fits = fits(R, Results, D);
  Function *Entry = emitLaneEntry(Derivative);
  IRBuilder<> B(R.Call);
  SmallVector<Value *, 16> Args;
  for (unsigned I = 0; I < R.Primals.size(); ++I) {
    Type *T = R.Primals[I]->getType();
    Args.push_back(R.Primals[I]);
    if (R.Shadows[I].empty())
      continue;
    bool OneForAll = T->isPointerTy() && R.Req.Lanes.arg(I) == LaneLayout::Interleaved;
    Args.push_back(OneForAll ? R.Shadows[I][0] : lanesInMemory(B, R, R.Shadows[I], R.Strides[I]));
  }
  if (R.Req.Kind == Mode::Reverse && R.Req.ReturnActive) {
    Value *One = ConstantFP::get(R.Req.Primal->getReturnType(), 1.0);
    Args.push_back(lanesInMemory(B, R, R.Seeds.empty() ? ArrayRef(One) : ArrayRef(R.Seeds), nullptr));
  }
  if (R.Req.InWorkspace)
    Args.append({R.Workspace, R.WorkspaceBytes});
  Value *Memory = R.ResultMemory;
  if (Results) {
    const DataLayout &DL = R.Call->getDataLayout();
    uint64_t Bytes = DL.getTypeStoreSize(Results);
    if (Fits && !Memory)
      Bytes = std::max<uint64_t>(Bytes, DL.getTypeStoreSize(R.ResultType));
    if (!Memory || !Fits)
      Memory = localSlot(R, ArrayType::get(B.getInt8Ty(), Bytes), Align(16), "tapefree.result");
    Args.push_back(Memory);
  }
  CallInst *Call = B.CreateCall(Entry, Args);
  if (Fits && !R.ResultMemory)
    R.Call->replaceAllUsesWith(B.CreateLoad(R.ResultType, Memory));
  unwindLike(*R.Call, *Call);
}

void replaceCall(CallRequest &R, Function &Derivative, Diag &D) {
  if (R.Req.Lanes.Width > 1)
    return replaceBatchedCall(R, Derivative, D);
  IRBuilder<> B(R.Call);
  SmallVector<Value *, 16> Args;
  for (unsigned I = 0; I < R.Primals.size(); ++I) {
    Args.push_back(R.Primals[I]);
    Args.append(R.Shadows[I].begin(), R.Shadows[I].end());
  }
  if (R.Req.Kind == Mode::Reverse && R.Req.ReturnActive)
    Args.push_back(R.Seeds.empty() ? ConstantFP::get(R.Req.Primal->getReturnType(), 1.0) : R.Seeds[0]);
  if (R.Req.InWorkspace)
    Args.append({R.Workspace, R.WorkspaceBytes});
  CallInst *Result = B.CreateCall(&Derivative, Args);
  if (Value *V = deliver(B, R, Result, D))
    R.Call->replaceAllUsesWith(V);
  unwindLike(*R.Call, *Result);
}

} // namespace tapefree
