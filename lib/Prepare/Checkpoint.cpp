#include "Prepare/Checkpoint.h"
#include "Prepare/Prepare.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace tapefree {

// More pointers than this do not change places with each other.
static constexpr unsigned MostRotating = 8;

bool isCheckpoint(const Function &F) { return F.getName() == CheckpointName; }

static bool isMark(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  auto *Callee = Call ? dyn_cast<Function>(Call->getCalledOperand()->stripPointerCasts()) : nullptr;
  return Callee && isCheckpoint(*Callee);
}

static SmallVector<CallBase *, 4> marksIn(Function &F) {
  SmallVector<CallBase *, 4> Marks;
  for (Instruction &I : instructions(F))
    if (isMark(I))
      Marks.push_back(cast<CallBase>(&I));
  return Marks;
}

void declareCheckpoints(Module &M) {
  Function *F = M.getFunction(CheckpointName);
  if (!F)
    return;
  if (!F->isDeclaration())
    F->deleteBody();
  F->setComdat(nullptr);
  F->setLinkage(GlobalValue::ExternalLinkage);
  F->setSubprogram(nullptr);
  F->setAttributes({});
  // It stays where it is and in one piece, and memory stays what it is.
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  for (Attribute::AttrKind K : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoDuplicate,
                                Attribute::NoFree, Attribute::NoSync, Attribute::NoCallback})
    F->addFnAttr(K);
}

static void erase(CallBase *Mark) {
  if (auto *Inv = dyn_cast<InvokeInst>(Mark))
    Mark = changeToCall(Inv);
  if (!Mark->use_empty())
    Mark->replaceAllUsesWith(PoisonValue::get(Mark->getType()));
  Mark->eraseFromParent();
}

bool dropCheckpoints(Function &F) {
  SmallVector<CallBase *, 4> Marks = marksIn(F);
  for (CallBase *Mark : Marks)
    erase(Mark);
  return !Marks.empty();
}

bool stripCheckpoints(Module &M) {
  Function *F = M.getFunction(CheckpointName);
  if (!F)
    return false;
  for (User *U : make_early_inc_range(F->users()))
    if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledOperand() == F)
      erase(Call);
  if (F->use_empty())
    F->eraseFromParent();
  return true;
}

bool hasCheckpoints(const Function &F) { return any_of(instructions(F), isMark); }

bool checkCheckpoints(Function &F, Diag &D) {
  unsigned Before = D.errors();
  DominatorTree DT(F);
  LoopInfo LI(DT);
  DenseMap<const Loop *, CallBase *> First;
  for (CallBase *Mark : marksIn(F)) {
    Loop *L = LI.getLoopFor(Mark->getParent());
    if (Mark->arg_size() != 1 || !Mark->getArgOperand(0)->getType()->isIntegerTy()) {
      D.error(*Mark, "checkpoint takes one integer, the number of snapshots");
      continue;
    }
    if (!L) {
      D.error(*Mark,
              "checkpoint stands outside of a loop: write it at the start of the body of the loop whose "
              "steps are to be run again");
      continue;
    }
    if (!First.try_emplace(L, Mark).second)
      D.error(*Mark, "this loop has two checkpoint marks (the other at " + describeLine(*First[L]) +
                         "): keep one of them");
    auto *N = dyn_cast<ConstantInt>(Mark->getArgOperand(0));
    if (N && N->getValue().slt(1))
      D.error(*Mark, "checkpoint(" + Twine(N->getSExtValue()) +
                         "): a loop whose steps are run again needs at least one snapshot");
  }
  return D.errors() == Before;
}

