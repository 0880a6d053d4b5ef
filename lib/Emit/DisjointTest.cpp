#include "Emit/DisjointTest.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace tapefree {

Function *emitDisjointTest(const Prepared &P, const Extents &Known, const std::set<AssumedDisjoint::Pair> &Pairs,
                           FunctionAnalysisManager &FAM) {
  // The frozen primal is not touched: its entry block is cloned with all else, and all else is dropped again.
  ValueToValueMapTy Map;
  Function *C = CloneFunction(P.F, Map);
  C->setName("tapefree.disjoint." + P.Source->getName());
  BasicBlock &Entry = C->getEntryBlock();
  Instruction *End = Entry.getTerminator();
  IRBuilder<> B(End);
  Value *All = B.getTrue();
  {
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(*C);
    Extents E(*C, FAM.getResult<LoopAnalysis>(*C), SE,
              FAM.getResult<MemorySSAAnalysis>(*C).getMSSA());
    SCEVExpander Expander(SE, "tapefree.range");
    Type *I64 = B.getInt64Ty();
    DenseMap<unsigned, std::pair<Value *, Value *>> Ranges;
    auto Range = [&](unsigned Index) {
      auto [It, New] = Ranges.try_emplace(Index);
      if (!New)
        return It->second;
      Value *Buffer = Map[Known.buffers().begin()[Index].first];
      auto Found = E.buffers().find(Buffer);
      if (Found == E.buffers().end())
        return It->second;
      Value *Low = Expander.expandCodeFor(Found->second.Low, I64, End), *High = Expander.expandCodeFor(Found->second.High, I64, End);
      B.SetInsertPoint(End);
      Value *Start = B.CreatePtrToInt(Buffer, I64);
      return It->second = {B.CreateAdd(Start, Low), B.CreateAdd(Start, High)};
    };
    for (auto [I, J] : Pairs) {
      auto [LowI, HighI] = Range(I);
      auto [LowJ, HighJ] = Range(J);
      if (!LowI || !LowJ) {
        All = nullptr;
        break;
      }
      Value *Apart = B.CreateOr(B.CreateICmpULE(HighI, LowJ), B.CreateICmpULE(HighJ, LowI));
      All = B.CreateAnd(All, Apart);
    }
  }
  FAM.clear(*C, C->getName());
  if (!All) {
    C->eraseFromParent();
    return nullptr;
  }
  // The test as a function of its own: the entry block without its effects.
  auto *T = FunctionType::get(B.getInt1Ty(), C->getFunctionType()->params(), false);
  Function *Test = Function::Create(T, GlobalValue::InternalLinkage, C->getName(), C->getParent());
  for (BasicBlock *S : successors(&Entry))
    S->removePredecessor(&Entry);
  B.SetInsertPoint(End);
  ReturnInst *Ret = ReturnInst::Create(C->getContext(), All, End->getIterator());
  End->eraseFromParent();
  for (Instruction &I : make_early_inc_range(reverse(Entry))) {
    if (&I == Ret)
      continue;
    if (I.mayWriteToMemory()) {
      if (!I.getType()->isVoidTy())
        I.replaceAllUsesWith(PoisonValue::get(I.getType()));
      I.eraseFromParent();
    }
  }
  for (auto [Old, New] : zip(C->args(), Test->args()))
    Old.replaceAllUsesWith(&New);
  Test->splice(Test->begin(), C, C->begin());
  // What follows in C refers to the moved block: drop it whole.
  C->deleteBody();
  C->eraseFromParent();
  for (Instruction &I : Entry) {
    I.setDebugLoc(DebugLoc());
    I.dropDbgRecords();
  }
  return Test;
}

Function *emitChoice(Function &Test, Function &Fast, Function &Safe, ArrayRef<bool> PrimalArguments) {
  LLVMContext &C = Fast.getContext();
  Function *W = Function::Create(Fast.getFunctionType(), GlobalValue::InternalLinkage, Fast.getName() + ".checked",
                                 Fast.getParent());
  BasicBlock *Entry = BasicBlock::Create(C, "entry", W), *Apart = BasicBlock::Create(C, "apart", W),
             *Overlap = BasicBlock::Create(C, "overlap", W);
  IRBuilder<> B(Entry);
  SmallVector<Value *, 16> All, Primal;
  for (auto [A, IsPrimal] : zip(W->args(), PrimalArguments)) {
    All.push_back(&A);
    if (IsPrimal)
      Primal.push_back(&A);
  }
  B.CreateCondBr(B.CreateCall(&Test, Primal), Apart, Overlap);
  for (auto [Block, Body] : {std::pair(Apart, &Fast), std::pair(Overlap, &Safe)}) {
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
