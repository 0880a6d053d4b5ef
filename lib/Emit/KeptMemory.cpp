#include "Emit/KeptMemory.h"
#include "Emit/Emission.h"
#include "Rules/CallEffects.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

// No block on the heap is smaller, unless a row is larger.
static constexpr uint64_t SmallBytes = 256;
// Estimates of the final size are followed blindly up to this many bytes.
static constexpr uint64_t TrustedBytes = 4 << 20;

static Function *helper(Module &M, const Twine &Name, Type *Result, ArrayRef<Type *> Params) {
  return Function::Create(FunctionType::get(Result, Params, false), GlobalValue::InternalLinkage, Name, M);
}

/// A function of the C library that a freestanding program may lack: its address is then null.
static Function *optionalFunction(Module &M, StringRef Name, FunctionType *T) {
  if (Function *Known = M.getFunction(Name))
    return Known;
  return Function::Create(T, GlobalValue::ExternalWeakLinkage, Name, M);
}

/// Calls `F` if there is one.
static void callOptional(IRBuilder<> &B, Function *F, FunctionType *T, ArrayRef<Value *> Args) {
  if (!F->hasExternalWeakLinkage()) {
    B.CreateCall(T, F, Args);
    return;
  }
  Function *Here = B.GetInsertBlock()->getParent();
  LLVMContext &C = B.getContext();
  BasicBlock *Call = BasicBlock::Create(C, "call", Here), *Next = BasicBlock::Create(C, "next", Here);
  B.CreateCondBr(B.CreateIsNotNull(F), Call, Next);
  B.SetInsertPoint(Call);
  B.CreateCall(T, F, Args);
  B.CreateBr(Next);
  B.SetInsertPoint(Next);
}

/// The default of the handler: a message, and abort, as far as the program has what these take; a trap in any
/// case. It is weak, so that a definition of the user's anywhere in the program takes its place.
static void fillHandler(Function &F) {
  Module &M = *F.getParent();
  LLVMContext &C = M.getContext();
  F.setLinkage(GlobalValue::WeakAnyLinkage);
  F.setDSOLocal(false);
  for (Attribute::AttrKind K : {Attribute::NoReturn, Attribute::NoInline, Attribute::Cold})
    F.addFnAttr(K);
  IRBuilder<> B(BasicBlock::Create(C, "entry", &F));
  Type *Ptr = B.getPtrTy(), *I32 = B.getInt32Ty();
  auto *TakesPointer = FunctionType::get(I32, Ptr, false),
       *TakesNothing = FunctionType::get(B.getVoidTy(), false);
  callOptional(
      B, optionalFunction(M, "puts", TakesPointer), TakesPointer,
      B.CreateGlobalString("tapefree: no memory for the values that a gradient keeps: malloc failed, or "
                           "the workspace is too small"));
  callOptional(B, optionalFunction(M, "fflush", TakesPointer), TakesPointer,
               ConstantPointerNull::get(B.getPtrTy()));
  callOptional(B, optionalFunction(M, "abort", TakesNothing), TakesNothing, {});
  B.CreateIntrinsic(Intrinsic::trap, {});
  B.CreateUnreachable();
}

/// tapefree_out_of_memory(bytes): the user's, or else the default.
static Function *outOfMemory(Module &M) {
  LLVMContext &C = M.getContext();
  auto *T = FunctionType::get(Type::getVoidTy(C), Type::getInt64Ty(C), false);
  Function *F = M.getFunction(rules::OutOfMemoryHandler);
  if (F && !F->isDeclaration())
    return F;
  if (!F || F->getFunctionType() != T) {
    Function *New = Function::Create(T, GlobalValue::ExternalLinkage, "", M);
    if (F) { // declared in a shape of its own
      New->takeName(F);
      F->replaceAllUsesWith(New);
      F->eraseFromParent();
    } else {
      New->setName(rules::OutOfMemoryHandler);
    }
    F = New;
  }
  fillHandler(*F);
  return F;
}

