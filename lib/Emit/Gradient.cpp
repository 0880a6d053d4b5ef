#include "Emit/Gradient.h"
#include "Emit/ForwardSweep.h"
#include "Emit/ReverseSweep.h"
#include "Emit/Unwinding.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace tapefree {

bool hasShadowArgument(ArgActivity A) { return A != ArgActivity::Const && A != ArgActivity::Out; }

static SmallVector<Type *, 16> parameterTypes(const Function &Source, const DerivativeSignature &S) {
  SmallVector<Type *, 16> Types;
  for (const Argument &A : Source.args()) {
    Types.push_back(A.getType());
    if (hasShadowArgument(S.Args[A.getArgNo()]))
      Types.push_back(differentialType(A.getType(), S.Lanes.arg(A.getArgNo()), S.Lanes.Width));
  }
  return Types;
}

static SmallVector<Type *, 8> outTypes(const Function &Source, const DerivativeSignature &S) {
  SmallVector<Type *, 8> Types;
  for (const Argument &A : Source.args())
    if (S.Args[A.getArgNo()] == ArgActivity::Out)
      Types.push_back(differentialType(A.getType(), S.Lanes.inMemory(), S.Lanes.Width));
  return Types;
}

static Type *structOrVoid(LLVMContext &C, ArrayRef<Type *> Types) {
  return Types.empty() ? Type::getVoidTy(C) : StructType::get(C, Types);
}

