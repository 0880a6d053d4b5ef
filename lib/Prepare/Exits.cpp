#include "Prepare/Exits.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tapefree {

UnwindExit unwindExit(const CallBase &Call) {
  UnwindExit U;
  std::optional<OperandBundleUse> Bundle = Call.getOperandBundle(UnwindBundle);
  if (!Bundle)
    return U;
  U.Exit = cast<Function>(Bundle->Inputs[0].get());
  U.CatchesAll = cast<ConstantInt>(Bundle->Inputs[1].get())->isOne();
  for (const Use &Input : drop_begin(Bundle->Inputs, 2))
    U.Args.push_back(Input.get());
  return U;
}

bool isExit(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee && rules::isExit(Callee->getName());
}

static bool mayThrow(const CallBase &Call, SmallPtrSetImpl<const Function *> &Seen);

static bool mayThrow(const Function &F, SmallPtrSetImpl<const Function *> &Seen) {
  if (F.doesNotThrow() || !Seen.insert(&F).second)
    return false;
  return any_of(instructions(F), [&](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return isa<ResumeInst>(I) || (Call && mayThrow(*Call, Seen));
  });
}

static bool mayThrow(const CallBase &Call, SmallPtrSetImpl<const Function *> &Seen) {
  if (Call.doesNotThrow() || Call.isInlineAsm() || isa<IntrinsicInst>(Call) || rules::scalarRule(Call))
    return false;
  const Function *Callee = Call.getCalledFunction();
  std::string_view Name = Callee ? std::string_view(Callee->getName()) : std::string_view();
  switch (rules::callEffect(Call).Kind) {
  case rules::CallKind::Unknown:
  case rules::CallKind::Declared:
    return !Callee || Callee->isDeclaration() || mayThrow(*Callee, Seen);
  case rules::CallKind::NoReturn:
    return rules::leavesByException(Name);
  case rules::CallKind::Scalar:
  case rules::CallKind::Allocate:
  case rules::CallKind::AllocateZeroed:
  case rules::CallKind::AllocateInto:
  case rules::CallKind::Reallocate:
  case rules::CallKind::Free:
  case rules::CallKind::Inactive:
    return false;
  }
  llvm_unreachable("all kinds handled");
}

bool mayThrow(const CallBase &Call) {
  SmallPtrSet<const Function *, 16> Seen;
  return mayThrow(Call, Seen);
}

bool mayThrow(const Function &F) {
  SmallPtrSet<const Function *, 16> Seen;
  return mayThrow(F, Seen);
}

namespace {
/// The blocks that control can reach from one block without a way back to a return.
struct Region {
  SetVector<BasicBlock *> Blocks; // the first is where it is entered
  SmallVector<Value *, 8> LiveIn; // phis of the first block among them
  Function *Exit = nullptr;
};

class ExitOutliner {
public:
  ExitOutliner(Function &F, Diag &D) : F(F), D(D) {}
  bool run();

private:
  void findReturning();
  void findRegion(BasicBlock &First);
  void enter(BasicBlock &First, Region &R);
  bool describe(InvokeInst &Invoke, SmallVectorImpl<Value *> &Inputs);
  void findLiveIn(Region &R);
  Function *outline(Region &R);
  void refuseCatch(const Instruction &I);

  Function &F;
  Diag &D;
  SmallPtrSet<BasicBlock *, 32> Returning;
  MapVector<BasicBlock *, Region> Regions;
};
} // namespace

void ExitOutliner::findReturning() {
  SmallVector<BasicBlock *, 32> Todo;
  for (BasicBlock &B : F)
    if (isa<ReturnInst>(B.getTerminator()))
      Todo.push_back(&B);
  while (!Todo.empty()) {
    BasicBlock *B = Todo.pop_back_val();
    if (Returning.insert(B).second)
      Todo.append(pred_begin(B), pred_end(B));
  }
}

/// Whether a region has anything to do with exceptions. Others (a failed assertion, a loop without an end)
/// stay where they are.
static bool endsInException(const Region &R) {
  return any_of(R.Blocks, [](const BasicBlock *B) {
    return any_of(*B, [](const Instruction &I) {
      auto *Call = dyn_cast<CallBase>(&I);
      return isa<InvokeInst, LandingPadInst, ResumeInst>(I) || (Call && mayThrow(*Call));
    });
  });
}

