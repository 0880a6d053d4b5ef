#include "Emit/Checkpoint.h"
#include "Emit/LaneEntry.h"
#include "Prepare/Checkpoint.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace tapefree {

// Numbers of 64 bits in the record, behind the arguments. Of each buffer: address, bytes, bytes in a
// snapshot.
namespace {
enum Field : uint8_t { Number, Snapshots, Taken, SnapshotBytes, Places, FirstBuffer };
} // namespace
static unsigned fieldOf(unsigned Buffer, unsigned Part) { return FirstBuffer + 3 * Buffer + Part; }

static constexpr uint64_t SnapshotAlign = 16;

static Value *aligned(IRBuilderBase &B, Value *Bytes) {
  return B.CreateAnd(B.CreateAdd(Bytes, B.getInt64(SnapshotAlign - 1)), B.getInt64(~(SnapshotAlign - 1)));
}

Function *binomialSplit(Module &M) {
  StringRef Name = "tapefree.checkpoint.split";
  if (Function *Known = M.getFunction(Name))
    return Known;
  LLVMContext &C = M.getContext();
  Type *I64 = Type::getInt64Ty(C);
  Function *F =
      Function::Create(FunctionType::get(I64, {I64, I64}, false), GlobalValue::InternalLinkage, Name, M);
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F), *Loop = BasicBlock::Create(C, "loop", F),
             *Done = BasicBlock::Create(C, "done", F);
  IRBuilder<> B(Entry);
  // More snapshots than steps help nobody, and products stay small.
  Value *Steps = F->getArg(0), *S = B.CreateBinaryIntrinsic(Intrinsic::umin, F->getArg(1), Steps);
  B.CreateBr(Loop);
  B.SetInsertPoint(Loop);
  PHINode *R = B.CreatePHI(I64, 2, "runs"), *Before = B.CreatePHI(I64, 2, "before"); // C(s + r - 1, s)
  // C(s + r, s) = C(s + r - 1, s) (s + r) / r
  Value *Reach = B.CreateUDiv(B.CreateMul(Before, B.CreateAdd(S, R)), R);
  Value *Next = B.CreateAdd(R, B.getInt64(1));
  R->addIncoming(B.getInt64(1), Entry);
  R->addIncoming(Next, Loop);
  Before->addIncoming(B.getInt64(1), Entry);
  Before->addIncoming(Reach, Loop);
  // Until the steps are reached, or numbers overflow.
  Value *More = B.CreateAnd(B.CreateICmpULT(Reach, Steps), B.CreateICmpUGT(Reach, Before));
  B.CreateCondBr(More, Loop, Done);
  B.SetInsertPoint(Done);
  // The first part needs r - 1 runs of at most C(s + r - 1, s) steps; for the second, r runs with one
  // snapshot less, at least C(s + r - 2, s - 1) are left.
  Value *Least = B.CreateUDiv(B.CreateMul(Before, S), B.CreateSub(B.CreateAdd(S, R), B.getInt64(1)));
  Value *Way = B.CreateBinaryIntrinsic(Intrinsic::umin, Before,
                                       B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Steps, Least));
  // Whatever the numbers: a part of the way.
  Way = B.CreateBinaryIntrinsic(Intrinsic::umin, Way, B.CreateSub(Steps, B.getInt64(1)));
  B.CreateRet(B.CreateBinaryIntrinsic(Intrinsic::umax, Way, B.getInt64(1)));
  return F;
}

/// A condition that is known before the loop, before the loop.
static Value *hoisted(IRBuilderBase &B, Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return V;
  Instruction *Copy = I->clone();
  for (Use &U : Copy->operands())
    U.set(hoisted(B, U.get()));
  Copy->dropUBImplyingAttrsAndMetadata();
  Copy->dropPoisonGeneratingFlags();
  Copy->setDebugLoc(DebugLoc());
  return B.Insert(Copy);
}