namespace {

/// A value that one step hands to the next.
struct Carried {
  PHINode *Phi;
  Value *Next;
  enum : uint8_t { Line, Rotating, Memory } Kind = Memory;
  Value *Start = nullptr, *Step = nullptr; // Line: Start + Step k
  bool NoWrap = false;                     // k is added without overflow
  SmallVector<Value *, 2> Firsts;          // Rotating: the values in the first steps,
  Value *Rest = nullptr; // and in all later ones; null where the first ones come round again
  AllocaInst *Slot = nullptr;
};

class Outliner {
public:
  Outliner(Function &F, Loop &L, CallBase &Mark, FunctionAnalysisManager &FAM, Diag &D)
      : F(F), L(L), Mark(Mark), FAM(FAM), D(D) {}
  bool run();

private:
  bool known();
  bool carried(PHINode &Phi, ScalarEvolution &SE, SCEVExpander &Expander);
  bool rotating(Carried &C);
  Value *at(IRBuilderBase &B, const Carried &C, Value *K);
  AllocaInst *slot(Type *T, const Twine &Name);
  bool leaveByMemory();
  bool outline();
  void describe(CallInst &Call, Function &Steps);
  bool refuse(const Twine &Why) {
    D.error(Mark, "the steps of this loop cannot be run again: " + Why);
    return false;
  }

  Function &F;
  Loop &L;
  CallBase &Mark;
  FunctionAnalysisManager &FAM;
  Diag &D;
  Value *Number = nullptr;
  PHINode *Counter = nullptr;
  SmallVector<Carried, 4> All;
};

} // namespace

/// One counted loop with one way out, behind its last step.
bool Outliner::known() {
  if (!L.getLoopPreheader() || !L.getLoopLatch())
    return refuse("control enters it in several ways");
  if (L.getExitingBlock() != L.getLoopLatch() || !L.getExitBlock() ||
      !isa<BranchInst>(L.getLoopLatch()->getTerminator()))
    return refuse(
        "it is left in the middle of a step (by break, return, assert or a test that is not at the top); "
        "count the steps before the loop, and leave it only by its condition");
  Value *Snapshots = Mark.getArgOperand(0);
  if (!L.isLoopInvariant(Snapshots)) {
    D.error(Mark,
            "the number of snapshots changes in the loop: hand checkpoint a number that is known before it");
    return false;
  }
  if (auto *N = dyn_cast<ConstantInt>(Snapshots); N && N->getValue().slt(1)) {
    D.error(Mark, "checkpoint(" + Twine(N->getSExtValue()) +
                      "): a loop whose steps are run again needs at least one snapshot");
    return false;
  }
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SCEVExpander Expander(SE, "tapefree.steps", /*PreserveLCSSA=*/true);
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  Type *I64 = Type::getInt64Ty(F.getContext());
  const SCEV *N = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(N) || SE.getTypeSizeInBits(N->getType()) > 64 || !SE.isLoopInvariant(N, &L) ||
      !Expander.isSafeToExpandAt(N, Before))
    return refuse("how many there are is not known before the loop; count them in an integer, up to a number "
                  "that the loop does not change");
  N = SE.getAddExpr(SE.getNoopOrZeroExtend(N, I64), SE.getOne(I64));
  for (PHINode &Phi : L.getHeader()->phis())
    if (!carried(Phi, SE, Expander))
      return false;
  Number = Expander.expandCodeFor(N, I64, Before);
  return true;
}

/// Pointers that change places from step to step.
bool Outliner::rotating(Carried &C) {
  BasicBlock *Before = L.getLoopPreheader(), *Latch = L.getLoopLatch();
  Value *V = C.Phi;
  while (C.Firsts.size() < MostRotating) {
    auto *Phi = dyn_cast<PHINode>(V);
    if (!Phi || Phi->getParent() != L.getHeader()) {
      C.Rest = V;
      return L.isLoopInvariant(V);
    }
    C.Firsts.push_back(Phi->getIncomingValueForBlock(Before));
    V = Phi->getIncomingValueForBlock(Latch);
    if (V == C.Phi)
      return true;
  }
  return false;
}

