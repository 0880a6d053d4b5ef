#include "Emit/Interchange.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ScopedNoAliasAA.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace llvm;

namespace tapefree {

namespace {
// More than this is not the few lines of a product.
constexpr unsigned MaxInstructions = 80;

class Nest {
public:
  Nest(Loop &Outer, ScalarEvolution &SE, const SmallPtrSetImpl<const Metadata *> &Declared)
      : Outer(Outer), SE(SE), Declared(Declared) {}
  /// Whether the loops have the form that is handled, may be swapped, and had better be.
  bool swappable();
  void swap();

private:
  /// Bytes from one iteration to the next, in either loop.
  struct Strides {
    const SCEV *Outer, *Inner;
  };

  bool shape();
  bool sortAccesses();
  bool onlyCounts(const Loop &L) const;
  bool computable(const Value *V, const Loop *Counts) const;
  bool apart(const Instruction &A, const Instruction &B) const;
  bool scopesApart(const MDNode *Scopes, const MDNode *Others) const;
  std::optional<Strides> strides(const Instruction &Access) const;
  bool atLeast(const SCEV *Distance, const SCEV *Bytes) const;
  bool sameOrder(const Instruction &Store, const Instruction &Access) const;
  bool ownRow(const Instruction &Store, const Instruction &Load) const;
  bool legal() const;
  unsigned cost(const SCEV *Stride) const;
  bool worthIt() const;

  using Copies = DenseMap<const Value *, Value *>;
  static Value *copy(IRBuilder<> &B, Value *V, Copies &Known, const Loop &L);
  static void copyPhis(IRBuilder<> &B, const BasicBlock &From, Copies &Known);
  void closeLoop(IRBuilder<> &B, const Loop &L, Copies &Known, BasicBlock *Before, BasicBlock *Header,
                 BasicBlock *Next);

  Loop &Outer;
  Loop *Inner = nullptr;
  ScalarEvolution &SE;
  const SmallPtrSetImpl<const Metadata *> &Declared;
  SmallVector<BasicBlock *, 4> Before, Behind; // blocks of the outer loop around the inner one, in order
  SmallVector<Instruction *, 16> RowLoads, RowStores, Body;
};
} // namespace

static uint64_t bytesOf(const Instruction &Access) {
  return Access.getDataLayout().getTypeStoreSize(getLoadStoreType(&Access)).getFixedValue();
}

/// Integer phis that count, and nothing else goes from one iteration to the next.
bool Nest::onlyCounts(const Loop &L) const {
  for (const PHINode &Phi : L.getHeader()->phis()) {
    auto *AR = Phi.getType()->isIntegerTy()
                   ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(const_cast<PHINode *>(&Phi)))
                   : nullptr;
    if (!AR || AR->getLoop() != &L || !AR->isAffine() ||
        !computable(Phi.getIncomingValueForBlock(L.getLoopLatch()), &L))
      return false;
  }
  return true;
}

/// Whether `V` follows from values before the nest and the counts of the loop `Counts`, without memory.
bool Nest::computable(const Value *V, const Loop *Counts) const {
  SmallPtrSet<const Value *, 16> Seen = {V};
  SmallVector<const Value *, 16> Work = {V};
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !Outer.contains(I))
      continue;
    if (isa<PHINode>(I)) {
      const Loop *Mine = I->getParent() == Outer.getHeader()    ? &Outer
                         : I->getParent() == Inner->getHeader() ? Inner
                                                                : nullptr;
      if (Mine != Counts)
        return false;
      continue;
    }
    if (I->mayReadOrWriteMemory() || I->isTerminator())
      return false;
    for (const Use &U : I->operands())
      if (Seen.insert(U.get()).second)
        Work.push_back(U.get());
  }
  return true;
}

bool Nest::shape() {
  if (Outer.getSubLoops().size() != 1)
    return false;
  Inner = Outer.getSubLoops()[0];
  BasicBlock *Latch = Outer.getLoopLatch();
  if (!Inner->isInnermost() || Inner->getNumBlocks() != 1 || !Outer.getLoopPreheader() || !Latch ||
      Outer.getExitingBlock() != Latch || !Outer.getExitBlock() || !Inner->getExitBlock())
    return false;
  for (BasicBlock *B = Outer.getHeader(); B != Inner->getHeader(); B = B->getSingleSuccessor()) {
    if (!B->getSingleSuccessor() || B == Latch)
      return false;
    Before.push_back(B);
  }
  for (BasicBlock *B = Inner->getExitBlock();; B = B->getSingleSuccessor()) {
    Behind.push_back(B);
    if (B == Latch)
      break;
    if (!B->getSingleSuccessor() || !Outer.contains(B->getSingleSuccessor()))
      return false;
  }
  if (Before.empty() || Before.size() + Behind.size() + 1 != Outer.getNumBlocks())
    return false;
  unsigned Instructions = 0;
  for (BasicBlock *B : Outer.blocks()) {
    Instructions += unsigned(B->size());
    if (B != Outer.getHeader() && B != Inner->getHeader() && isa<PHINode>(B->front()))
      return false;
    for (Instruction &I : *B)
      for (User *U : I.users())
        if (!Outer.contains(cast<Instruction>(U)))
          return false;
  }
  auto Condition = [&](const Loop &L) {
    auto *Br = dyn_cast<BranchInst>(L.getLoopLatch()->getTerminator());
    return Br && Br->isConditional() && computable(Br->getCondition(), &L);
  };
  return Instructions <= MaxInstructions && Condition(Outer) && Condition(*Inner) && onlyCounts(Outer) &&
         onlyCounts(*Inner);
}