void emitState(Function &State, const StepState &Known, ScalarEvolution &SE) {
  Steps S = stepsOf(State);
  Instruction *End = State.getEntryBlock().getTerminator();
  IRBuilder<> B(End);
  B.SetCurrentDebugLocation(DebugLoc());
  SCEVExpander Expander(SE, "tapefree.state");
  Type *I64 = B.getInt64Ty();
  struct Ends {
    Value *Low, *High;
  };
  auto EndsOf = [&](Value *Base, const StateRange &R) {
    Value *Start = B.CreatePtrToInt(Base, I64);
    Ends E{B.CreateAdd(Start, Expander.expandCodeFor(R.Low, I64, End)),
           B.CreateAdd(Start, Expander.expandCodeFor(R.High, I64, End))};
    E.High = B.CreateBinaryIntrinsic(Intrinsic::umax, E.Low, E.High);
    return E;
  };
  auto Put = [&](unsigned Field, Value *V) {
    B.CreateStore(V, B.CreateConstGEP1_64(I64, State.getArg(State.arg_size() - 1), Field));
  };
  // At most one snapshot for each step, and one in any case.
  Value *Count = B.CreateSExtOrTrunc(S.Snapshots, I64);
  Count = B.CreateBinaryIntrinsic(Intrinsic::smin, Count, S.Number);
  Put(Snapshots, B.CreateBinaryIntrinsic(Intrinsic::smax, Count, B.getInt64(1)));
  Put(Number, S.Number);
  SmallVector<Ends, 8> Reads;
  for (auto &[Base, R] : Known.reads())
    Reads.push_back(EndsOf(Base, R));
  for (auto [N, Entry] : enumerate(Known.buffers())) {
    auto &[Base, Buffer] = Entry;
    Value *Low = B.getInt64(-1), *High = B.getInt64(0);
    for (const StateRange &R : Buffer.Written) {
      Ends E = EndsOf(Base, R);
      Value *Some = B.CreateICmpULT(E.Low, E.High);
      for (auto [C, Side] : R.If)
        Some = B.CreateAnd(Some, Side ? hoisted(B, C) : B.CreateNot(hoisted(B, C)));
      Low = B.CreateSelect(Some, B.CreateBinaryIntrinsic(Intrinsic::umin, Low, E.Low), Low);
      High = B.CreateSelect(Some, B.CreateBinaryIntrinsic(Intrinsic::umax, High, E.High), High);
    }
    Value *Any = B.CreateICmpULT(Low, High), *Zero = B.getInt64(0);
    Value *Bytes = B.CreateSelect(Any, B.CreateSub(High, Low), Zero), *Carried = Bytes;
    if (!Buffer.Carried) {
      Value *Met = B.getFalse();
      for (const Ends &R : Reads)
        Met = B.CreateOr(Met, B.CreateAnd(B.CreateICmpULT(R.Low, High), B.CreateICmpULT(Low, R.High)));
      Carried = B.CreateSelect(Met, Bytes, Zero);
    }
    Value *Offset =
        B.CreateSub(B.CreateSelect(Any, Low, B.CreatePtrToInt(Base, I64)), B.CreatePtrToInt(Base, I64));
    Put(fieldOf(unsigned(N), 0), B.CreateGEP(B.getInt8Ty(), Base, Offset));
    Put(fieldOf(unsigned(N), 1), Bytes);
    Put(fieldOf(unsigned(N), 2), Carried);
  }
  BasicBlock *Loop = End->getSuccessor(0);
  Loop->removePredecessor(&State.getEntryBlock());
  End->eraseFromParent();
  B.SetInsertPoint(&State.getEntryBlock());
  B.CreateRetVoid();
  removeUnreachableBlocks(State);
  State.setSubprogram(nullptr);
  for (Instruction &I : State.getEntryBlock()) {
    I.dropDbgRecords();
    I.setDebugLoc(DebugLoc());
  }
}