bool Outliner::carried(PHINode &Phi, ScalarEvolution &SE, SCEVExpander &Expander) {
  Carried C;
  C.Phi = &Phi;
  C.Next = Phi.getIncomingValueForBlock(L.getLoopLatch());
  Instruction *Before = L.getLoopPreheader()->getTerminator();
  auto *AR = SE.isSCEVable(Phi.getType()) ? dyn_cast<SCEVAddRecExpr>(SE.getSCEV(&Phi)) : nullptr;
  if (AR && AR->getLoop() == &L && AR->isAffine()) {
    const SCEV *Start = AR->getStart(), *Step = AR->getStepRecurrence(SE);
    if (SE.isLoopInvariant(Step, &L) && Expander.isSafeToExpandAt(Start, Before) &&
        Expander.isSafeToExpandAt(Step, Before)) {
      C.Kind = Carried::Line;
      C.Start = Phi.getIncomingValueForBlock(L.getLoopPreheader());
      C.Step = Expander.expandCodeFor(Step, Step->getType(), Before);
      C.NoWrap = AR->hasNoSignedWrap() && Step->isOne();
    }
  }
  if (C.Kind == Carried::Memory && Phi.getType()->isPtrOrPtrVectorTy()) {
    if (!Phi.getType()->isPointerTy() || !rotating(C))
      return refuse("a pointer changes from step to step in a way that is not followed; let pointers change "
                    "places with each other, or reach the data by an index");
    C.Kind = Carried::Rotating;
  }
  if (C.Kind == Carried::Memory && !Phi.getType()->isFloatingPointTy() && !Phi.getType()->isIntegerTy())
    return refuse("a value that is not a number goes from step to step; keep it in memory");
  All.push_back(std::move(C));
  return true;
}

/// The value in step K.
Value *Outliner::at(IRBuilderBase &B, const Carried &C, Value *K) {
  if (C.Kind == Carried::Line) {
    Type *T = C.Step->getType();
    Value *Way = B.CreateMul(C.Step, B.CreateZExtOrTrunc(K, T));
    return C.Phi->getType()->isPointerTy() ? B.CreateGEP(B.getInt8Ty(), C.Start, Way)
                                           : B.CreateAdd(C.Start, Way, "", false, C.NoWrap);
  }
  Value *Number = C.Rest ? K : B.CreateURem(K, B.getInt64(C.Firsts.size()));
  Value *V = C.Rest ? C.Rest : C.Firsts.back();
  for (unsigned N = unsigned(C.Firsts.size()) - (C.Rest ? 0 : 1); N-- > 0;)
    V = B.CreateSelect(B.CreateICmpEQ(Number, B.getInt64(N)), C.Firsts[N], V);
  return V;
}

AllocaInst *Outliner::slot(Type *T, const Twine &Name) {
  return new AllocaInst(T, F.getDataLayout().getAllocaAddrSpace(), Name, F.getEntryBlock().begin());
}

/// What is used behind the loop: from memory, or by what is known of it.
bool Outliner::leaveByMemory() {
  BasicBlock *Latch = L.getLoopLatch();
  for (PHINode &Exit : make_early_inc_range(L.getExitBlock()->phis())) {
    Value *V = Exit.getIncomingValueForBlock(Latch);
    IRBuilder<> B(&*L.getExitBlock()->getFirstNonPHIIt());
    B.SetCurrentDebugLocation(Mark.getDebugLoc());
    Value *New = L.isLoopInvariant(V) ? V : nullptr;
    for (const Carried &C : All) {
      if (New || (V != C.Phi && V != C.Next))
        continue;
      if (C.Kind != Carried::Memory)
        New = at(B, C, V == C.Next ? Number : B.CreateSub(Number, B.getInt64(1)));
      else if (V == C.Next)
        New = B.CreateLoad(V->getType(), C.Slot, Exit.getName());
    }
    if (!New && !V->getType()->isFloatingPointTy() && !V->getType()->isIntegerTy())
      return refuse("a pointer that a step finds is used behind the loop; find it again there");
    if (!New) {
      AllocaInst *S = slot(V->getType(), Exit.getName() + ".last");
      IRBuilder<> InStep(Latch->getTerminator());
      InStep.SetCurrentDebugLocation(Mark.getDebugLoc());
      InStep.CreateStore(V, S);
      New = B.CreateLoad(V->getType(), S, Exit.getName());
    }
    Exit.replaceAllUsesWith(New);
    Exit.eraseFromParent();
  }
  return true;
}

