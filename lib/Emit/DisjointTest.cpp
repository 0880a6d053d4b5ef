#include "Emit/DisjointTest.h"
#include "Emit/LaneEntry.h"
#include "Emit/LaneOps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace tapefree {

namespace {
/// A buffer with the ends of its range as offsets, in the function of the test.
struct TestedBuffer {
  Value *Start, *Low, *High;
  bool Written;
  unsigned Stage;
  Value *Counted = nullptr; // bytes that a walk has met, each as often as it met them
  Value *Shadow = nullptr;
};

class TestBuilder {
public:
  TestBuilder(const Prepared &P, const Activity &Act, const Lanes &L, const Extents &Known,
              ArrayRef<RangeWalk> Walks, FunctionAnalysisManager &FAM, OverlapMessage Message)
      : P(P), Act(Act), L(L), Ops(L), Known(Known), Walks(Walks), FAM(FAM), Message(Message) {}
  Function *run(ArrayRef<ArgActivity> Args, FunctionType *GradientType);

private:
  bool expandRanges(Function &Clone, ValueToValueMapTy &Map);
  Value *shadowOf(IRBuilderBase &B, Value *V);
  void walk(IRBuilderBase &B, const RangeWalk &W);
  Value *dense(IRBuilderBase &B, const RangeWalk &W);
  TestedBuffer &buffer(const Value *Frozen) {
    return Buffers[Known.buffers().find(Frozen) - Known.buffers().begin()];
  }
  Value *allApart(IRBuilderBase &B, unsigned Stage);
  Value *apart(IRBuilderBase &B, const TestedBuffer &X, Value *XStart, const TestedBuffer &Y, Value *YStart,
               unsigned Lanes, function_ref<std::string()> Message);

  const Prepared &P;
  const Activity &Act;
  const Lanes &L;
  LaneOps Ops;
  const Extents &Known;
  ArrayRef<RangeWalk> Walks;
  FunctionAnalysisManager &FAM;
  OverlapMessage Message; // null: the test answers
  Function *Test = nullptr;
  SmallVector<Value *, 8> PrimalArgs; // in the test
  SmallVector<TestedBuffer, 16> Buffers;
  DenseMap<Value *, Value *> Shadows; // values of the test -> their shadows
};
} // namespace

/// Computes the ends of all ranges at the end of the clone's entry block.
bool TestBuilder::expandRanges(Function &Clone, ValueToValueMapTy &Map) {
  Instruction *End = Clone.getEntryBlock().getTerminator();
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(Clone);
  Extents Again(Clone, FAM.getResult<LoopAnalysis>(Clone), SE,
                FAM.getResult<MemorySSAAnalysis>(Clone).getMSSA());
  SCEVExpander Expander(SE, "tapefree.range");
  Type *I64 = Type::getInt64Ty(Clone.getContext());
  for (auto &[Frozen, Ext] : Known.buffers()) {
    TestedBuffer T{Map[Frozen], nullptr, nullptr, Ext.Written, Ext.Stage};
    if (Ext.Low) {
      auto Found = Again.buffers().find(T.Start);
      if (Found == Again.buffers().end())
        return false;
      T.Low = Expander.expandCodeFor(Found->second.Low, I64, End);
      T.High = Expander.expandCodeFor(Found->second.High, I64, End);
    }
    Buffers.push_back(T);
  }
  return true;
}

/// The shadow of a pointer that the entry block finds: the same walk through the shadows of the arguments.
Value *TestBuilder::shadowOf(IRBuilderBase &B, Value *V) {
  if (Value *S = Shadows.lookup(V))
    return S;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !isa<GetElementPtrInst, LoadInst, CastInst, FreezeInst>(I))
    return nullptr;
  Value *Base = shadowOf(B, I->getOperand(0));
  if (!Base)
    return nullptr;
  if (auto *Load = dyn_cast<LoadInst>(I))
    return Shadows[V] = B.CreateAlignedLoad(V->getType(), Base, Load->getAlign(), I->getName() + ".shadow");
  return Shadows[V] = Ops.pointer(
             B, *I, [&](const Value *O) { return O == I->getOperand(0) ? Base : const_cast<Value *>(O); });
}