bool Nest::sortAccesses() {
  for (BasicBlock *B : Outer.blocks())
    for (Instruction &I : *B) {
      if (!I.mayReadOrWriteMemory()) {
        if (!isGuaranteedToTransferExecutionToSuccessor(&I) && !I.isTerminator())
          return false;
        continue;
      }
      auto *Load = dyn_cast<LoadInst>(&I);
      auto *Store = dyn_cast<StoreInst>(&I);
      if (!(Load && Load->isSimple()) && !(Store && Store->isSimple()))
        return false;
      if (B == Inner->getHeader())
        Body.push_back(&I);
      else if (Store)
        RowStores.push_back(&I);
      else if (is_contained(Before, B))
        RowLoads.push_back(&I);
      else
        return false;
    }
  // What is stored around the inner loop is stored later, by a loop of its own.
  return all_of(RowStores, [&](const Instruction *S) {
    return computable(S->getOperand(0), &Outer) && computable(S->getOperand(1), &Outer);
  });
}

bool Nest::scopesApart(const MDNode *Scopes, const MDNode *Others) const {
  if (!Scopes || !Others)
    return false;
  // In one domain all scopes of the one access are named by the other; and they hold in the whole function.
  SmallDenseMap<const MDNode *, bool, 4> Domains;
  for (const MDOperand &Op : Scopes->operands()) {
    auto *Scope = cast<MDNode>(Op);
    bool Named = Declared.contains(Scope) && is_contained(Others->operands(), Op);
    auto [It, New] = Domains.try_emplace(AliasScopeNode(Scope).getDomain(), Named);
    It->second &= Named;
  }
  return any_of(Domains, [](const auto &D) { return D.second; });
}

/// Whether the accesses never meet, in whatever iterations.
bool Nest::apart(const Instruction &A, const Instruction &B) const {
  auto Lists = [](const Instruction &I) {
    return std::pair(I.getMetadata(LLVMContext::MD_alias_scope), I.getMetadata(LLVMContext::MD_noalias));
  };
  auto [ScopesA, OthersA] = Lists(A);
  auto [ScopesB, OthersB] = Lists(B);
  return scopesApart(ScopesA, OthersB) || scopesApart(ScopesB, OthersA);
}

std::optional<Nest::Strides> Nest::strides(const Instruction &Access) const {
  const SCEV *S = SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&Access)));
  const SCEV *Zero = SE.getZero(Type::getInt64Ty(SE.getContext()));
  Strides Result = {Zero, Zero};
  for (const Loop *L : {static_cast<const Loop *>(Inner), static_cast<const Loop *>(&Outer)})
    if (auto *AR = dyn_cast<SCEVAddRecExpr>(S); AR && AR->getLoop() == L) {
      if (!AR->isAffine() || !SE.isLoopInvariant(AR->getStepRecurrence(SE), &Outer))
        return std::nullopt;
      (L == Inner ? Result.Inner : Result.Outer) = AR->getStepRecurrence(SE);
      S = AR->getStart();
    }
  if (!SE.isLoopInvariant(S, &Outer) || Result.Inner->getType() != Zero->getType() ||
      Result.Outer->getType() != Zero->getType())
    return std::nullopt;
  return Result;
}

/// |Distance| >= Bytes.
bool Nest::atLeast(const SCEV *Distance, const SCEV *Bytes) const {
  for (const SCEV *D : {Distance, SE.getNegativeSCEV(Distance)}) {
    if (!SE.isKnownNonNegative(SE.applyLoopGuards(D, &Outer)))
      continue;
    const SCEV *Rest = SE.applyLoopGuards(SE.getMinusSCEV(D, Bytes), &Outer);
    if (SE.isKnownNonNegative(Rest))
      return true;
  }
  return false;
}