/// What the user calls a value, as far as debug information tells: 'n', '(n - 1)'; else empty.
static std::string spelt(Value *V, unsigned Depth = 0) {
  SmallVector<DbgVariableRecord *, 2> Records;
  findDbgValues(V, Records);
  if (isa<AllocaInst>(V))
    for (DbgVariableRecord *R : findDVRDeclares(V))
      Records.push_back(R);
  // Of a value that the variable is computed from there is a record, too.
  erase_if(Records,
           [](DbgVariableRecord *R) { return R->hasArgList() || R->getExpression()->getNumElements(); });
  if (!Records.empty())
    return Records[0]->getVariable()->getName().str();
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > 3 || !I->getType()->isIntegerTy())
    return "";
  if (isa<CastInst>(I))
    return spelt(I->getOperand(0), Depth + 1);
  auto *C = isa<BinaryOperator>(I) ? dyn_cast<ConstantInt>(I->getOperand(1)) : nullptr;
  std::string Left = C ? spelt(I->getOperand(0), Depth + 1) : std::string();
  if (Left.empty() || (I->getOpcode() != Instruction::Add && I->getOpcode() != Instruction::Sub))
    return "";
  int64_t Number = (I->getOpcode() == Instruction::Sub ? -1 : 1) * C->getSExtValue();
  return "(" + Left + (Number < 0 ? " - " : " + ") + std::to_string(std::abs(Number)) + ")";
}

/// For the state: how large local variables are, and how buffers are called.
void Outliner::describe(CallInst &Call, Function &Steps) {
  LLVMContext &C = F.getContext();
  const DataLayout &DL = F.getDataLayout();
  for (auto [N, U] : enumerate(Call.args())) {
    auto *A = dyn_cast<AllocaInst>(U.get());
    if (A && A->isStaticAlloca()) {
      uint64_t Bytes = A->getAllocationSize(DL)->getFixedValue();
      Steps.addParamAttr(unsigned(N), Attribute::get(C, ObjectBytes, std::to_string(Bytes)));
    }
    std::string Name = spelt(U.get());
    if (!Name.empty())
      Steps.addParamAttr(unsigned(N), Attribute::get(C, ObjectName, Name));
  }
}

bool Outliner::outline() {
  DominatorTree DT(F);
  CodeExtractorAnalysisCache Cache(F);
  SmallVector<BasicBlock *, 16> Blocks(L.getBlocks());
  CodeExtractor Extractor(Blocks, &DT, /*AggregateArgs=*/false, nullptr, nullptr, nullptr,
                          /*AllowVarArgs=*/false, /*AllowAlloca=*/false, nullptr, "steps");
  DebugLoc Line = Mark.getDebugLoc(); // the mark goes with the loop
  Function *Steps = Extractor.isEligible() ? Extractor.extractCodeRegion(Cache) : nullptr;
  if (!Steps)
    return refuse("it has control flow that cannot be taken out of its function");
  StringRef Name = F.getName();
  Name.consume_front("tapefree.primal.");
  Name.consume_front("tapefree.step.");
  Steps->setName("tapefree.steps." + Name);
  Steps->setLinkage(GlobalValue::InternalLinkage);
  Steps->addFnAttr(StepsMark);
  for (User *U : Steps->users())
    if (auto *Call = dyn_cast<CallInst>(U)) {
      Call->setDebugLoc(Line);
      describe(*Call, *Steps);
    }
  return true;
}

bool Outliner::run() {
  if (!known())
    return false;
  BasicBlock *Header = L.getHeader(), *Latch = L.getLoopLatch(), *Exit = L.getExitBlock();
  Type *I64 = Type::getInt64Ty(F.getContext());
  for (Carried &C : All)
    if (C.Kind == Carried::Memory)
      C.Slot = slot(C.Phi->getType(), C.Phi->getName() + ".carried");
  if (!leaveByMemory())
    return false;
  Counter = PHINode::Create(I64, 2, "tapefree.step", Header->begin());
  IRBuilder<> Top(Header, Header->getFirstNonPHIIt()), Bottom(Latch->getTerminator()),
      Before(L.getLoopPreheader()->getTerminator());
  for (IRBuilder<> *B : {&Top, &Bottom, &Before})
    B->SetCurrentDebugLocation(Mark.getDebugLoc());
  for (Carried &C : All) {
    Value *New = nullptr;
    if (C.Kind == Carried::Memory) {
      Before.CreateStore(C.Phi->getIncomingValueForBlock(L.getLoopPreheader()), C.Slot);
      Bottom.CreateStore(C.Phi->getIncomingValueForBlock(Latch),
                         C.Slot); // may be another one, replaced by now
      New = Top.CreateLoad(C.Phi->getType(), C.Slot);
    } else {
      New = at(Top, C, Counter);
    }
    New->takeName(C.Phi);
    C.Phi->replaceAllUsesWith(New);
  }
  for (Carried &C : All)
    C.Phi->eraseFromParent();
  Value *Next =
      Bottom.CreateAdd(Counter, Bottom.getInt64(1), "tapefree.next", /*HasNUW=*/true, /*HasNSW=*/true);
  Counter->addIncoming(Bottom.getInt64(0), L.getLoopPreheader());
  Counter->addIncoming(Next, Latch);
  auto *Old = Latch->getTerminator();
  Bottom.CreateCondBr(Bottom.CreateICmpULT(Next, Number), Header, Exit);
  Old->eraseFromParent();
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : make_early_inc_range(reverse(*B)))
      if (isInstructionTriviallyDead(&I))
        I.eraseFromParent();
  return outline();
}

