#include "Prepare/Prepare.h"
#include "Prepare/Checkpoint.h"
#include "Prepare/Restrict.h"
#include "Rules/UserRules.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Scalar/DCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/GVN.h"
#include "llvm/Transforms/Scalar/IndVarSimplify.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

using namespace llvm;

namespace tapefree {

void ownAssignIds(Function &F) {
  DenseMap<DIAssignID *, DIAssignID *> Own;
  for (Instruction &I : instructions(F))
    at::remapAssignID(Own, I);
}

Function *clonePrimal(Function &Source, const Twine &Name) {
  ValueToValueMapTy Map;
  Function *F = CloneFunction(&Source, Map);
  F->setName(Name);
  F->setLinkage(GlobalValue::InternalLinkage);
  F->setComdat(nullptr);
  F->setVisibility(GlobalValue::DefaultVisibility);
  rules::clearUserRule(*F);
  // What holds for the user's function does not bind how its derivative is compiled: at -O0 every function is
  // optnone.
  for (Attribute::AttrKind K :
       {Attribute::OptimizeNone, Attribute::NoInline, Attribute::AlwaysInline, Attribute::MinSize})
    F->removeFnAttr(K);
  ownAssignIds(*F);
  return F;
}

/// Folds decided branches, drops dead blocks and joins straight lines. Unlike SimplifyCFG this never
/// speculates: a floating operation that the user put behind a branch must not run where the branch is not
/// taken, or the adjoint of the untaken side could become 0 * infinity.
static void tidyFlow(Function &F) {
  for (BasicBlock &B : F)
    ConstantFoldTerminator(&B, /*DeleteDeadConditions=*/true);
  removeUnreachableBlocks(F);
  for (BasicBlock &B : make_early_inc_range(F)) {
    // Single-entry phis only stand in the way here: LCSSA is rebuilt later.
    if (B.getSinglePredecessor())
      FoldSingleEntryPHINodes(&B);
    MergeBlockIntoPredecessor(&B);
  }
}

template <class PassT> static void runPass(PassT &&Pass, Function &F, FunctionAnalysisManager &FAM) {
  PreservedAnalyses PA = Pass.run(F, FAM);
  FAM.invalidate(F, PA);
}

/// SROA may choose an integer for a local number that is stored to through (c ? a : b): as the number again.
static void undoIntegerSlots(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *Cast = dyn_cast<BitCastInst>(&I)) {
      auto *Load = dyn_cast<LoadInst>(Cast->getOperand(0));
      if (!Load || !Load->isSimple() || !Load->hasOneUse() || !Load->getType()->isIntegerTy() ||
          !Cast->getType()->isFloatingPointTy())
        continue;
      auto *Typed = new LoadInst(Cast->getType(), Load->getPointerOperand(), "", /*isVolatile=*/false,
                                 Load->getAlign(), Load->getIterator());
      Typed->copyMetadata(*Load,
                          {LLVMContext::MD_tbaa, LLVMContext::MD_alias_scope, LLVMContext::MD_noalias});
      Typed->setDebugLoc(Load->getDebugLoc());
      Typed->takeName(Load);
      Cast->replaceAllUsesWith(Typed);
      Cast->eraseFromParent();
      Load->eraseFromParent();
    } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
      auto *Cast = dyn_cast<BitCastInst>(Store->getValueOperand());
      if (Cast && Store->isSimple() && Cast->getType()->isIntegerTy() &&
          Cast->getSrcTy()->isFloatingPointTy())
        Store->setOperand(0, Cast->getOperand(0));
    }
  }
}