namespace {
class CheckpointEmitter {
public:
  CheckpointEmitter(const SplitFunctions &Into, const StepFunctions &F, const DerivativeSignature &S)
      : Into(Into), F(F), S(S), M(*F.Steps->getParent()), C(M.getContext()) {
    for (Type *T : Into.Augmented->getFunctionType()->params())
      Given.push_back(T);
    Arguments = StructType::get(C, Given);
    Fields = alignTo(M.getDataLayout().getTypeAllocSize(Arguments), 16);
    Taken = Fields + 8 * fieldOf(F.Buffers, 0);
  }
  void run();

private:
  Function *helper(const Twine &Name, Type *Result, ArrayRef<Type *> Params);
  BasicBlock *block(Function *In, const Twine &Name) { return BasicBlock::Create(C, Name, In); }
  Value *byte(IRBuilderBase &B, Value *Record, Value *Offset) {
    return B.CreateGEP(B.getInt8Ty(), Record, Offset);
  }
  Value *field(IRBuilderBase &B, Value *Record, unsigned N) {
    return byte(B, Record, B.getInt64(Fields + 8 * N));
  }
  Value *number(IRBuilderBase &B, Value *Record, unsigned N) {
    return B.CreateLoad(B.getInt64Ty(), field(B, Record, N));
  }
  Value *argument(IRBuilderBase &B, Value *Record, unsigned N) {
    return B.CreateAlignedLoad(Given[N], B.CreateStructGEP(Arguments, Record, N), Align(8));
  }
  /// Where it is noted at which step snapshot K was taken.
  Value *stepOf(IRBuilderBase &B, Value *Record, Value *K) {
    return byte(B, Record, B.CreateAdd(B.getInt64(Taken), B.CreateShl(K, B.getInt64(3))));
  }
  Value *snapshot(IRBuilderBase &B, Value *Record, Value *K) {
    Value *Way = B.CreateMul(number(B, Record, SnapshotBytes), K);
    return byte(B, Record, B.CreateAdd(number(B, Record, Places), Way));
  }
  Function *copies(const Twine &Name, bool Back, unsigned Part);
  Function *runs();
  Function *fills();
  void augmented();
  void reverse();

  const SplitFunctions &Into;
  const StepFunctions &F;
  const DerivativeSignature &S;
  Module &M;
  LLVMContext &C;
  SmallVector<Type *, 16> Given; // the parameters of the augmented function
  StructType *Arguments;
  uint64_t Fields, Taken; // where in the record
  Function *Save, *Restore, *SaveAll, *RestoreAll, *Run, *Fill;
};
} // namespace

Function *CheckpointEmitter::helper(const Twine &Name, Type *Result, ArrayRef<Type *> Params) {
  Function *H = Function::Create(FunctionType::get(Result, Params, false), GlobalValue::InternalLinkage,
                                 "tapefree.checkpoint." + Name, M);
  copyTarget(*H, *F.Steps);
  return H;
}

/// (record, place): the state to or from a place, with the bytes that part of the fields says.
Function *CheckpointEmitter::copies(const Twine &Name, bool Back, unsigned Part) {
  Type *Ptr = PointerType::getUnqual(C);
  Function *H = helper(Name, Type::getVoidTy(C), {Ptr, Ptr});
  IRBuilder<> B(block(H, "entry"));
  Value *Place = H->getArg(1), *Record = H->getArg(0);
  for (unsigned K = 0; K < F.Buffers; ++K) {
    Value *Bytes = number(B, Record, fieldOf(K, Part));
    Value *At = B.CreateLoad(Ptr, field(B, Record, fieldOf(K, 0)));
    B.CreateMemCpy(Back ? At : Place, Align(1), Back ? Place : At, Align(1), Bytes);
    Place = byte(B, Place, aligned(B, Bytes));
  }
  B.CreateRetVoid();
  return H;
}

/// (record, k, end): runs the steps from k to before the end.
Function *CheckpointEmitter::runs() {
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  Function *H = helper("run", Type::getVoidTy(C), {Ptr, I64, I64});
  BasicBlock *Entry = block(H, "entry"), *Loop = block(H, "loop"), *Done = block(H, "done");
  IRBuilder<> B(Entry);
  SmallVector<Value *, 16> Args;
  unsigned N = 0;
  for (ArgActivity A : S.Args) {
    Args.push_back(argument(B, H->getArg(0), N++));
    N += hasShadowArgument(A);
  }
  B.CreateCondBr(B.CreateICmpULT(H->getArg(1), H->getArg(2)), Loop, Done);
  B.SetInsertPoint(Loop);
  PHINode *K = B.CreatePHI(I64, 2, "step");
  Args.push_back(K);
  B.CreateCall(F.One, Args);
  Value *Next = B.CreateAdd(K, B.getInt64(1));
  K->addIncoming(H->getArg(1), Entry);
  K->addIncoming(Next, Loop);
  B.CreateCondBr(B.CreateICmpULT(Next, H->getArg(2)), Loop, Done);
  B.SetInsertPoint(Done);
  B.CreateRetVoid();
  return H;
}