/// Clones the frozen primal into E.Forward.
static void cloneInto(Emission &E) {
  unsigned Next = 0;
  for (Argument &A : E.F.P.F->args()) {
    E.Map[&A] = E.Forward->getArg(Next++);
    E.Forward->getArg(Next - 1)->setName(A.getName());
    if (!hasShadowArgument(E.Args[A.getArgNo()]))
      continue;
    E.Shadows[&A] = E.Forward->getArg(Next++);
    E.Forward->getArg(Next - 1)->setName(A.getName() + ".shadow");
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(E.Forward, E.F.P.F, E.Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  dropPrimalPromises(*E.Forward);
  dropUnwindBundles(*E.Forward);
  IRBuilder<> B(&*E.Forward->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
  E.Start = B.CreateIntrinsic(Intrinsic::donothing, {});
}

/// The last step: calls of the forward sweep that exceptions may come out of.
static void finishForward(Emission &E, function_ref<void(IRBuilderBase &)> Release) {
  E.Start->eraseFromParent();
  guardCalls(*E.Forward, E.Leaving, E.Guarded ? Release : nullptr);
}

static ReturnInst *theReturn(Function &F) {
  for (BasicBlock &B : F)
    if (auto *R = dyn_cast<ReturnInst>(B.getTerminator()))
      return R;
  return nullptr;
}

static Function *newFunction(Module &M, FunctionType *T, const Twine &Name) {
  return Function::Create(T, GlobalValue::InternalLinkage, Name, M);
}

SmallVector<Type *, 16> gradientParameters(const Function &Source, const DerivativeSignature &S) {
  LLVMContext &C = Source.getContext();
  SmallVector<Type *, 16> Params = parameterTypes(Source, S);
  if (S.ReturnActive)
    Params.push_back(differentialType(Source.getReturnType(), S.Lanes.inMemory(), S.Lanes.Width));
  if (S.InWorkspace)
    Params.append({PointerType::getUnqual(C), Type::getInt64Ty(C)});
  return Params;
}

/// The last two parameters of a gradient in a workspace.
static Workspace workspaceOf(Function &G) {
  Workspace W;
  Argument *Base = G.getArg(G.arg_size() - 2);
  Base->setName("workspace");
  Base->addAttr(Attribute::NoAlias); // it is nobody else's memory during the call
  W.Base = Base;
  W.Bytes = G.getArg(G.arg_size() - 1);
  W.Top = new AllocaInst(W.Bytes->getType(), 0, "tapefree.top", G.getEntryBlock().begin());
  auto *Empty = new StoreInst(ConstantInt::get(W.Bytes->getType(), 0), W.Top, G.getEntryBlock().begin());
  Empty->moveAfter(W.Top);
  return W;
}

Function *emitGradient(const Facts &F, const Plan &P, const DerivativeSignature &S,
                       const DisjointBuffers *Apart, SplitProvider Split, Diag &D, const Twine &Name,
                       const PromisedBuffers *Check, OverlapMessage Message) {
  Function &Source = *F.P.F;
  Module &M = *Source.getParent();
  LLVMContext &C = M.getContext();
  SmallVector<Type *, 16> Params = gradientParameters(Source, S);
  SmallVector<Type *, 8> Results = outTypes(Source, S);
  if (S.ReturnPrimal)
    Results.insert(Results.begin(), Source.getReturnType());
  Function *G = newFunction(M, FunctionType::get(structOrVoid(C, Results), Params, false), Name);

  Emission E(F, P, S.Args, S.ReturnActive, *G, *G, Apart, Split, D);
  cloneInto(E);
  std::optional<PromiseCheck> Promise;
  if (Check)
    Promise.emplace(E, *Check);
  Frame Slots(*G);
  E.Slots = &Slots;
  if (S.InWorkspace)
    E.Area = workspaceOf(*G);
  E.Guarded = S.Guarded;
  KeptStore Kept(E);
  Pending Held(E, Kept);
  auto Release = [&](IRBuilderBase &B) { Held.release(B); };
  ReturnInst *FrozenReturn = theReturn(Source);
  if (!ForwardSweep(E, Kept, Held).run()) {
    G->eraseFromParent();
    return nullptr;
  }
  if (!FrozenReturn) { // the function never returns, so nothing is ever reversed
    finishForward(E, Release);
    return G;
  }
  auto *Return = cast<ReturnInst>(E.Map[FrozenReturn]);
  if (Promise)
    Promise->compare(*Return, Message);
  StorageSlot Primal;
  if (S.ReturnPrimal) {
    Primal = Slots.make(Source.getReturnType(), "tapefree.result");
    IRBuilder<> B(Return);
    Slots.store(B, Return->getReturnValue(), Primal);
  }
  BasicBlock *Finish = BasicBlock::Create(C, "tapefree.finish", G);
  ReverseSweep Reverse(E, Kept);
  Value *Seed = S.ReturnActive ? G->getArg(G->arg_size() - 1 - (S.InWorkspace ? 2 : 0)) : nullptr;
  BasicBlock *Begin = Reverse.run(Seed, Finish);
  IRBuilder<> B(Return);
  Held.forget(B);
  B.CreateBr(Begin);
  Return->eraseFromParent();

  E.ForwardTags.declare();
  finishForward(E, Release);
  B.SetInsertPoint(Finish);
  if (Results.empty()) {
    B.CreateRetVoid();
    return G;
  }
  Value *Result = PoisonValue::get(G->getReturnType());
  unsigned Index = 0;
  if (S.ReturnPrimal)
    Result = B.CreateInsertValue(Result, Slots.load(B, Primal), Index++);
  for (Argument &A : Source.args())
    if (S.Args[A.getArgNo()] == ArgActivity::Out)
      Result = B.CreateInsertValue(Result, Reverse.argument(B, A), Index++);
  B.CreateRet(Result);
  return G;
}

SplitFunctions declareSplit(Function &Source, const DerivativeSignature &S) {
  Module &M = *Source.getParent();
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *Ret = Source.getReturnType();
  Type *Differential = differentialType(Ret, S.Lanes.inMemory(), S.Lanes.Width);
  SmallVector<Type *, 3> Forward = {Ptr};
  if (!Ret->isVoidTy())
    Forward.push_back(Ret);
  if (holdsPointer(Ret))
    Forward.push_back(Differential);
  SmallVector<Type *, 2> Backward = {Ptr};
  if (S.ReturnActive)
    Backward.push_back(Differential);
  SplitFunctions Out;
  Out.Augmented =
      newFunction(M, FunctionType::get(StructType::get(C, Forward), parameterTypes(Source, S), false),
                  "tapefree.augmented." + Source.getName());
  Out.Reverse = newFunction(M, FunctionType::get(structOrVoid(C, outTypes(Source, S)), Backward, false),
                            "tapefree.reverse." + Source.getName());
  if (S.Guarded)
    Out.Discard = newFunction(M, FunctionType::get(Type::getVoidTy(C), Ptr, false),
                              "tapefree.discard." + Source.getName());
  return Out;
}

/// Arguments and local arrays of a split function must outlive its forward sweep: they go into the record.
static void moveToRecord(Emission &E, Instruction *At) {
  IRBuilder<> B(At);
  for (Argument &A : E.F.P.F->args())
    for (ValueRef::Kind K : {ValueRef::Primal, ValueRef::Shadow}) {
      Value *V = K == ValueRef::Primal ? static_cast<Value *>(E.Map[&A]) : E.Shadows.lookup(&A);
      if (!V || !E.P.Values.count({&A, K}))
        continue;
      StorageSlot S = E.Slots->make(V->getType(), A.getName());
      E.ValueSlots[{&A, K}] = S;
      E.Slots->store(B, V, S);
    }
  const DataLayout &DL = E.module().getDataLayout();
  for (Instruction &I : E.F.P.F->getEntryBlock()) {
    auto *A = dyn_cast<AllocaInst>(&I);
    if (!A || !A->isStaticAlloca())
      continue;
    uint64_t Bytes =
        DL.getTypeAllocSize(A->getAllocatedType()) * cast<ConstantInt>(A->getArraySize())->getZExtValue();
    StorageSlot S = E.Slots->makeBytes(Bytes, A->getAlign(), A->getName());
    E.ValueSlots[{A, ValueRef::Primal}] = S;
    auto *Copy = cast<AllocaInst>(E.Map[A]);
    Copy->replaceAllUsesWith(E.Slots->address(B, S));
  }
}

/// Releases all that hangs on a record, and the record. It may be null: of a call that was not reached.
static void emitDiscard(Function &Discard, Pending &Held) {
  LLVMContext &C = Discard.getContext();
  BasicBlock *Entry = BasicBlock::Create(C, "entry", &Discard),
             *There = BasicBlock::Create(C, "there", &Discard),
             *Done = BasicBlock::Create(C, "done", &Discard);
  Discard.addFnAttr(Attribute::NoUnwind);
  IRBuilder<> B(Entry);
  B.CreateCondBr(B.CreateIsNull(Discard.getArg(0)), Done, There);
  B.SetInsertPoint(There);
  Held.release(B);
  emitFree(B, Discard.getArg(0));
  B.CreateBr(Done);
  IRBuilder<>(Done).CreateRetVoid();
}

bool emitSplit(const SplitFunctions &Into, const Facts &F, const Plan &P, const DerivativeSignature &S,
               SplitProvider Split, Diag &D) {
  Function &Source = *F.P.F;
  Module &M = *Source.getParent();
  LLVMContext &C = M.getContext();
  Emission E(F, P, S.Args, S.ReturnActive, *Into.Augmented, *Into.Reverse, /*Apart=*/nullptr, Split, D);
  cloneInto(E);
  if (const DISubprogram *SP = Source.getSubprogram()) { // the reverse sweep has the lines of its primal
    DISubprogram *Own = MDNode::replaceWithDistinct(SP->clone());
    Own->replaceRetainedNodes(MDTuple::get(C, {}));
    Into.Reverse->setSubprogram(Own);
  }
  IRBuilder<> B(BasicBlock::Create(C, "entry", Into.Reverse));
  BasicBlock *ReverseEntry = B.GetInsertBlock();

  // The record's size is known only when all slots are: the placeholder is replaced at the end.
  BasicBlock &Entry = Into.Augmented->getEntryBlock();
  Instruction *First = &*Entry.getFirstNonPHIOrDbgOrAlloca();
  B.SetInsertPoint(&Entry, Entry.begin());
  auto *Record = cast<CallInst>(emitAllocation(B, B.getInt64(0), "tapefree.record"));
  Frame Slots(*Into.Augmented, *Into.Reverse, Record, Into.Reverse->getArg(0));
  E.Slots = &Slots;
  E.Guarded = S.Guarded;
  moveToRecord(E, First);
  KeptStore Kept(E);
  Pending Held(E, Kept);
  ReturnInst *FrozenReturn = theReturn(Source);
  if (!ForwardSweep(E, Kept, Held).run())
    return false;
  if (Into.Discard) {
    Slots.setDiscard(*Into.Discard);
    emitDiscard(*Into.Discard, Held);
  }

  BasicBlock *Finish = BasicBlock::Create(C, "tapefree.finish", Into.Reverse);
  ReverseSweep Reverse(E, Kept);
  Value *Seed = S.ReturnActive ? Into.Reverse->getArg(1) : nullptr;
  BasicBlock *Begin = FrozenReturn ? Reverse.run(Seed, Finish) : Finish;
  B.SetInsertPoint(ReverseEntry);
  Held.forget(B);
  B.CreateBr(Begin);
  B.SetInsertPoint(Finish);
  B.SetCurrentDebugLocation(DebugLoc());
  SmallVector<Value *, 8> Outs;
  for (Argument &A : Source.args())
    if (S.Args[A.getArgNo()] == ArgActivity::Out)
      Outs.push_back(Reverse.argument(B, A));
  emitFree(B, Into.Reverse->getArg(0));
  if (Outs.empty())
    B.CreateRetVoid();
  else
    B.CreateAggregateRet(Outs.data(), unsigned(Outs.size()));
  E.ForwardTags.declare();
  E.OwnReverseTags.declare();
  Record->setArgOperand(0, B.getInt64(std::max<uint64_t>(Slots.recordBytes(), 1)));
  finishForward(E, [&](IRBuilderBase &B) { B.CreateCall(Into.Discard, Record); });
  if (!FrozenReturn)
    return true;

  auto *Return = cast<ReturnInst>(E.Map[FrozenReturn]);
  B.SetInsertPoint(Return);
  SmallVector<Value *, 3> Results = {Record};
  if (const Value *V = FrozenReturn->getReturnValue()) {
    Results.push_back(Return->getReturnValue());
    if (holdsPointer(V->getType()))
      Results.push_back(F.Act.hasShadow(V) && !isa<Constant>(V)
                            ? E.Shadows.lookup(V)
                            : E.Ops.broadcast(B, Return->getReturnValue(), S.Lanes.inMemory()));
  }
  B.CreateAggregateRet(Results.data(), unsigned(Results.size()));
  Return->eraseFromParent();
  return true;
}

} // namespace tapefree