void ExitOutliner::findLiveIn(Region &R) {
  SetVector<Value *> Found;
  BasicBlock *First = R.Blocks[0];
  for (PHINode &Phi : First->phis())
    Found.insert(&Phi);
  auto Outside = [&](Value *V) {
    if (auto *I = dyn_cast<Instruction>(V))
      return !R.Blocks.contains(I->getParent());
    return isa<Argument>(V);
  };
  for (BasicBlock *B : R.Blocks)
    for (Instruction &I : *B) {
      auto *Phi = dyn_cast<PHINode>(&I);
      for (Use &U : I.operands())
        if (Outside(U.get()) && !(Phi && !R.Blocks.contains(Phi->getIncomingBlock(U))))
          Found.insert(U.get());
    }
  R.LiveIn.assign(Found.begin(), Found.end());
}

/// Where the exception goes on that an exit was given, the exit returns, and its caller resumes: only there
/// does an unwinder find what it had found for that frame. Exceptions of the exit's own go on from the exit.
static void returnAtResume(Function &Exit) {
  LLVMContext &C = Exit.getContext();
  SmallVector<ResumeInst *, 4> Resumes;
  SmallVector<LandingPadInst *, 4> Pads;
  for (Instruction &I : instructions(Exit))
    if (auto *Resume = dyn_cast<ResumeInst>(&I))
      Resumes.push_back(Resume);
    else if (auto *Pad = dyn_cast<LandingPadInst>(&I))
      Pads.push_back(Pad);
  if (Resumes.empty())
    return;
  BasicBlock *Back = BasicBlock::Create(C, "back", &Exit);
  ReturnInst::Create(C, Back);
  if (Pads.empty()) {
    for (ResumeInst *R : Resumes) {
      BranchInst::Create(Back, R->getIterator());
      R->eraseFromParent();
    }
    return;
  }
  IRBuilder<> B(&*Exit.getEntryBlock().begin());
  AllocaInst *Given = B.CreateAlloca(B.getInt1Ty(), nullptr, "given");
  B.CreateStore(B.getTrue(), Given);
  for (LandingPadInst *Pad : Pads) {
    B.SetInsertPoint(Pad->getNextNode());
    B.CreateStore(B.getFalse(), Given);
  }
  for (ResumeInst *R : Resumes) {
    BasicBlock *Head = R->getParent(), *Own = Head->splitBasicBlock(R, "own");
    Head->getTerminator()->eraseFromParent();
    B.SetInsertPoint(Head);
    B.CreateCondBr(B.CreateLoad(B.getInt1Ty(), Given), Back, Own);
  }
}

