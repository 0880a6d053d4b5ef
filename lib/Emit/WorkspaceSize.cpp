#include "Emit/WorkspaceSize.h"
#include "Emit/KeptStore.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tapefree {

namespace {
class SizeBuilder {
public:
  SizeBuilder(const Facts &F, const Plan &P, ArrayRef<ArgActivity> Args, MemorySSA &Memory,
              SizeObstacle &Obstacle, Function &G)
      : F(F), P(P), Args(Args), Memory(Memory), Obstacle(Obstacle), G(G) {}
  bool run();

private:
  void clone();
  void keepWaysToReturn();
  void addSizes();
  void findControl();
  bool known(const Instruction &I) const;
  void need(Instruction *I);
  void needBlock(BasicBlock *B);
  bool follow(const Loop *Nest);
  bool dropTheRest();

  const Facts &F;
  const Plan &P;
  ArrayRef<ArgActivity> Args;
  MemorySSA &Memory;
  SizeObstacle &Obstacle;
  Function &G;
  ValueToValueMapTy Map;                               // frozen primal -> G
  DenseMap<const Instruction *, Instruction *> Origin; // and back
  ReturnInst *Return = nullptr;
  SmallVector<std::pair<const Loop *, StoreInst *>, 8> Sizes; // adds what a nest keeps
  PostDominatorTree PDT;
  DenseMap<BasicBlock *, SmallVector<BasicBlock *, 2>> Deciders; // whose branches decide whether a block runs
  SmallPtrSet<Instruction *, 32> Needed;
  SmallPtrSet<BasicBlock *, 16> NeededBlocks;
  SmallVector<Instruction *, 32> Todo;
};
} // namespace