/// (record, end) -> the step at which the last snapshot was taken. The state is as it was there, now and
/// then; on the way to the end snapshots are taken as long as there is a place for one.
Function *CheckpointEmitter::fills() {
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  Function *H = helper("fill", I64, {Ptr, I64});
  BasicBlock *Entry = block(H, "entry"), *Test = block(H, "test"), *More = block(H, "more"),
             *Done = block(H, "done");
  Value *Record = H->getArg(0), *End = H->getArg(1);
  IRBuilder<> B(Entry);
  Value *All = number(B, Record, Snapshots), *One = B.getInt64(1);
  B.CreateBr(Test);
  B.SetInsertPoint(Test);
  Value *Now = number(B, Record, Field::Taken);
  Value *At = B.CreateLoad(I64, stepOf(B, Record, B.CreateSub(Now, One)));
  Value *Free = B.CreateSub(All, Now), *Left = B.CreateSub(End, At);
  B.CreateCondBr(B.CreateAnd(B.CreateICmpNE(Free, B.getInt64(0)), B.CreateICmpUGT(Left, One)), More, Done);
  B.SetInsertPoint(More);
  Value *Next = B.CreateAdd(At, B.CreateCall(binomialSplit(M), {Left, B.CreateAdd(Free, One)}));
  B.CreateCall(Run, {Record, At, Next});
  B.CreateCall(Save, {Record, snapshot(B, Record, Now)});
  B.CreateStore(Next, stepOf(B, Record, Now));
  B.CreateStore(B.CreateAdd(Now, One), field(B, Record, Field::Taken));
  B.CreateBr(Test);
  B.SetInsertPoint(Done);
  B.CreateRet(At);
  return H;
}

void CheckpointEmitter::augmented() {
  Function *A = Into.Augmented;
  copyTarget(*A, *F.Steps);
  A->addFnAttr(CheckpointedMark);
  IRBuilder<> B(block(A, "entry"));
  Value *Local = B.CreateAlloca(ArrayType::get(B.getInt64Ty(), fieldOf(F.Buffers, 0)));
  SmallVector<Value *, 16> Args;
  unsigned N = 0;
  for (ArgActivity Act : S.Args) {
    Args.push_back(A->getArg(N++));
    N += hasShadowArgument(Act);
  }
  Args.push_back(Local);
  B.CreateCall(F.State, Args);
  auto Known = [&](unsigned K) {
    return B.CreateLoad(B.getInt64Ty(), B.CreateConstGEP1_64(B.getInt64Ty(), Local, K));
  };
  Value *Steps = Known(Number), *Count = Known(Snapshots), *Each = B.getInt64(0), *Last = B.getInt64(0);
  for (unsigned K = 0; K < F.Buffers; ++K) {
    Last = B.CreateAdd(Last, aligned(B, Known(fieldOf(K, 1))));
    Each = B.CreateAdd(Each, aligned(B, Known(fieldOf(K, 2))));
  }
  Value *First = aligned(B, B.CreateAdd(B.getInt64(Taken), B.CreateShl(Count, B.getInt64(3))));
  Value *Bytes = B.CreateAdd(First, B.CreateAdd(B.CreateMul(Count, Each), Last));
  Value *Record = emitAllocation(B, Bytes, "tapefree.snapshots");
  for (Argument &P : A->args())
    B.CreateAlignedStore(&P, B.CreateStructGEP(Arguments, Record, P.getArgNo()), Align(8));
  B.CreateMemCpy(field(B, Record, 0), Align(8), Local, Align(8), uint64_t(8) * fieldOf(F.Buffers, 0));
  B.CreateStore(Each, field(B, Record, SnapshotBytes));
  B.CreateStore(First, field(B, Record, Places));
  B.CreateStore(B.getInt64(1), field(B, Record, Field::Taken));
  B.CreateStore(B.getInt64(0), stepOf(B, Record, B.getInt64(0)));
  B.CreateCall(Save, {Record, snapshot(B, Record, B.getInt64(0))});
  Value *At = B.CreateCall(Fill, {Record, Steps});
  B.CreateCall(Run, {Record, At, Steps});
  B.CreateAggregateRet(&Record, 1);
}