/// tapefree.demand(got, bytes)
static Function *demandFunction(Module &M) {
  if (Function *Known = M.getFunction(rules::DemandFunction))
    return Known;
  LLVMContext &C = M.getContext();
  Function *F =
      helper(M, rules::DemandFunction, Type::getVoidTy(C), {Type::getInt1Ty(C), Type::getInt64Ty(C)});
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F), *Failed = BasicBlock::Create(C, "failed", F),
             *Done = BasicBlock::Create(C, "done", F);
  IRBuilder<> B(Entry);
  B.CreateCondBr(F->getArg(0), Done, Failed, MDBuilder(C).createLikelyBranchWeights());
  B.SetInsertPoint(Failed);
  Function *Handler = outOfMemory(M);
  // The user's own definition may have a shape of its own.
  auto *T = FunctionType::get(B.getVoidTy(), B.getInt64Ty(), false);
  B.CreateCall(T, Handler, F->getArg(1))->addFnAttr(Attribute::Cold);
  B.CreateIntrinsic(Intrinsic::trap, {}); // a handler that comes back
  B.CreateUnreachable();
  IRBuilder<>(Done).CreateRetVoid();
  return F;
}

void emitDemand(IRBuilderBase &B, Value *Got, Value *Bytes) {
  B.CreateCall(demandFunction(*B.GetInsertBlock()->getModule()),
               {Got, B.CreateZExtOrTrunc(Bytes, B.getInt64Ty())});
}

void emitDemandOf(IRBuilderBase &B, CallBase &Malloc) {
  Value *Bytes = Malloc.getArgOperand(0);
  emitDemand(B, B.CreateOr(B.CreateIsNotNull(&Malloc), B.CreateIsNull(Bytes)), Bytes);
}

Value *emitAllocation(IRBuilderBase &B, Value *Bytes, const Twine &Name) {
  // One function for each module.
  Module &M = *B.GetInsertBlock()->getModule();
  Function *Allocate = M.getFunction("tapefree.allocate");
  if (!Allocate) {
    Type *Ptr = B.getPtrTy(), *I64 = B.getInt64Ty();
    Allocate = helper(M, "tapefree.allocate", Ptr, I64);
    Allocate->addRetAttr(Attribute::NoAlias);
    IRBuilder<> F(BasicBlock::Create(M.getContext(), "entry", Allocate));
    // Nothing at all may be null, which is no failure.
    Value *Some = F.CreateBinaryIntrinsic(Intrinsic::umax, Allocate->getArg(0), F.getInt64(1));
    Value *P = F.CreateCall(M.getOrInsertFunction("malloc", Ptr, I64), Some);
    markPaired(P); // whoever allocates here releases by emitFree
    emitDemand(F, F.CreateIsNotNull(P), Some);
    F.CreateRet(P);
  }
  return B.CreateCall(Allocate, Bytes, Name);
}

void emitFree(IRBuilderBase &B, Value *Pointer) {
  Module &M = *B.GetInsertBlock()->getModule();
  markPaired(B.CreateCall(M.getOrInsertFunction("free", B.getVoidTy(), B.getPtrTy()), Pointer));
}

Function *listWalk(Module &M, StringRef Name, function_ref<void(IRBuilderBase &, Value *Node)> OfNode) {
  if (Function *Known = M.getFunction(Name))
    return Known;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  auto *F = Function::Create(FunctionType::get(Type::getVoidTy(C), Ptr, false), GlobalValue::InternalLinkage,
                             Name, M);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F), *Head = BasicBlock::Create(C, "head", F),
             *Body = BasicBlock::Create(C, "body", F), *Done = BasicBlock::Create(C, "done", F);
  IRBuilder<> B(Entry);
  B.CreateBr(Head);
  B.SetInsertPoint(Head);
  PHINode *Node = B.CreatePHI(Ptr, 2);
  B.CreateCondBr(B.CreateIsNull(Node), Done, Body);
  B.SetInsertPoint(Body);
  Value *Next = B.CreateLoad(Ptr, Node);
  OfNode(B, Node);
  emitFree(B, Node);
  B.CreateBr(Head);
  Node->addIncoming(F->getArg(0), Entry);
  Node->addIncoming(Next, Body);
  IRBuilder<>(Done).CreateRetVoid();
  return F;
}