/// Two accesses of the same address in every iteration: whether those of two iterations that meet come in the
/// same order in the swapped loops.
bool Nest::sameOrder(const Instruction &Store, const Instruction &Access) const {
  if (SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&Store))) !=
          SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&Access))) ||
      bytesOf(Store) != bytesOf(Access))
    return false;
  std::optional<Strides> S = strides(Store);
  const SCEV *OuterRuns = SE.getBackedgeTakenCount(&Outer), *InnerRuns = SE.getBackedgeTakenCount(Inner);
  if (!S || isa<SCEVCouldNotCompute>(OuterRuns) || isa<SCEVCouldNotCompute>(InnerRuns))
    return false;
  Type *I64 = S->Outer->getType();
  const SCEV *Bytes = SE.getConstant(I64, bytesOf(Store));
  if (S->Outer->isZero())
    return atLeast(S->Inner, Bytes); // only iterations of equal k meet
  if (S->Inner->isZero())
    return atLeast(S->Outer, Bytes);
  // Rows that do not reach into the next one: no two iterations meet.
  auto Rows = [&](const SCEV *Row, const SCEV *Element, const SCEV *Runs) {
    if (SE.getTypeSizeInBits(Runs->getType()) > 64 || !atLeast(Element, Bytes))
      return false;
    Runs = SE.getNoopOrZeroExtend(Runs, I64);
    auto *Step = dyn_cast<SCEVConstant>(Element);
    if (!Step)
      return false;
    const SCEV *Length = SE.getAddExpr(SE.getMulExpr(SE.getConstant(Step->getAPInt().abs()), Runs), Bytes);
    return atLeast(Row, Length);
  };
  return Rows(S->Inner, S->Outer, OuterRuns) || Rows(S->Outer, S->Inner, InnerRuns);
}

/// Whether `Load` reads what `Store` overwrites later in the same iteration of the outer loop, and nothing
/// that it overwrites in another.
bool Nest::ownRow(const Instruction &Store, const Instruction &Load) const {
  if (SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&Store))) !=
          SE.getSCEV(const_cast<Value *>(getLoadStorePointerOperand(&Load))) ||
      bytesOf(Store) != bytesOf(Load))
    return false;
  if (Store.getParent() == Load.getParent()
          ? !Load.comesBefore(&Store)
          : is_contained(Before, Store.getParent()) &&
                find(Before, Store.getParent()) < find(Before, Load.getParent()))
    return false;
  std::optional<Strides> S = strides(Store);
  return S && S->Inner->isZero() && atLeast(S->Outer, SE.getConstant(S->Outer->getType(), bytesOf(Store)));
}

bool Nest::legal() const {
  for (const Instruction *S : RowStores) {
    for (const Instruction *X : Body)
      if (!apart(*S, *X))
        return false;
    for (const Instruction *X : RowLoads)
      if (!apart(*S, *X) && !ownRow(*S, *X))
        return false;
  }
  for (const Instruction *S : Body) {
    if (!isa<StoreInst>(S))
      continue;
    for (const Instruction *X : RowLoads)
      if (!apart(*S, *X))
        return false;
    for (const Instruction *X : Body)
      if (!apart(*S, *X) && !sameOrder(*S, *X))
        return false;
  }
  return true;
}

unsigned Nest::cost(const SCEV *Stride) const {
  if (Stride->isZero())
    return 0; // in a register
  auto *C = dyn_cast<SCEVConstant>(Stride);
  return C && C->getAPInt().abs().ule(64) ? 1 : 8; // another cache line in each iteration
}

bool Nest::worthIt() const {
  unsigned Now = 0, Swapped = 0;
  for (const Instruction *I : Body) {
    std::optional<Strides> S = strides(*I);
    if (!S)
      return false;
    Now += cost(S->Inner);
    Swapped += cost(S->Outer);
  }
  for (const Instruction *I : RowLoads) {
    std::optional<Strides> S = strides(*I);
    if (!S)
      return false;
    Swapped += cost(S->Outer);
  }
  return 2 * Swapped <= Now;
}

bool Nest::swappable() { return shape() && sortAccesses() && worthIt() && legal(); }

/// `V` in terms of the copies that are there, copying what is computed inside `L`.
Value *Nest::copy(IRBuilder<> &B, Value *V, Copies &Known, const Loop &L) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !L.contains(I))
    return V;
  if (Value *Copy = Known.lookup(V))
    return Copy;
  Instruction *Copy = I->clone();
  for (Use &U : Copy->operands())
    U.set(copy(B, U.get(), Known, L));
  B.Insert(Copy, I->getName());
  return Known[V] = Copy;
}

void Nest::copyPhis(IRBuilder<> &B, const BasicBlock &From, Copies &Known) {
  for (const PHINode &Phi : From.phis())
    Known[&Phi] = B.CreatePHI(Phi.getType(), 2, Phi.getName());
}