/// The exit of a region: what it reads comes as arguments, behind the exception where it begins with one.
Function *ExitOutliner::outline(Region &R) {
  LLVMContext &C = F.getContext();
  BasicBlock *First = R.Blocks[0];
  LandingPadInst *Pad = First->getLandingPadInst();
  SmallVector<Type *, 8> Params;
  if (Pad)
    Params.push_back(Pad->getType());
  for (Value *V : R.LiveIn)
    Params.push_back(V->getType());
  Function *Exit =
      Function::Create(FunctionType::get(Type::getVoidTy(C), Params, false), GlobalValue::InternalLinkage,
                       StringRef(rules::ExitPrefix) + F.getName(), F.getParent());
  AttrBuilder Attrs(C, F.getAttributes().getFnAttrs());
  for (Attribute::AttrKind K :
       {Attribute::Memory, Attribute::NoFree, Attribute::NoSync, Attribute::NoRecurse, Attribute::WillReturn,
        Attribute::MustProgress, Attribute::Speculatable, Attribute::NoUnwind})
    Attrs.removeAttribute(K);
  Exit->addFnAttrs(Attrs);
  Exit->addFnAttr(Attribute::Cold);
  if (F.hasPersonalityFn())
    Exit->setPersonalityFn(F.getPersonalityFn());
  BasicBlock *Entry = BasicBlock::Create(C, "entry", Exit);
  ValueToValueMapTy Map;
  unsigned Next = 0;
  Argument *Exception = Pad ? Exit->getArg(Next++) : nullptr;
  SmallDenseMap<Value *, Argument *> Given;
  for (Value *V : R.LiveIn) {
    Argument *A = Exit->getArg(Next++);
    A->setName(V->getName());
    Given[V] = A;
    if (!isa<PHINode>(V) || cast<PHINode>(V)->getParent() != First)
      Map[V] = A;
  }
  SmallVector<BasicBlock *, 8> Copies;
  for (BasicBlock *B : R.Blocks) {
    BasicBlock *Copy = CloneBasicBlock(B, Map, "", Exit);
    Map[B] = Copy;
    Copies.push_back(Copy);
  }
  for (BasicBlock *B : R.Blocks)
    for (PHINode &Phi : B->phis()) {
      auto *Copy = cast<PHINode>(Map[&Phi]);
      for (BasicBlock *From : Phi.blocks())
        if (!R.Blocks.contains(From) && Copy->getBasicBlockIndex(From) >= 0)
          Copy->removeIncomingValue(From, /*DeletePHIIfEmpty=*/false);
      if (B == First)
        Copy->addIncoming(Given[&Phi], Entry);
    }
  remapInstructionsInBlocks(Copies, Map);
  if (Pad) {
    auto *Copy = cast<LandingPadInst>(Map[Pad]);
    Copy->replaceAllUsesWith(Exception);
    Copy->eraseFromParent();
  }
  BranchInst::Create(Copies[0], Entry);
  stripDebugInfo(*Exit);
  if (Pad)
    returnAtResume(*Exit);
  if (none_of(*Exit, [](const BasicBlock &B) { return isa<ReturnInst>(B.getTerminator()); }))
    Exit->addFnAttr(Attribute::NoReturn);
  if (!mayThrow(*Exit))
    Exit->setDoesNotThrow();
  return Exit;
}

/// The region behind an edge.
void ExitOutliner::findRegion(BasicBlock &First) {
  auto [It, New] = Regions.insert({&First, Region()});
  if (!New)
    return;
  Region &R = It->second;
  R.Blocks.insert(&First);
  for (unsigned I = 0; I < R.Blocks.size(); ++I)
    R.Blocks.insert(succ_begin(R.Blocks[I]), succ_end(R.Blocks[I]));
  if (!endsInException(R))
    return;
  findLiveIn(R);
  R.Exit = outline(R);
}

/// Puts a call of the exit in the place of its region.
void ExitOutliner::enter(BasicBlock &First, Region &R) {
  BasicBlock *Block = BasicBlock::Create(F.getContext(), "tapefree.leave", &F, &First);
  IRBuilder<> B(Block);
  SmallSetVector<BasicBlock *, 4> Preds;
  for (BasicBlock *P : predecessors(&First))
    if (!R.Blocks.contains(P))
      Preds.insert(P);
  SmallVector<Value *, 8> Args;
  for (Value *V : R.LiveIn) {
    auto *Phi = dyn_cast<PHINode>(V);
    if (!Phi || Phi->getParent() != &First) {
      Args.push_back(V);
      continue;
    }
    PHINode *Own = B.CreatePHI(Phi->getType(), Phi->getNumIncomingValues(), Phi->getName());
    for (unsigned I = 0; I < Phi->getNumIncomingValues(); ++I)
      if (!R.Blocks.contains(Phi->getIncomingBlock(I)))
        Own->addIncoming(Phi->getIncomingValue(I), Phi->getIncomingBlock(I));
    Args.push_back(Own);
  }
  // The line of what throws.
  for (BasicBlock *Inside : R.Blocks)
    for (Instruction &I : *Inside)
      if (auto *Thrower = dyn_cast<CallBase>(&I);
          Thrower && !B.getCurrentDebugLocation() && Thrower->getDebugLoc() && mayThrow(*Thrower))
        B.SetCurrentDebugLocation(Thrower->getDebugLoc());
  CallInst *Leave = B.CreateCall(R.Exit, Args);
  Leave->setDoesNotReturn();
  // Whatever an exit does with an address, nobody here is there to see it.
  for (unsigned I = 0; I < Args.size(); ++I)
    if (Args[I]->getType()->isPointerTy())
      Leave->addParamAttr(I, Attribute::getWithCaptureInfo(F.getContext(), CaptureInfo::none()));
  B.CreateUnreachable();
  for (BasicBlock *P : Preds) {
    for (PHINode &Phi : First.phis())
      while (Phi.getBasicBlockIndex(P) >= 0)
        Phi.removeIncomingValue(P, /*DeletePHIIfEmpty=*/false);
    P->getTerminator()->replaceSuccessorWith(&First, Block);
  }
}