void simplifyLocally(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  tidyFlow(F);
  runPass(SROAPass(SROAOptions::PreserveCFG), F, FAM);
  undoIntegerSlots(F);
  runPass(EarlyCSEPass(/*UseMemorySSA=*/true), F, FAM);
  runPass(InstSimplifyPass(), F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  tidyFlow(F);
  FAM.invalidate(F, PreservedAnalyses::none());
}

/// Loops of a few known iterations become straight lines: what they compute can then be computed again, not
/// only kept.
/// Whether every way out of `L` compares with a number that only the run knows, while counters start at
/// constants.
static bool hasUnknownTrips(const Loop &L) {
  if (!L.getLoopPreheader() || !all_of(L.getHeader()->phis(), [&](const PHINode &Phi) {
        return !Phi.getType()->isIntegerTy() ||
               isa<Constant>(Phi.getIncomingValueForBlock(L.getLoopPreheader()));
      }))
    return false;
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return all_of(Exiting, [&](const BasicBlock *Block) {
    auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
    auto *Test = Branch && Branch->isConditional() ? dyn_cast<ICmpInst>(Branch->getCondition()) : nullptr;
    return Test && Test->getOperand(0)->getType()->isIntegerTy() &&
           any_of(Test->operands(), [&](const Value *V) {
             while (isa<SExtInst, ZExtInst>(V))
               V = cast<Instruction>(V)->getOperand(0);
             return L.isLoopInvariant(V) && isa<Argument, LoadInst>(V);
           });
  });
}

static void unrollShortLoops(Function &F, FunctionAnalysisManager &FAM) {
  runPass(LoopSimplifyPass(), F, FAM);
  runPass(LCSSAPass(), F, FAM);
  LLVMContext &C = F.getContext();
  MDNode *Not = MDNode::get(C, MDString::get(C, "llvm.loop.unroll.disable"));
  auto Mark = [&](ArrayRef<MDNode *> Marks, function_ref<bool(const Loop &)> Which) {
    for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
      if (MDNode *ID = L->getLoopID(); ID || Which(*L))
        L->setLoopID(makePostTransformationMetadata(C, ID, {"llvm.loop.unroll."},
                                                    Which(*L) ? Marks : ArrayRef<MDNode *>()));
  };
  // At -O1 clang marks every loop as not to be unrolled; what is kept must not depend on the level. Loops
  // that cannot be short are marked here, as asking ScalarEvolution for their trips costs time that grows
  // with the number of loops before each.
  Mark({Not}, hasUnknownTrips);
  LoopUnrollOptions Unroll(/*OptLevel=*/2);
  Unroll.setPartial(false).setPeeling(false).setRuntime(false).setUpperBound(false).setFullUnrollMaxCount(16);
  runPass(LoopUnrollPass(Unroll), F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  Mark({}, [](const Loop &) { return false; });
  simplifyLocally(F, FAM);
}

/// Loads that read memory as it was on entry, in blocks that every call passes or from memory that is known
/// to be there, move to the entry block: buffers that are reached through structs are then known there, and
/// can be tested for overlap.
static void hoistEntryLoads(Function &F, FunctionAnalysisManager &FAM) {
  for (Instruction &I : instructions(F))
    if (!isGuaranteedToTransferExecutionToSuccessor(&I) && !I.isTerminator())
      return; // control may end before it gets to a load
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &MSSA = FAM.getResult<MemorySSAAnalysis>(F).getMSSA();
  const BasicBlock *Return = nullptr;
  for (const BasicBlock &B : F)
    if (isa<ReturnInst>(B.getTerminator()))
      Return = &B;
  BasicBlock &Entry = F.getEntryBlock();
  ReversePostOrderTraversal<Function *> Order(&F);
  SmallVector<Instruction *, 16> Moved;
  SmallPtrSet<const Value *, 16> AtEntry;
  auto Known = [&](const Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return !I || I->getParent() == &Entry || AtEntry.contains(I);
  };
  for (BasicBlock *B : Order) {
    if (B == &Entry || !Return)
      continue;
    bool Always = !LI.getLoopFor(B) && DT.dominates(B, Return);
    for (Instruction &I : *B) {
      auto *Load = dyn_cast<LoadInst>(&I);
      if (Load && !Always &&
          !isDereferenceableAndAlignedPointer(Load->getPointerOperand(), Load->getType(), Load->getAlign(),
                                              F.getDataLayout(), Entry.getTerminator(), nullptr, &DT))
        continue;
      bool Moves = isa<GetElementPtrInst, CastInst>(I) ||
                   (Load && Load->isSimple() &&
                    MSSA.isLiveOnEntryDef(MSSA.getWalker()->getClobberingMemoryAccess(Load)));
      if (Moves && all_of(I.operands(), [&](const Use &U) { return Known(U.get()); })) {
        AtEntry.insert(&I);
        Moved.push_back(&I);
        if (!Always)
          I.dropUBImplyingAttrsAndMetadata();
      }
    }
  }
  for (Instruction *I : Moved)
    I->moveBefore(Entry.getTerminator()->getIterator());
  if (!Moved.empty())
    FAM.invalidate(F, PreservedAnalyses::none());
}

/// Integer arithmetic outside of loops moves up to the entry block, as far as its operands allow: numbers of
/// iterations then hold everywhere, and the optimiser need not ask of two sweeps whether they mean the same.
static void hoistArithmetic(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  BasicBlock &Entry = F.getEntryBlock();
  auto AtEntry = [&](const Use &U) {
    auto *I = dyn_cast<Instruction>(U.get());
    return !I || I->getParent() == &Entry;
  };
  bool Moved = false;
  for (BasicBlock *B : ReversePostOrderTraversal<Function *>(&F)) {
    if (B == &Entry || LI.getLoopFor(B))
      continue;
    for (Instruction &I : make_early_inc_range(*B)) {
      bool Pure = isa<BinaryOperator, CastInst, CmpInst, SelectInst>(I) || isa<MinMaxIntrinsic>(I);
      if (!Pure || !I.getType()->isIntegerTy() || !all_of(I.operands(), AtEntry) ||
          !all_of(I.operands(),
                  [](const Use &U) { return U->getType()->isIntegerTy() || isa<Function>(U); }) ||
          !isSafeToSpeculativelyExecute(&I))
        continue;
      I.moveBefore(Entry.getTerminator()->getIterator());
      Moved = true;
    }
  }
  if (Moved)
    FAM.invalidate(F, PreservedAnalyses::none());
}

/// Everything that makes the clone canonical, in the order in which each step needs the one before.
static void canonicalise(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  runPass(LowerSwitchPass(), F, FAM);
  runPass(UnifyFunctionExitNodesPass(), F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  runPass(FixIrreduciblePass(), F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  unrollShortLoops(F, FAM);

  // Before loads are hoisted step by step, which may cost them their types: what they do not read is known by
  // these.
  hoistEntryLoads(F, FAM);
  GVNOptions Gvn;
  Gvn.setPRE(false).setLoadPRE(false).setMemDep(true);
  for (int Round = 0; Round < 2; ++Round) {
    runPass(LoopSimplifyPass(), F, FAM);
    runPass(LCSSAPass(), F, FAM);
    // Tested at the bottom, a loop's body runs whenever the loop is entered: only then may its loads be
    // hoisted and its sums be held in registers.
    runPass(createFunctionToLoopPassAdaptor(LoopRotatePass(/*EnableHeaderDuplication=*/true)), F, FAM);
    LICMOptions Licm;
    runPass(createFunctionToLoopPassAdaptor(LICMPass(Licm), /*UseMemorySSA=*/true), F, FAM);
    runPass(GVNPass(Gvn), F, FAM);
    FAM.invalidate(F, PreservedAnalyses::none());
  }
  runPass(LoopSimplifyPass(), F, FAM);
  runPass(LCSSAPass(), F, FAM);
  runPass(createFunctionToLoopPassAdaptor(IndVarSimplifyPass(/*WidenIndVars=*/true)), F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  tidyFlow(F);
  FAM.invalidate(F, PreservedAnalyses::none());
  runPass(DCEPass(), F, FAM);
  hoistEntryLoads(F, FAM);
  runPass(LoopSimplifyPass(), F, FAM);
  runPass(LCSSAPass(), F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
}

/// Restrict members have their say when short loops are straight lines: the buffers of layer k and k + 1 are
/// different ones only for known k.
static void settleRestrictObjects(Function &F, FunctionAnalysisManager &FAM) {
  if (!hasObjectMarks(F))
    return;
  unrollShortLoops(F, FAM);
  dropObjectMarks(F, /*OnlyOfLocals=*/true);
  scopeRestrictObjects(F, FAM);
  dropObjectMarks(F, /*OnlyOfLocals=*/false);
  simplifyLocally(F, FAM);
}

std::unique_ptr<Prepared> prepareBody(Function &Source, CheckedBodies Bodies, FunctionAnalysisManager &FAM,
                                      Diag &D) {
  unsigned Before = D.errors();
  Function *F = inlineVisibleCalls(Source, Bodies, FAM);
  auto Refused = [&]() -> std::unique_ptr<Prepared> {
    if (F) {
      FAM.clear(*F, F->getName());
      F->eraseFromParent();
    }
    return nullptr;
  };
  if (!F || D.errors() != Before)
    return Refused();
  if (!lowerForReverse(*F, D))
    return Refused();
  describeRegisteredCalls(*F, Bodies, FAM);
  // Forward mode keeps nothing, and so has no use for marks.
  if (Bodies == CheckedBodies::Both)
    dropCheckpoints(*F);
  else if (!checkCheckpoints(*F, D))
    return Refused();
  FAM.invalidate(*F, PreservedAnalyses::none());
  settleRestrictObjects(*F, FAM);
  auto P = std::make_unique<Prepared>();
  P->F = F;
  P->Source = &Source;
  return P;
}

bool cutMarkedLoops(Prepared &P, FunctionAnalysisManager &FAM, Diag &D) {
  if (!hasCheckpoints(*P.F))
    return true;
  canonicalise(*P.F, FAM);
  // One number of iterations for loops that have the same: ranges are compared.
  runPass(EarlyCSEPass(/*UseMemorySSA=*/true), *P.F, FAM);
  runPass(LoopSimplifyPass(), *P.F, FAM);
  runPass(LCSSAPass(), *P.F, FAM);
  bool Done = outlineMarkedLoops(*P.F, FAM, D);
  if (!Done) {
    FAM.clear(*P.F, P.F->getName());
    P.F->eraseFromParent();
    P.F = nullptr;
  }
  return Done;
}

void freeze(Prepared &P, FunctionAnalysisManager &FAM) {
  canonicalise(*P.F, FAM);
  defineNumbers(*P.F);
  materialiseCounts(P, FAM);
  FAM.invalidate(*P.F, PreservedAnalyses::none());
  hoistArithmetic(*P.F, FAM);
  materialisePaths(P, FAM);
  FAM.invalidate(*P.F, PreservedAnalyses::none());
}

} // namespace tapefree
