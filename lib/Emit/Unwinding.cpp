#include "Emit/Unwinding.h"
#include "Prepare/Exits.h"
#include "Rules/CallEffects.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tapefree {

/// Whether an exit, or what it calls, releases memory.
static bool releasesMemory(const Function &Exit) {
  return any_of(instructions(Exit), [](const Instruction &I) {
    auto *Call = dyn_cast<CallBase>(&I);
    return Call && (callsVisibleBody(*Call) || rules::callEffect(*Call).Kind == rules::CallKind::Free);
  });
}

CallSignature LeavingFinder::signature(const Function &Exit, ArrayRef<const Value *> Args,
                                       bool Exception) const {
  CallSignature S;
  bool Releases = releasesMemory(Exit);
  if (L.wide()) {
    S.Lanes.Width = L.width();
    S.Lanes.InMemory = L.inMemory();
  }
  auto Add = [&](ArgActivity A, LaneLayout Layout) {
    S.Args.push_back(A);
    if (L.wide())
      S.Lanes.Args.push_back(A == ArgActivity::DupMaybe ? LaneLayout::Separate : Layout);
  };
  if (Exception)
    Add(ArgActivity::Const, LaneLayout::Interleaved);
  for (const Value *V : Args) {
    bool Shadow = Releases && V->getType()->isPointerTy() && !isa<Constant>(V) && Act.hasShadow(V);
    Add(!Shadow                                 ? ArgActivity::Const
        : Act.pointer(V) == PointerState::Mixed ? ArgActivity::DupMaybe
                                                : ArgActivity::Dup,
        L.of(V));
  }
  return S;
}

bool LeavingFinder::add(const CallBase &I, CallInst &Copy, SmallVectorImpl<LeavingCall> &Leaving,
                        SmallVectorImpl<Instruction *> &Dead) const {
  bool Leaves = isExit(I);
  UnwindExit U = unwindExit(I);
  if (!Leaves && !U.Exit) {
    if (mayThrow(I)) {
      Leaving.emplace_back();
      Leaving.back().Call = &Copy;
    }
    return true;
  }
  SmallVector<const Value *, 8> Args(U.Args);
  Function *Exit = U.Exit;
  if (Leaves) {
    Exit = I.getCalledFunction();
    Args.assign(I.arg_begin(), I.arg_end());
  }
  CallSignature S = signature(*Exit, Args, /*Exception=*/!Leaves);
  LeavingCall New;
  IRBuilder<> B(&Copy);
  for (auto [K, V] : enumerate(Args)) {
    New.ExitArgs.push_back(Primal(V));
    if (S.Args[K + !Leaves] != ArgActivity::Const)
      New.ExitArgs.push_back(Shadow(B, V));
  }
  if (S.active())
    Exit = Shadowed(*Exit, S);
  if (!Exit) {
    D.error(
        I, "an exception that is thrown here leaves through code that releases memory, and in this batch the "
           "shadows of that memory lie in two layouts: give all buffers the same layout (dup and dupv, or "
           "dupi)");
    return false;
  }
  if (!Leaves) {
    New.Call = &Copy;
    New.Exit = Exit;
    New.CatchesAll = U.CatchesAll;
    Leaving.push_back(std::move(New));
    return true;
  }
  New.Call = B.CreateCall(Exit, New.ExitArgs);
  New.Call->setDoesNotReturn();
  New.Call->setDebugLoc(Copy.getDebugLoc());
  Dead.push_back(&Copy);
  if (mayThrow(*New.Call))
    Leaving.push_back(std::move(New));
  return true;
}

void dropUnwindBundles(Function &G) {
  for (Instruction &I : make_early_inc_range(instructions(G))) {
    auto *Call = dyn_cast<CallInst>(&I);
    if (!Call || !Call->getOperandBundle(UnwindBundle))
      continue;
    uint32_t ID = G.getContext().getOperandBundleTagID(UnwindBundle);
    CallBase *Plain = CallBase::removeOperandBundle(Call, ID, Call->getIterator());
    Plain->takeName(Call);
    Call->replaceAllUsesWith(Plain); // the map from the frozen primal follows
    Call->eraseFromParent();
  }
}

static Constant *personality(Module &M) {
  auto *T = FunctionType::get(Type::getInt32Ty(M.getContext()), /*isVarArg=*/true);
  return cast<Constant>(M.getOrInsertFunction("__gxx_personality_v0", T).getCallee());
}

namespace {
/// The landing pads of one derivative.
class Guard {
public:
  Guard(Function &G, function_ref<void(IRBuilderBase &)> Release) : G(G), Release(Release) {}
  void add(const LeavingCall &L);

private:
  LandingPadInst *pad(IRBuilder<> &B, bool CatchesAll);
  void release(CallInst &Call);
  void goOn(IRBuilder<> &B, Value *Exception);

  Function &G;
  function_ref<void(IRBuilderBase &)> Release;
  BasicBlock *Shared = nullptr; // a landing pad for calls without an exit
  PHINode *Exception = nullptr; // in the block that releases, and lets it go on
};
} // namespace

LandingPadInst *Guard::pad(IRBuilder<> &B, bool CatchesAll) {
  if (!G.hasPersonalityFn())
    G.setPersonalityFn(personality(*G.getParent()));
  Type *T = StructType::get(B.getPtrTy(), B.getInt32Ty());
  LandingPadInst *L = B.CreateLandingPad(T, CatchesAll ? 1 : 0);
  if (CatchesAll)
    L->addClause(ConstantPointerNull::get(B.getPtrTy()));
  L->setCleanup(true);
  return L;
}