Value *TestBuilder::apart(IRBuilderBase &B, const TestedBuffer &X, Value *XStart, const TestedBuffer &Y,
                          Value *YStart, unsigned Lanes, function_ref<std::string()> Message) {
  auto At = [&](Value *Start, Value *Offset) {
    return B.CreateAdd(B.CreatePtrToInt(Start, B.getInt64Ty()), B.CreateMul(Offset, B.getInt64(Lanes)));
  };
  Value *XLow = At(XStart, X.Low), *XHigh = At(XStart, X.High), *YLow = At(YStart, Y.Low),
        *YHigh = At(YStart, Y.High);
  if (Message) {
    // A walk may have met no access at all: of an empty range both ends are the same.
    for (auto [T, Low, High] : {std::tuple(&X, &XLow, &XHigh), std::tuple(&Y, &YLow, &YHigh)})
      if (T->Stage)
        *High = B.CreateSelect(B.CreateICmpSGT(T->Low, T->High), *Low, *High);
    emitRequireApart(B, XLow, XHigh, YLow, YHigh, Message());
    return B.getTrue();
  }
  Value *Apart = B.CreateOr(B.CreateICmpULE(XHigh, YLow), B.CreateICmpULE(YHigh, XLow));
  for (const TestedBuffer *T : {&X, &Y}) // a walk may have met no access at all
    if (T->Stage)
      Apart = B.CreateOr(Apart, B.CreateICmpSGT(T->Low, T->High));
  return Apart;
}

/// Calls a walk and takes the ends of its buffers.
void TestBuilder::walk(IRBuilderBase &B, const RangeWalk &W) {
  Type *I64 = B.getInt64Ty();
  auto *Ends =
      new AllocaInst(ArrayType::get(I64, 3 * W.Buffers.size()), 0, "ends", Test->getEntryBlock().begin());
  SmallVector<Value *, 8> Args(PrimalArgs);
  Args.push_back(Ends);
  for (const Value *Array : W.Scanned) {
    Args.push_back(buffer(Array).Low);
    Args.push_back(buffer(Array).High);
  }
  B.CreateCall(W.F, Args);
  auto Part = [&](uint64_t N) { return B.CreateLoad(I64, B.CreateConstGEP1_64(I64, Ends, N)); };
  for (auto [K, Frozen] : enumerate(W.Buffers)) {
    TestedBuffer &T = buffer(Frozen);
    Value *Low = Part(3 * K), *High = Part(3 * K + 1);
    T.Low = T.Low ? B.CreateBinaryIntrinsic(Intrinsic::smin, T.Low, Low) : Low;
    T.High = T.High ? B.CreateBinaryIntrinsic(Intrinsic::smax, T.High, High) : High;
    T.Counted = Part(3 * K + 2);
  }
}

/// Whether the index arrays that a walk goes over are not much larger than what is used of them.
Value *TestBuilder::dense(IRBuilderBase &B, const RangeWalk &W) {
  Value *All = B.getTrue();
  for (const Value *Array : W.Scanned) {
    const TestedBuffer &T = buffer(Array);
    Value *Used = B.CreateAdd(B.CreateMul(T.Counted, B.getInt64(4)), B.getInt64(1 << 16));
    Value *Dense = B.CreateICmpSLE(B.CreateSub(T.High, T.Low), Used);
    All = B.CreateAnd(All, B.CreateOr(Dense, B.CreateICmpSGT(T.Low, T.High)));
  }
  return All;
}

/// Whether all pairs are disjoint whose ranges are both known in this stage, and were not before.
Value *TestBuilder::allApart(IRBuilderBase &B, unsigned Stage) {
  Value *All = B.getTrue();
  for (unsigned I = 0; I < Buffers.size(); ++I)
    for (unsigned J = I + 1; J < Buffers.size(); ++J) {
      const TestedBuffer &X = Buffers[I], &Y = Buffers[J];
      if (std::max(X.Stage, Y.Stage) != Stage)
        continue;
      auto Apart = [&](Value *XStart, Value *YStart, unsigned Lanes, bool Shadows) {
        auto Text = [&] { return Message(I, J, Shadows); };
        function_ref<std::string()> Given = nullptr;
        if (Message)
          Given = Text;
        All = B.CreateAnd(All, apart(B, X, XStart, Y, YStart, Lanes, Given));
      };
      if (X.Written || Y.Written)
        Apart(X.Start, Y.Start, 1, false);
      if (X.Shadow && Y.Shadow)
        Apart(X.Shadow, Y.Shadow, L.width(), true);
    }
  return All;
}