/// Ends a copy of `L` in B's block: the next counts, and back to `Header` or on to `Next`.
void Nest::closeLoop(IRBuilder<> &B, const Loop &L, Copies &Known, BasicBlock *Entry, BasicBlock *Header,
                     BasicBlock *Next) {
  for (PHINode &Phi : L.getHeader()->phis()) {
    auto *New = cast<PHINode>(Known[&Phi]);
    New->addIncoming(Phi.getIncomingValueForBlock(L.getLoopPreheader()), Entry);
    New->addIncoming(copy(B, Phi.getIncomingValueForBlock(L.getLoopLatch()), Known, Outer),
                     B.GetInsertBlock());
  }
  auto *Br = cast<BranchInst>(L.getLoopLatch()->getTerminator());
  Value *Condition = copy(B, Br->getCondition(), Known, Outer);
  bool AgainFirst = Br->getSuccessor(0) == L.getHeader();
  B.CreateCondBr(Condition, AgainFirst ? Header : Next, AgainFirst ? Next : Header);
}

void Nest::swap() {
  Function &F = *Outer.getHeader()->getParent();
  LLVMContext &C = F.getContext();
  BasicBlock *Entry = Outer.getLoopPreheader(), *Exit = Outer.getExitBlock(), *Latch = Outer.getLoopLatch();
  auto New = [&](const Twine &Name) { return BasicBlock::Create(C, Name, &F, Exit); };
  BasicBlock *Long = New("tapefree.outer"), *Short = New("tapefree.inner"),
             *Again = New("tapefree.outer.again"), *Rows = RowStores.empty() ? nullptr : New("tapefree.rows");

  // for (k)
  IRBuilder<> B(Long);
  Copies Counts;
  copyPhis(B, *Inner->getHeader(), Counts);
  B.CreateBr(Short);
  // for (j): what stood before the inner loop, without its stores, and the body
  B.SetInsertPoint(Short);
  Copies All = Counts;
  copyPhis(B, *Outer.getHeader(), All);
  for (BasicBlock *Block : Before)
    for (Instruction &I : *Block)
      if (!I.isTerminator() && !isa<StoreInst>(I))
        copy(B, &I, All, Outer);
  for (Instruction &I : *Inner->getHeader())
    if (!I.isTerminator())
      copy(B, &I, All, Outer);
  closeLoop(B, Outer, All, Long, Short, Again);
  B.SetInsertPoint(Again);
  BasicBlock *Next = Rows ? Rows : Exit;
  closeLoop(B, *Inner, Counts, Entry, Long, Next);
  BasicBlock *Last = Again;
  // for (j): the stores
  if (Rows) {
    B.SetInsertPoint(Rows);
    Copies Own;
    copyPhis(B, *Outer.getHeader(), Own);
    for (BasicBlock *Block : concat<BasicBlock *>(Before, Behind))
      for (Instruction &I : *Block)
        if (isa<StoreInst>(I))
          copy(B, &I, Own, Outer);
    closeLoop(B, Outer, Own, Again, Rows, Exit);
    Last = Rows;
  }
  for (PHINode &Phi : Exit->phis()) // the old latch's own goes with it
    Phi.addIncoming(Phi.getIncomingValueForBlock(Latch), Last);
  Entry->getTerminator()->replaceSuccessorWith(Outer.getHeader(), Long);
  SmallVector<BasicBlock *, 4> Old(Outer.blocks());
  DeleteDeadBlocks(Old);
}

bool interchangeLoops(Function &F, FunctionAnalysisManager &FAM) {
  auto Nested = [&] {
    return any_of(FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder(), [](const Loop *L) {
      return L->getSubLoops().size() == 1 && L->getSubLoops()[0]->isInnermost();
    });
  };
  SmallPtrSet<const Metadata *, 16> Declared;
  for (Instruction &I : F.getEntryBlock())
    if (auto *D = dyn_cast<NoAliasScopeDeclInst>(&I))
      for (const MDOperand &Op : D->getScopeList()->operands())
        Declared.insert(Op.get());
  if (Declared.empty() || !Nested())
    return false;
  auto Run = [&](auto &&Pass) { FAM.invalidate(F, Pass.run(F, FAM)); };
  Run(LoopSimplifyPass());
  Run(LCSSAPass());
  Run(createFunctionToLoopPassAdaptor(LoopRotatePass(/*EnableHeaderDuplication=*/false)));
  bool Changed = false;
  for (bool Again = true; Again;) {
    Again = false;
    auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
    for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder()) {
      Nest N(*L, SE, Declared);
      if (!N.swappable())
        continue;
      N.swap();
      FAM.invalidate(F, PreservedAnalyses::none());
      Again = Changed = true;
      break;
    }
  }
  return Changed;
}

} // namespace tapefree