Value *workspaceStart(IRBuilderBase &B, Value *Top) {
  return B.CreateAnd(B.CreateAdd(Top, B.getInt64(WorkspaceAlign - 1)), B.getInt64(~(WorkspaceAlign - 1)));
}

/// tapefree.reserve(bytes of the workspace, bytes in use, bytes needed) -> where the new block begins
static Function *reserveFunction(Module &M) {
  if (Function *Known = M.getFunction("tapefree.reserve"))
    return Known;
  LLVMContext &C = M.getContext();
  Type *I64 = Type::getInt64Ty(C);
  Function *F = helper(M, "tapefree.reserve", I64, {I64, I64, I64});
  IRBuilder<> B(BasicBlock::Create(C, "entry", F));
  Value *Bytes = F->getArg(0), *Needed = F->getArg(2), *Start = workspaceStart(B, F->getArg(1));
  Value *Left = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Bytes, Start);
  // The bytes in use never pass the end; a block of nothing may begin behind it.
  Value *Fits = B.CreateOr(B.CreateICmpULE(Needed, Left), B.CreateICmpEQ(Needed, B.getInt64(0)));
  emitDemand(B, Fits, B.CreateBinaryIntrinsic(Intrinsic::uadd_sat, Start, Needed));
  B.CreateRet(Start);
  return F;
}

Value *emitReserve(IRBuilderBase &B, const Workspace &W, Value *Bytes) {
  Value *Top = B.CreateLoad(B.getInt64Ty(), W.Top);
  Value *Start = B.CreateCall(reserveFunction(*B.GetInsertBlock()->getModule()), {W.Bytes, Top, Bytes});
  B.CreateStore(endOfBlock(B, Top, Bytes), W.Top);
  return B.CreateGEP(B.getInt8Ty(), W.Base, Start, "tapefree.kept");
}

Value *endOfBlock(IRBuilderBase &B, Value *Top, Value *Bytes) {
  Value *End = B.CreateAdd(workspaceStart(B, Top), Bytes);
  return B.CreateSelect(B.CreateICmpEQ(Bytes, B.getInt64(0)), Top, End);
}