/// Leaves a landing pad for the caller of the derivative.
void Guard::goOn(IRBuilder<> &B, Value *Of) {
  if (!Exception) {
    BasicBlock *Last = BasicBlock::Create(G.getContext(), "tapefree.unwind", &G);
    IRBuilder<> At(Last);
    Exception = At.CreatePHI(Of->getType(), 2);
    if (Release)
      Release(At);
    At.CreateResume(Exception);
  }
  Exception->addIncoming(Of, B.GetInsertBlock());
  B.CreateBr(Exception->getParent());
}

void Guard::release(CallInst &Call) {
  if (!Release)
    return;
  if (!Shared) {
    Shared = BasicBlock::Create(G.getContext(), "tapefree.pad", &G);
    IRBuilder<> B(Shared);
    goOn(B, pad(B, false));
  }
  changeToInvokeAndSplitBasicBlock(&Call, Shared);
}

void Guard::add(const LeavingCall &L) {
  if (!L.Exit)
    return release(*L.Call);
  BasicBlock *Own = BasicBlock::Create(G.getContext(), "tapefree.leave", &G);
  IRBuilder<> B(Own);
  B.SetCurrentDebugLocation(L.Call->getDebugLoc());
  Value *Caught = pad(B, L.CatchesAll);
  SmallVector<Value *, 8> Args = {Caught};
  Args.append(L.ExitArgs.begin(), L.ExitArgs.end());
  CallInst *Leave = B.CreateCall(L.Exit, Args);
  if (L.Exit->doesNotReturn())
    B.CreateUnreachable();
  else
    goOn(B, Caught);
  changeToInvokeAndSplitBasicBlock(L.Call, Own);
  if (mayThrow(*Leave))
    release(*Leave);
}

void guardCalls(Function &G, ArrayRef<LeavingCall> Calls, function_ref<void(IRBuilderBase &)> Release) {
  Guard All(G, Release);
  for (const LeavingCall &L : Calls)
    All.add(L);
}

Pending::Pending(Emission &E, KeptStore &Kept) : E(E), Kept(Kept) {
  SmallVector<const BasicBlock *, 16> Todo;
  for (const BasicBlock &B : *E.F.P.F)
    if (any_of(B, [](const Instruction &I) { return isa<CallBase>(I) && mayThrow(cast<CallBase>(I)); }))
      Todo.append(pred_begin(&B), pred_end(&B));
  while (!Todo.empty()) {
    const BasicBlock *B = Todo.pop_back_val();
    if (Before.insert(B).second)
      Todo.append(pred_begin(B), pred_end(B));
  }
}

bool Pending::leftBehind(const Instruction &I) const {
  if (!E.Guarded)
    return false;
  if (E.Slots->split() || Before.contains(I.getParent()))
    return true; // a record can be given up whenever its caller is left
  return any_of(make_range(std::next(I.getIterator()), I.getParent()->end()), [](const Instruction &Next) {
    return isa<CallBase>(Next) && mayThrow(cast<CallBase>(Next));
  });
}

static StructType *nodeType(LLVMContext &C) {
  Type *Ptr = PointerType::getUnqual(C);
  return StructType::get(Ptr, Ptr); // the next one, block
}

/// void(ptr first): goes through a list, releases each block if `Release` is there, and the list itself.
static Function *listFunction(Module &M, Function *Release) {
  std::string Name = Release ? ("tapefree.release." + Release->getName()).str() : "tapefree.forget";
  return listWalk(M, Name, [&](IRBuilderBase &B, Value *Node) {
    if (Release)
      markPaired(B.CreateCall(
          Release, B.CreateLoad(B.getPtrTy(), B.CreateStructGEP(nodeType(M.getContext()), Node, 1))));
  });
}

void Pending::remember(IRBuilderBase &B, const Instruction &At, Value *Block, FunctionCallee Release) {
  IRBuilder<> Start(E.Start);
  auto *None = ConstantPointerNull::get(B.getPtrTy());
  if (!E.F.LI.getLoopFor(At.getParent())) {
    Blocks.push_back({E.Slots->make(B.getPtrTy(), "tapefree.pending"), Release});
    E.Slots->store(Start, None, Blocks.back().Slot);
    E.Slots->store(B, Block, Blocks.back().Slot);
    return;
  }
  auto [It, New] = Lists.insert({Release.getCallee(), StorageSlot()});
  if (New) {
    It->second = E.Slots->make(B.getPtrTy(), "tapefree.pending");
    E.Slots->store(Start, None, It->second);
  }
  StructType *T = nodeType(B.getContext());
  Value *Node = emitAllocation(B, ConstantExpr::getSizeOf(T), "tapefree.node");
  B.CreateStore(E.Slots->load(B, It->second), Node);
  B.CreateStore(Block, B.CreateStructGEP(T, Node, 1));
  E.Slots->store(B, Node, It->second);
}

void Pending::forget(IRBuilderBase &B) {
  for (auto &[Release, Slot] : Lists)
    B.CreateCall(listFunction(E.module(), nullptr), E.Slots->load(B, Slot));
}

void Pending::release(IRBuilderBase &B) {
  Kept.releaseAll(B);
  for (const Block &P : Blocks)
    markPaired(B.CreateCall(P.Release, E.Slots->load(B, P.Slot)));
  for (auto &[Release, Slot] : Lists)
    B.CreateCall(listFunction(E.module(), cast<Function>(Release)), E.Slots->load(B, Slot));
}

} // namespace tapefree