bool outlineMarkedLoops(Function &F, FunctionAnalysisManager &FAM, Diag &D) {
  // Loops go one by one: each changes the function.
  for (;;) {
    FAM.invalidate(F, PreservedAnalyses::none());
    auto &LI = FAM.getResult<LoopAnalysis>(F);
    Loop *Found = nullptr;
    CallBase *Its = nullptr;
    for (CallBase *Mark : marksIn(F)) {
      Loop *L = LI.getLoopFor(Mark->getParent());
      if (!L) { // it had one step, and is no loop any more
        erase(Mark);
        continue;
      }
      if (!Found || (L->contains(Found) && L != Found)) {
        Found = L;
        Its = Mark;
      }
    }
    if (!Found)
      break;
    if (!Outliner(F, *Found, *Its, FAM, D).run())
      return false;
  }
  FAM.invalidate(F, PreservedAnalyses::none());
  return true;
}

Steps stepsOf(Function &F) {
  Steps S;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  Loop *L = *LI.begin();
  for (PHINode &Phi : L->getHeader()->phis())
    S.Counter = &Phi;
  auto *Test = cast<ICmpInst>(cast<BranchInst>(L->getLoopLatch()->getTerminator())->getCondition());
  S.Number = Test->getOperand(1);
  for (CallBase *Mark : marksIn(F))
    if (LI.getLoopFor(Mark->getParent()) == L)
      S.Mark = Mark;
  S.Snapshots = S.Mark->getArgOperand(0);
  return S;
}

Function *withParameter(Function &F, Type *T, StringRef Prefix, ValueToValueMapTy &Map) {
  SmallVector<Type *, 16> Params(F.getFunctionType()->params());
  Params.push_back(T);
  auto *Type = FunctionType::get(F.getReturnType(), Params, false);
  StringRef Name = F.getName();
  Name.consume_front("tapefree.steps.");
  Function *New = Function::Create(Type, GlobalValue::InternalLinkage, Prefix + Name, F.getParent());
  for (Argument &A : F.args()) {
    Map[&A] = New->getArg(A.getArgNo());
    New->getArg(A.getArgNo())->setName(A.getName());
  }
  SmallVector<ReturnInst *, 1> Returns;
  CloneFunctionInto(New, &F, Map, CloneFunctionChangeType::LocalChangesOnly, Returns);
  New->removeFnAttr(StepsMark);
  ownAssignIds(*New);
  return New;
}

Function *oneStep(Function &F) {
  ValueToValueMapTy Map;
  Function *One = withParameter(F, Type::getInt64Ty(F.getContext()), "tapefree.step.", Map);
  Steps Now = stepsOf(*One);
  Value *K = One->getArg(unsigned(F.arg_size()));
  K->setName("step");
  BranchInst *Back = nullptr;
  for (auto [Pred, V] : zip(Now.Counter->blocks(), Now.Counter->incoming_values()))
    if (!isa<Constant>(V))
      Back = cast<BranchInst>(Pred->getTerminator());
  Now.Counter->replaceAllUsesWith(K);
  Now.Counter->eraseFromParent();
  erase(Now.Mark);
  Value *Test = Back->getCondition();
  BranchInst::Create(Back->getSuccessor(1), Back->getIterator());
  Back->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructions(Test);
  return One;
}

} // namespace tapefree