void SizeBuilder::clone() {
  unsigned Next = 0;
  for (Argument &A : F.P.F->args()) {
    Map[&A] = G.getArg(Next++);
    if (hasShadowArgument(Args[A.getArgNo()]))
      ++Next;
  }
  SmallVector<ReturnInst *, 4> Returns;
  CloneFunctionInto(&G, F.P.F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  dropPrimalPromises(G);
  stripDebugInfo(G);
  for (Instruction &I : instructions(*F.P.F))
    Origin[cast<Instruction>(Map[&I])] = &I;
  Return = Returns.empty() ? nullptr : Returns.front();
}

/// A size is that of a call which comes back: what leads to abort or goes round for ever has none.
void SizeBuilder::keepWaysToReturn() {
  SmallPtrSet<BasicBlock *, 32> Returning = {Return->getParent()};
  SmallVector<BasicBlock *, 32> Blocks = {Return->getParent()};
  while (!Blocks.empty())
    for (BasicBlock *Pred : predecessors(Blocks.pop_back_val()))
      if (Returning.insert(Pred).second)
        Blocks.push_back(Pred);
  for (BasicBlock &B : G) {
    auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    if (!Branch || !Branch->isConditional() || !Returning.contains(&B))
      continue;
    for (unsigned K : {0, 1}) {
      BasicBlock *Other = Branch->getSuccessor(1 - K);
      if (Returning.contains(Other))
        continue;
      Other->removePredecessor(&B, /*KeepOneInputPHIs=*/true);
      IRBuilder<>(Branch).CreateBr(Branch->getSuccessor(K));
      Branch->eraseFromParent();
      break;
    }
  }
  removeUnreachableBlocks(G);
}

/// Sums up in the memory that a later pass makes a register of.
void SizeBuilder::addSizes() {
  BasicBlock &Entry = G.getEntryBlock();
  auto *Top = new AllocaInst(Type::getInt64Ty(G.getContext()), 0, "tapefree.top", Entry.begin());
  IRBuilder<> B(&Entry, std::next(Top->getIterator()));
  Sizes.push_back({nullptr, B.CreateStore(B.getInt64(0), Top)});
  SmallSetVector<const Loop *, 8> Nests;
  for (auto &[L, LP] : P.Loops)
    if (LP.Size == LoopPlan::Exact)
      Nests.insert(L->getOutermostLoop());
  for (const Loop *L : Nests) {
    Value *Before = Map.lookup(L->getLoopPreheader()->getTerminator());
    if (!Before)
      continue; // on no way to the return
    B.SetInsertPoint(cast<Instruction>(Before));
    Value *Bytes = nestBytes(B, P, L, Map);
    Sizes.push_back({L, B.CreateStore(endOfBlock(B, B.CreateLoad(B.getInt64Ty(), Top), Bytes), Top)});
  }
  B.SetInsertPoint(Return);
  Value *Sum = B.CreateLoad(B.getInt64Ty(), Top);
  ReturnInst *New = B.CreateAggregateRet(&Sum, 1);
  Return->eraseFromParent();
  Return = New;
}

/// The branches that decide whether a block runs are those from which a way leads past it.
void SizeBuilder::findControl() {
  PDT.recalculate(G);
  for (BasicBlock &B : G) {
    if (succ_size(&B) < 2)
      continue;
    const DomTreeNode *End = PDT.getNode(&B)->getIDom();
    for (BasicBlock *S : successors(&B))
      for (DomTreeNode *N = PDT.getNode(S); N != End; N = N->getIDom())
        Deciders[N->getBlock()].push_back(&B);
  }
}

/// Whether an instruction does here what it does in the primal.
bool SizeBuilder::known(const Instruction &I) const {
  const Instruction *Frozen = Origin.lookup(&I);
  if (!Frozen)
    return true; // made here
  if (auto *Load = dyn_cast<LoadInst>(Frozen))
    return Load->isSimple() && Memory.isLiveOnEntryDef(Memory.getWalker()->getClobberingMemoryAccess(
                                   const_cast<LoadInst *>(Load)));
  if (auto *Call = dyn_cast<CallBase>(Frozen))
    return Call->doesNotAccessMemory() && Call->willReturn() && Call->doesNotThrow();
  return !Frozen->mayReadOrWriteMemory();
}

void SizeBuilder::need(Instruction *I) {
  if (Needed.insert(I).second)
    Todo.push_back(I);
}

void SizeBuilder::needBlock(BasicBlock *B) {
  if (NeededBlocks.insert(B).second)
    for (BasicBlock *D : Deciders[B])
      need(D->getTerminator());
}

/// Everything that the sizes of a nest depend on.
bool SizeBuilder::follow(const Loop *Nest) {
  while (!Todo.empty()) {
    Instruction *I = Todo.pop_back_val();
    if (!known(*I)) {
      Obstacle = {Nest, Origin.lookup(I)};
      return false;
    }
    needBlock(I->getParent());
    for (Value *Op : I->operands())
      if (auto *From = dyn_cast<Instruction>(Op))
        need(From);
    if (auto *Phi = dyn_cast<PHINode>(I)) // which way control came is part of the value
      for (BasicBlock *From : Phi->blocks())
        need(From->getTerminator());
  }
  return true;
}

/// A branch that decides nothing goes on where both of its ways come together.
bool SizeBuilder::dropTheRest() {
  for (BasicBlock &B : G)
    for (Instruction &I : make_early_inc_range(B)) {
      if (I.isTerminator() || Needed.contains(&I))
        continue;
      if (!I.use_empty())
        I.replaceAllUsesWith(PoisonValue::get(I.getType()));
      I.eraseFromParent();
    }
  for (BasicBlock &B : G) {
    Instruction *Branch = B.getTerminator();
    if (succ_size(&B) < 2 || Needed.contains(Branch))
      continue;
    BasicBlock *Next = PDT.getNode(&B)->getIDom()->getBlock();
    if (!Next || isa<PHINode>(Next->front())) {
      Obstacle.Unknown = Origin.lookup(Branch);
      return false;
    }
    for (BasicBlock *S : successors(&B))
      S->removePredecessor(&B, /*KeepOneInputPHIs=*/true);
    IRBuilder<>(Branch).CreateBr(Next);
    Branch->eraseFromParent();
  }
  removeUnreachableBlocks(G);
  return true;
}

bool SizeBuilder::run() {
  clone();
  if (!Return) { // it never comes back
    G.deleteBody();
    IRBuilder<> B(BasicBlock::Create(G.getContext(), "entry", &G));
    B.CreateRet(Constant::getNullValue(G.getReturnType()));
    G.setLinkage(GlobalValue::InternalLinkage);
    return true;
  }
  keepWaysToReturn();
  addSizes();
  findControl();
  need(Return);
  for (auto &[Nest, Size] : Sizes) {
    need(Size);
    if (!follow(Nest))
      return false;
  }
  return dropTheRest();
}

Function *emitWorkspaceSize(const Facts &F, const Plan &P, const DerivativeSignature &S, MemorySSA &Memory,
                            SizeObstacle &Obstacle, const Twine &Name) {
  Function &Source = *F.P.F;
  LLVMContext &C = Source.getContext();
  auto *T = FunctionType::get(StructType::get(Type::getInt64Ty(C)), gradientParameters(Source, S), false);
  Function *G = Function::Create(T, GlobalValue::InternalLinkage, Name, Source.getParent());
  if (SizeBuilder(F, P, S.Args, Memory, Obstacle, *G).run())
    return G;
  G->eraseFromParent();
  return nullptr;
}

} // namespace tapefree