Function *TestBuilder::run(ArrayRef<ArgActivity> Args, FunctionType *GradientType) {
  // The frozen primal is not touched: its entry block is cloned with all else, and all else is dropped again.
  ValueToValueMapTy Map;
  Function *Clone = CloneFunction(P.F, Map);
  LLVMContext &C = Clone->getContext();
  bool Done = expandRanges(*Clone, Map);
  FAM.clear(*Clone, Clone->getName());
  if (!Done) {
    Clone->eraseFromParent();
    return nullptr;
  }
  BasicBlock &Entry = Clone->getEntryBlock();
  for (BasicBlock *S : successors(&Entry))
    S->removePredecessor(&Entry);
  Entry.getTerminator()->eraseFromParent();
  // The entry block without its effects, as a function of its own.
  Test = Function::Create(FunctionType::get(Type::getInt1Ty(C), GradientType->params(), false),
                          GlobalValue::InternalLinkage, "tapefree.disjoint." + P.Source->getName(),
                          Clone->getParent());
  unsigned Next = 0;
  for (Argument &A : Clone->args()) {
    Argument *New = Test->getArg(Next++);
    A.replaceAllUsesWith(New);
    PrimalArgs.push_back(New);
    for (TestedBuffer &T : Buffers)
      if (T.Start == &A)
        T.Start = New;
    if (Args[A.getArgNo()] == ArgActivity::Dup || Args[A.getArgNo()] == ArgActivity::DupNoNeed)
      Shadows[New] = Test->getArg(Next++);
  }
  for (Instruction &I : make_early_inc_range(reverse(Entry))) {
    I.setDebugLoc(DebugLoc());
    I.dropDbgRecords();
    if (I.mayWriteToMemory()) {
      if (!I.getType()->isVoidTy())
        I.replaceAllUsesWith(PoisonValue::get(I.getType()));
      I.eraseFromParent();
    }
  }
  Test->splice(Test->begin(), Clone, Clone->begin());
  Clone->deleteBody(); // what follows refers to the block that has moved
  Clone->eraseFromParent();

  IRBuilder<> B(&Test->getEntryBlock());
  for (auto [T, Frozen] : zip(Buffers, Known.buffers())) {
    // Separate lanes would be too many ranges: nothing is assumed of them.
    if (!Act.hasShadow(Frozen.first) || (L.wide() && L.of(Frozen.first) == LaneLayout::Separate))
      continue;
    T.Shadow = shadowOf(B, T.Start);
    if (!T.Shadow) {
      Test->eraseFromParent();
      return nullptr;
    }
  }
  BasicBlock *Overlap = nullptr;
  for (auto [Stage, W] : enumerate(Walks)) {
    BasicBlock *Next = BasicBlock::Create(C, "walk", Test);
    if (!Overlap)
      Overlap = BasicBlock::Create(C, "overlap", Test);
    B.CreateCondBr(B.CreateAnd(allApart(B, unsigned(Stage)), dense(B, W)), Next, Overlap);
    B.SetInsertPoint(Next);
    walk(B, W);
  }
  B.CreateRet(allApart(B, unsigned(Walks.size())));
  if (Overlap)
    ReturnInst::Create(C, B.getFalse(), Overlap);
  return Test;
}

Function *emitDisjointTest(const Prepared &P, const Activity &Act, const Lanes &L, const Extents &Known,
                           ArrayRef<RangeWalk> Walks, ArrayRef<ArgActivity> Args, FunctionType *GradientType,
                           FunctionAnalysisManager &FAM, OverlapMessage Message) {
  return TestBuilder(P, Act, L, Known, Walks, FAM, Message).run(Args, GradientType);
}

Function *emitChoice(Function &Test, Function &Fast, Function *Safe) {
  LLVMContext &C = Fast.getContext();
  copyTarget(Test, Fast);
  Function *W = Function::Create(Fast.getFunctionType(), GlobalValue::InternalLinkage,
                                 (Safe ? *Safe : Fast).getName() + ".checked", Fast.getParent());
  copyTarget(*W, Fast);
  if (Safe)
    W->setMetadata(SafeBodyMark, MDNode::get(C, ConstantAsMetadata::get(Safe)));
  BasicBlock *Entry = BasicBlock::Create(C, "entry", W), *Apart = BasicBlock::Create(C, "apart", W),
             *Overlap = Safe ? BasicBlock::Create(C, "overlap", W) : nullptr;
  IRBuilder<> B(Entry);
  SmallVector<Value *, 16> All;
  for (Argument &A : W->args())
    All.push_back(&A);
  Value *Passed = B.CreateCall(&Test, All);
  if (Safe)
    B.CreateCondBr(Passed, Apart, Overlap);
  else
    B.CreateBr(Apart);
  for (auto [Block, Body] : {std::pair(Apart, &Fast), std::pair(Overlap, Safe)}) {
    if (!Body)
      continue;
    B.SetInsertPoint(Block);
    Value *R = B.CreateCall(Body, All);
    if (R->getType()->isVoidTy())
      B.CreateRetVoid();
    else
      B.CreateRet(R);
  }
  return W;
}

} // namespace tapefree
