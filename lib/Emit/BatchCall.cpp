// A batch without derivatives. A loop, not N calls: code stays small, and whatever the function does
// (branches that differ between the lanes, loops of different lengths, writes to memory) happens lane after
// lane, as written. Where the body is simple, LLVM's vectoriser makes lanes of a SIMD register out of it.
//
//   vector arguments -> stack arrays
//   for (k = 0; k < N; ++k)
//     result[k] = f(vector[k], scalar, (char *)buffer + k * stride);
#include "Emit/BatchCall.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tapefree {

// A body of at most this many instructions is inlined into the loop, where the vectoriser can see it; about
// larger ones the inliner decides as it does for any call.
static constexpr unsigned InlineLimit = 200;

namespace {
class BatchLoop {
public:
  explicit BatchLoop(const BatchRequest &R) : R(R), B(R.Call) {}
  void emit();

private:
  AllocaInst *stackArray(Type *Element, const Twine &Name);
  Value *element(Type *T, Value *Array, Value *Index);
  Value *argument(unsigned I, Value *Lane);
  CallBase *callLane(ArrayRef<Value *> Args, BasicBlock *Unwind);
  void close(BasicBlock *Loop, PHINode *Lane, BasicBlock *Exit);
  Value *load();

  const BatchRequest &R;
  IRBuilder<> B;
  SmallVector<AllocaInst *, 8> Arrays; // for Vector arguments, else null
  SmallVector<Value *, 8> Strides;     // for Buffer arguments, as 64-bit integers, else null
  AllocaInst *ResultArray = nullptr;
  Value *Results = nullptr; // memory for Width results, null where nobody wants them
};
} // namespace

AllocaInst *BatchLoop::stackArray(Type *Element, const Twine &Name) {
  BasicBlock &Entry = R.Call->getFunction()->getEntryBlock();
  auto *A = new AllocaInst(ArrayType::get(Element, R.Width), R.Call->getDataLayout().getAllocaAddrSpace(),
                           nullptr, Name, Entry.begin());
  B.CreateLifetimeStart(A);
  return A;
}

Value *BatchLoop::element(Type *T, Value *Array, Value *Index) {
  return B.CreateInBoundsGEP(T, Array, Index);
}

Value *BatchLoop::argument(unsigned I, Value *Lane) {
  const LaneArgument &A = R.Args[I];
  Type *T = R.Callee->getArg(I)->getType();
  switch (A.Kind) {
  case LaneKind::Scalar:
    return A.Values[0];
  case LaneKind::Vector:
    return B.CreateLoad(T, element(T, Arrays[I], Lane));
  case LaneKind::Buffer:
    return B.CreatePtrAdd(A.Values[0], B.CreateMul(Lane, Strides[I]));
  }
  llvm_unreachable("all kinds are above");
}

static bool worthInlining(const Function &F) {
  return !F.isDeclaration() && !F.isInterposable() && !F.hasFnAttribute(Attribute::NoInline) &&
         !F.hasFnAttribute(Attribute::OptimizeNone) && F.getInstructionCount() <= InlineLimit;
}

CallBase *BatchLoop::callLane(ArrayRef<Value *> Args, BasicBlock *Unwind) {
  CallBase *New;
  if (Unwind) {
    BasicBlock *Here = B.GetInsertBlock();
    BasicBlock *Next =
        BasicBlock::Create(B.getContext(), "tapefree.lane.done", Here->getParent(), Here->getNextNode());
    New = B.CreateInvoke(R.Callee->getFunctionType(), R.Callee, Next, Unwind, Args);
    B.SetInsertPoint(Next);
  } else {
    New = B.CreateCall(R.Callee->getFunctionType(), R.Callee, Args);
  }
  New->setCallingConv(R.Callee->getCallingConv());
  // How small integers are extended is between caller and callee.
  for (unsigned I = 0; I < Args.size(); ++I)
    for (Attribute::AttrKind K : {Attribute::ZExt, Attribute::SExt})
      if (R.Callee->hasParamAttribute(I, K))
        New->addParamAttr(I, K);
  for (Attribute::AttrKind K : {Attribute::ZExt, Attribute::SExt})
    if (R.Callee->hasRetAttribute(K))
      New->addRetAttr(K);
  if (worthInlining(*R.Callee))
    New->addFnAttr(Attribute::AlwaysInline);
  // A call without a line cannot be inlined in a function with debug information.
  if (DISubprogram *Scope = R.Call->getFunction()->getSubprogram(); Scope && !New->getDebugLoc())
    New->setDebugLoc(DILocation::get(B.getContext(), 0, 0, Scope));
  return New;
}