/// What the bundle of a call holds that may return, or throw past code of this function.
bool ExitOutliner::describe(InvokeInst &Invoke, SmallVectorImpl<Value *> &Inputs) {
  BasicBlock *First = Invoke.getUnwindDest();
  LandingPadInst *Pad = First->getLandingPadInst();
  bool CatchesAll = false, ByType = false;
  for (unsigned I = 0; I < Pad->getNumClauses(); ++I) {
    bool All = Pad->isCatch(I) && isa<ConstantPointerNull>(Pad->getClause(I));
    CatchesAll |= All;
    ByType |= !All;
  }
  Region &R = Regions[First];
  if (ByType || !R.Exit || any_of(predecessors(First), [&](BasicBlock *P) { return R.Blocks.contains(P); })) {
    D.error(Invoke, "an exception that is thrown here may be caught by its type inside the differentiated "
                    "function, and thrown again, which is not differentiated: let it leave the function, or "
                    "use catch (...)");
    return false;
  }
  Inputs.assign({R.Exit, ConstantInt::getBool(F.getContext(), CatchesAll)});
  for (Value *V : R.LiveIn) {
    auto *Phi = dyn_cast<PHINode>(V);
    Inputs.push_back(Phi && Phi->getParent() == First ? Phi->getIncomingValueForBlock(Invoke.getParent())
                                                      : V);
  }
  return true;
}

static void attachBundle(InvokeInst &Invoke, ArrayRef<Value *> Inputs) {
  CallInst *Plain = changeToCall(&Invoke);
  SmallVector<OperandBundleDef, 1> Bundles;
  Plain->getOperandBundlesAsDefs(Bundles);
  Bundles.emplace_back(UnwindBundle.str(), Inputs);
  CallBase *Call = CallBase::Create(Plain, Bundles, Plain->getIterator());
  Call->takeName(Plain);
  Plain->replaceAllUsesWith(Call);
  Plain->eraseFromParent();
}

void ExitOutliner::refuseCatch(const Instruction &I) {
  D.error(I, "an exception that is thrown here may be caught inside the differentiated function, and control "
             "goes on there, which is not differentiated: report errors by a return value, or let exceptions "
             "leave the function");
}

bool ExitOutliner::run() {
  unsigned Before = D.errors();
  findReturning();
  if (!Returning.contains(&F.getEntryBlock())) { // everything is an exit
    BasicBlock *Entry = BasicBlock::Create(F.getContext(), "entry", &F, &F.getEntryBlock());
    BranchInst::Create(Entry->getNextNode(), Entry);
    Returning.insert(Entry);
  }
  SmallSetVector<BasicBlock *, 8> Firsts;
  SmallVector<InvokeInst *, 8> Invokes;
  for (BasicBlock &B : F) {
    if (!Returning.contains(&B))
      continue;
    auto *Invoke = dyn_cast<InvokeInst>(B.getTerminator());
    for (BasicBlock *S : successors(&B)) {
      bool Unwinds = Invoke && Invoke->getUnwindDest() == S, Returns = Returning.contains(S);
      if (Unwinds && Returns)
        refuseCatch(*Invoke);
      if (Returns)
        continue;
      if (Unwinds)
        Invokes.push_back(Invoke);
      else
        Firsts.insert(S);
      findRegion(*S);
    }
  }
  SmallVector<std::pair<InvokeInst *, SmallVector<Value *, 8>>, 8> Bundled;
  for (InvokeInst *Invoke : Invokes) {
    Bundled.emplace_back(Invoke, SmallVector<Value *, 8>());
    describe(*Invoke, Bundled.back().second);
  }
  if (D.errors() != Before)
    return false;
  for (BasicBlock *S : Firsts)
    if (Region &R = Regions[S]; R.Exit)
      enter(*S, R);
  for (auto &[Invoke, Inputs] : Bundled)
    attachBundle(*Invoke, Inputs);
  removeUnreachableBlocks(F);
  return true;
}

bool outlineExits(Function &F, Diag &D) { return ExitOutliner(F, D).run(); }

} // namespace tapefree