void CheckpointEmitter::reverse() {
  Function *R = Into.Reverse;
  copyTarget(*R, *F.Steps);
  BasicBlock *Entry = block(R, "entry"), *Loop = block(R, "loop"), *Done = block(R, "done");
  Value *Record = R->getArg(0);
  IRBuilder<> B(Entry);
  SmallVector<AllocaInst *, 4> Sums;
  if (auto *Outs = dyn_cast<StructType>(R->getReturnType()))
    for (Type *T : Outs->elements()) {
      Sums.push_back(B.CreateAlloca(T));
      B.CreateStore(nothingYet(T), Sums.back());
    }
  SmallVector<Value *, 16> Args;
  for (unsigned N = 0; N < Given.size(); ++N)
    Args.push_back(argument(B, Record, N));
  Value *One = B.getInt64(1), *Steps = number(B, Record, Number);
  Value *Behind = snapshot(B, Record, number(B, Record, Snapshots));
  B.CreateCall(SaveAll, {Record, Behind});
  B.CreateBr(Loop);

  B.SetInsertPoint(Loop);
  PHINode *End = B.CreatePHI(B.getInt64Ty(), 2, "end");
  Value *Now = number(B, Record, Field::Taken);
  B.CreateCall(Restore, {Record, snapshot(B, Record, B.CreateSub(Now, One))});
  Value *At = B.CreateCall(Fill, {Record, End});
  Value *Step = B.CreateSub(End, One);
  B.CreateCall(Run, {Record, At, Step});
  Args.push_back(Step);
  auto Reversed = [&](const SplitFunctions &Split) {
    Value *Own = B.CreateExtractValue(B.CreateCall(Split.Augmented, Args), 0);
    Value *Result = B.CreateCall(Split.Reverse, Own);
    for (auto [K, Sum] : enumerate(Sums)) {
      Value *Old = B.CreateLoad(Sum->getAllocatedType(), Sum);
      B.CreateStore(addAdjoints(B, Old, B.CreateExtractValue(Result, unsigned(K))), Sum);
    }
  };
  BasicBlock *Back = Loop;
  if (F.Apart) {
    BasicBlock *Apart = block(R, "apart"), *Overlap = block(R, "overlap");
    Back = block(R, "next");
    B.CreateCondBr(B.CreateCall(F.Test, Args), Apart, Overlap);
    for (auto [Here, Split] : {std::pair(Apart, F.Apart), std::pair(Overlap, F.Split)}) {
      B.SetInsertPoint(Here);
      Reversed(*Split);
      B.CreateBr(Back);
    }
    B.SetInsertPoint(Back);
  } else {
    Reversed(*F.Split);
  }
  // The snapshot of this step makes place for another one.
  Value *Used = B.CreateZExt(B.CreateICmpEQ(At, Step), B.getInt64Ty());
  B.CreateStore(B.CreateSub(number(B, Record, Field::Taken), Used), field(B, Record, Field::Taken));
  End->addIncoming(Steps, Entry);
  End->addIncoming(Step, Back);
  B.CreateCondBr(B.CreateICmpNE(Step, B.getInt64(0)), Loop, Done);

  B.SetInsertPoint(Done);
  B.CreateCall(RestoreAll, {Record, Behind});
  emitFree(B, Record);
  if (Sums.empty()) {
    B.CreateRetVoid();
    return;
  }
  SmallVector<Value *, 4> Outs;
  for (AllocaInst *Sum : Sums)
    Outs.push_back(B.CreateLoad(Sum->getAllocatedType(), Sum));
  B.CreateAggregateRet(Outs.data(), unsigned(Outs.size()));
}

void CheckpointEmitter::run() {
  Save = copies("save", false, 2);
  Restore = copies("restore", true, 2);
  SaveAll = copies("saveall", false, 1);
  RestoreAll = copies("restoreall", true, 1);
  Run = runs();
  Fill = fills();
  augmented();
  reverse();
}

void emitCheckpointed(const SplitFunctions &Into, const StepFunctions &F, const DerivativeSignature &S) {
  CheckpointEmitter(Into, F, S).run();
}

} // namespace tapefree