/// With a known number of outer iterations the final size is estimated from the part that is done, so that
/// one growth is mostly enough; otherwise capacity grows geometrically.
Function *growFunction(Module &M, bool InWorkspace) {
  StringRef Name = InWorkspace ? "tapefree.grow.in" : "tapefree.grow";
  if (Function *Known = M.getFunction(Name))
    return Known;
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  SmallVector<Type *, 11> Params = {Ptr, I64, I64, I64, Ptr, I64, I64, I64};
  SmallVector<Type *, 3> Results = {Ptr, I64};
  if (InWorkspace) {
    Params.append({Ptr, I64, I64});
    Results.push_back(I64);
  }
  Function *F = helper(M, Name, StructType::get(C, Results), Params);
  F->addFnAttr(Attribute::NoInline);
  F->addFnAttr(Attribute::Cold);
  Argument *Block = F->getArg(0), *Rows = F->getArg(1), *Needed = F->getArg(2), *RowBytes = F->getArg(3),
           *First = F->getArg(4), *Used = F->getArg(5), *Done = F->getArg(6), *All = F->getArg(7);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F), *Release = BasicBlock::Create(C, "release", F),
             *Exit = BasicBlock::Create(C, "exit", F);
  IRBuilder<> B(Entry);
  Value *One = B.getInt64(1);
  // Small blocks grow by four, so that little is asked for on the way; large ones by two, so that little is
  // left over.
  Value *Small = B.CreateICmpULT(B.CreateMul(Rows, RowBytes), B.getInt64(1 << 20));
  Value *Larger = B.CreateShl(Rows, B.CreateSelect(Small, B.getInt64(2), One));
  Value *PerOuter = B.CreateAdd(B.CreateUDiv(Used, B.CreateAdd(Done, One)), One);
  Value *Estimate = B.CreateMul(PerOuter, B.CreateAdd(All, One));
  Estimate = B.CreateAdd(Estimate, B.CreateLShr(Estimate, B.getInt64(4)));
  // Trusted up to a few megabytes, then only up to four times what there was: the past may not be like the
  // future.
  Value *Limit = B.CreateBinaryIntrinsic(Intrinsic::umax, B.CreateUDiv(B.getInt64(TrustedBytes), RowBytes),
                                         B.CreateShl(Rows, B.getInt64(2)));
  Estimate = B.CreateBinaryIntrinsic(Intrinsic::umin, Estimate, Limit);
  // The first block on the heap is worth an allocation.
  Larger = B.CreateBinaryIntrinsic(Intrinsic::umax, Larger, B.CreateUDiv(B.getInt64(SmallBytes), RowBytes));
  // An estimate is only worth something when some outer iterations have passed.
  Value *Informed = B.CreateAnd(B.CreateICmpNE(All, B.getInt64(0)), B.CreateICmpUGT(Done, B.getInt64(3)));
  Value *Wanted = B.CreateSelect(Informed, Estimate, Larger);
  Wanted = B.CreateBinaryIntrinsic(Intrinsic::umax, Wanted,
                                   B.CreateAdd(Needed, B.CreateLShr(Needed, B.getInt64(4))));
  Value *Moved = B.CreateMul(Used, RowBytes), *New = nullptr, *Top = nullptr;
  if (InWorkspace) {
    Argument *Base = F->getArg(8), *Bytes = F->getArg(9), *Now = F->getArg(10);
    // The last block in the workspace grows where it is; another one moves to the end. Memory is not asked
    // for when it is needed, so the last bytes of the workspace count, too.
    Value *End = B.CreateGEP(B.getInt8Ty(), Block, B.CreateMul(Rows, RowBytes));
    Value *Last =
        B.CreateAnd(B.CreateICmpNE(Block, First), B.CreateICmpEQ(End, B.CreateGEP(B.getInt8Ty(), Base, Now)));
    Value *Old = B.CreateSub(B.CreatePtrToInt(Block, I64), B.CreatePtrToInt(Base, I64));
    Value *Start = B.CreateSelect(Last, Old, workspaceStart(B, Now));
    Value *Left = B.CreateUDiv(B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Bytes, Start), RowBytes);
    emitDemand(B, B.CreateICmpULE(Needed, Left), B.CreateAdd(Start, B.CreateMul(Needed, RowBytes)));
    Wanted = B.CreateBinaryIntrinsic(Intrinsic::umin, Wanted, Left);
    New = B.CreateGEP(B.getInt8Ty(), Base, Start);
    Top = B.CreateAdd(Start, B.CreateMul(Wanted, RowBytes));
    B.CreateMemMove(New, Align(1), Block, Align(1), Moved);
    B.CreateBr(Exit);
    Release->eraseFromParent();
  } else {
    New = emitAllocation(B, B.CreateMul(Wanted, RowBytes), "grown");
    B.CreateMemCpy(New, Align(8), Block, Align(8), Moved);
    B.CreateCondBr(B.CreateICmpNE(Block, First), Release, Exit);
    B.SetInsertPoint(Release);
    emitFree(B, Block);
    B.CreateBr(Exit);
  }
  B.SetInsertPoint(Exit);
  SmallVector<Value *, 3> Result = {New, Wanted};
  if (Top)
    Result.push_back(Top);
  B.CreateAggregateRet(Result.data(), unsigned(Result.size()));
  return F;
}

} // namespace tapefree