/// The end of the loop's body: next lane, or out.
void BatchLoop::close(BasicBlock *Loop, PHINode *Lane, BasicBlock *Exit) {
  Value *Next = B.CreateNUWAdd(Lane, B.getInt64(1));
  Lane->addIncoming(Next, B.GetInsertBlock());
  BranchInst *Back = B.CreateCondBr(B.CreateICmpULT(Next, B.getInt64(R.Width)), Loop, Exit);
  // Unrolled to straight-line code before the vectoriser runs, branches could no longer become masks. What
  // the vectoriser has made may be unrolled.
  LLVMContext &C = B.getContext();
  Metadata *Keep = MDNode::get(C, MDString::get(C, "llvm.loop.unroll.disable"));
  Metadata *Then = MDNode::get(C, MDString::get(C, "llvm.loop.vectorize.followup_vectorized"));
  SmallVector<Metadata *, 4> Parts = {nullptr};
  if (const DebugLoc &Line = R.Call->getDebugLoc())
    Parts.push_back(Line.get());
  Parts.append({Keep, Then});
  MDNode *Id = MDNode::getDistinct(C, Parts);
  Id->replaceOperandWith(0, Id);
  Back->setMetadata(LLVMContext::MD_loop, Id);
}

/// The results as the call's own type.
Value *BatchLoop::load() {
  if (!Results || R.ResultMemory)
    return nullptr;
  return B.CreateLoad(R.ResultType, Results);
}

void BatchLoop::emit() {
  Function *F = R.Call->getFunction();
  Type *Result = R.Callee->getReturnType();
  auto *Invoke = dyn_cast<InvokeInst>(R.Call);
  BasicBlock *Unwind = Invoke && !R.Callee->doesNotThrow() ? Invoke->getUnwindDest() : nullptr;

  for (const LaneArgument &A : R.Args) {
    AllocaInst *Array = nullptr;
    if (A.Kind == LaneKind::Vector) {
      Type *T = A.Values[0]->getType();
      Array = stackArray(T, "tapefree.lanes");
      for (unsigned K = 0; K < R.Width; ++K)
        B.CreateStore(A.Values[K], element(T, Array, B.getInt64(K)));
    }
    Arrays.push_back(Array);
    Strides.push_back(A.Stride ? B.CreateSExtOrTrunc(A.Stride, B.getInt64Ty()) : nullptr);
  }
  if (!R.ResultType->isVoidTy()) {
    const DataLayout &DL = R.Call->getDataLayout();
    Results = R.ResultMemory;
    if (!Results) {
      Results = ResultArray = stackArray(Result, "tapefree.results");
      // The call's own type may be larger than the array: a struct of three floats travels as two registers.
      uint64_t Wanted = DL.getTypeAllocSize(R.ResultType),
               Has = DL.getTypeAllocSize(ResultArray->getAllocatedType());
      if (Wanted > Has)
        ResultArray->setAllocatedType(
            ArrayType::get(Result, divideCeil(Wanted, DL.getTypeAllocSize(Result))));
      ResultArray->setAlignment(std::max(ResultArray->getAlign(), DL.getABITypeAlign(R.ResultType)));
    }
  }

  BasicBlock *Before = R.Call->getParent();
  BasicBlock *After = Before->splitBasicBlock(R.Call, Before->getName() + ".lanes");
  BasicBlock *Loop = BasicBlock::Create(B.getContext(), "tapefree.lane", F, After);
  Before->getTerminator()->setSuccessor(0, Loop);
  Before->getTerminator()->setDebugLoc(R.Call->getDebugLoc());
  B.SetInsertPoint(Loop);
  PHINode *Lane = B.CreatePHI(B.getInt64Ty(), 2, "lane");
  Lane->addIncoming(B.getInt64(0), Before);
  SmallVector<Value *, 8> Args;
  for (unsigned I = 0; I < R.Args.size(); ++I)
    Args.push_back(argument(I, Lane));
  CallBase *One = callLane(Args, Unwind);
  if (Unwind)
    for (PHINode &P : Unwind->phis())
      P.addIncoming(P.getIncomingValueForBlock(After), Loop);
  if (Results) {
    Value *V = One;
    if (Result->isIntegerTy(1)) // a bool in memory is a byte
      V = B.CreateZExt(V, B.getInt8Ty());
    B.CreateStore(V, element(V->getType(), Results, Lane));
  }
  close(Loop, Lane, After);

  B.SetInsertPoint(R.Call);
  Value *All = load();
  for (AllocaInst *A : Arrays)
    if (A)
      B.CreateLifetimeEnd(A);
  if (ResultArray)
    B.CreateLifetimeEnd(ResultArray);
  if (All)
    R.Call->replaceAllUsesWith(All);
}

void emitBatchLoop(const BatchRequest &R) { BatchLoop(R).emit(); }

} // namespace tapefree
