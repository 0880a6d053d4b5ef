// Rewrites that leave later stages less to know: realloc becomes malloc + copy + free, arrays of variable
// length that are made in a loop become heap blocks, code that ends in an exception moves out (Exits.h),
// markers without effect go away, and library functions of the rule table are known to touch no memory (their
// errno is nobody's input).
#include "Prepare/Exits.h"
#include "Prepare/Prepare.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tapefree {

static void markPure(CallBase &Call) {
  Call.setMemoryEffects(MemoryEffects::none());
  Call.addFnAttr(Attribute::NoUnwind);
  Call.addFnAttr(Attribute::WillReturn);
}

/// q = realloc(p, n)  ->  q = malloc(n); memcpy(q, p, min(malloc_usable_size(p), n)); free(p)
/// The old block then keeps its contents until the reverse sweep has passed, like any other freed block.
static void lowerRealloc(CallBase &Call) {
  Module &M = *Call.getModule();
  IRBuilder<> B(&Call);
  Type *Ptr = B.getPtrTy(), *Size = Call.getArgOperand(1)->getType();
  Value *Old = Call.getArgOperand(0), *Bytes = Call.getArgOperand(1);
  FunctionCallee Malloc = M.getOrInsertFunction("malloc", Ptr, Size);
  FunctionCallee Free = M.getOrInsertFunction("free", B.getVoidTy(), Ptr);
  FunctionCallee Usable = M.getOrInsertFunction("malloc_usable_size", Size, Ptr);
  CallInst *Had = B.CreateCall(Usable, Old);
  Had->setOnlyReadsMemory();
  Had->addFnAttr(Attribute::NoUnwind);
  Had->addFnAttr(
      Attribute::WillReturn); // else it would be called even where its block has been optimised away
  Call.getFunction()->addFnAttr(ReallocMark);
  CallInst *New = B.CreateCall(Malloc, Bytes, Call.getName());
  New->addRetAttr(Attribute::NoAlias);
  Value *Copied = B.CreateBinaryIntrinsic(Intrinsic::umin, Had, Bytes);
  Copied = B.CreateSelect(B.CreateIsNull(New), ConstantInt::get(Size, 0), Copied); // realloc may fail
  B.CreateMemCpy(New, Align(1), Old, Align(1), Copied);
  B.CreateCall(Free, Old);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

/// A variable-length array inside a loop: the stack cannot hold one for each iteration until the reverse
/// sweep.
static void lowerDynamicAlloca(AllocaInst &A) {
  IRBuilder<> B(&A);
  Module &M = *A.getModule();
  Type *Size = B.getInt64Ty();
  uint64_t Unit = M.getDataLayout().getTypeAllocSize(A.getAllocatedType());
  Value *Bytes = B.CreateMul(B.CreateZExtOrTrunc(A.getArraySize(), Size), B.getInt64(Unit));
  CallInst *New = B.CreateCall(M.getOrInsertFunction("malloc", B.getPtrTy(), Size), Bytes, A.getName());
  New->addRetAttr(Attribute::NoAlias);
  // The reverse sweep releases it; nothing in the primal does.
  New->setMetadata(ScopedMark, MDNode::get(B.getContext(), {}));
  A.replaceAllUsesWith(New);
  A.eraseFromParent();
}

/// The pointer that an integer is made of by rounding (and) and moving (add): null where it is made in
/// another way. Emitted again as operations on a pointer, of which it is clear what it leads to.
static Value *pointerAgain(Value *V, IRBuilder<> &B) {
  if (auto *Cast = dyn_cast<PtrToIntOperator>(V))
    return Cast->getPointerOperand();
  auto *Op = dyn_cast<BinaryOperator>(V);
  auto *C = Op ? dyn_cast<ConstantInt>(Op->getOperand(1)) : nullptr;
  if (!C || (Op->getOpcode() != Instruction::And && Op->getOpcode() != Instruction::Add))
    return nullptr;
  Value *From = pointerAgain(Op->getOperand(0), B);
  if (!From || From->getType()->isVectorTy())
    return nullptr;
  if (Op->getOpcode() == Instruction::Add)
    return B.CreateGEP(B.getInt8Ty(), From, C, V->getName());
  return B.CreateIntrinsic(Intrinsic::ptrmask, {From->getType(), C->getType()}, {From, C}, {}, V->getName());
}

/// How allocators for wide alignments round up what malloc gave.
static void lowerIntToPtr(IntToPtrInst &I) {
  IRBuilder<> B(&I);
  unsigned Bits = I.getDataLayout().getIndexTypeSizeInBits(I.getType());
  Value *P = I.getOperand(0)->getType()->isIntegerTy(Bits) ? pointerAgain(I.getOperand(0), B) : nullptr;
  if (!P || P->getType() != I.getType())
    return;
  I.replaceAllUsesWith(P);
  I.eraseFromParent();
}

/// a * b + c as inline assembly, by which Eigen works round compilers that would take another instruction.
static void lowerAssembly(CallInst &Call) {
  auto *Code = dyn_cast<InlineAsm>(Call.getCalledOperand());
  auto *T = dyn_cast<FixedVectorType>(Call.getType());
  if (!Code || !T || Call.arg_size() != 3 ||
      !StringRef(Code->getConstraintString()).starts_with("=x,x,x,0,~"))
    return;
  StringRef Text = Code->getAsmString();
  Type *Element = Text == "vfmadd231pd $1, $2, $0"   ? Type::getDoubleTy(Call.getContext())
                  : Text == "vfmadd231ps $1, $2, $0" ? Type::getFloatTy(Call.getContext())
                                                     : nullptr;
  if (T->getElementType() != Element || !all_of(Call.args(), [&](const Use &U) { return U->getType() == T; }))
    return;
  IRBuilder<> B(&Call);
  Value *Args[] = {Call.getArgOperand(0), Call.getArgOperand(1), Call.getArgOperand(2)};
  Call.replaceAllUsesWith(B.CreateIntrinsic(Intrinsic::fma, {T}, Args, {}, Call.getName()));
  Call.eraseFromParent();
}

/// Memory that runs out is no exception that a derivative follows.
static void lowerInvoke(InvokeInst &I) {
  if (!mayThrow(I))
    changeToCall(&I);
}

bool lowerForReverse(Function &F, Diag &D) {
  unsigned Before = D.errors();
  DominatorTree DT(F);
  LoopInfo LI(DT);
  SmallVector<Instruction *, 32> Dead;
  SmallVector<AllocaInst *, 4> Dynamic, Misplaced;
  SmallVector<CallBase *, 4> Reallocs;
  SmallVector<InvokeInst *, 8> Invokes;
  for (Instruction &I : instructions(F)) {
    if (isa<IndirectBrInst, CallBrInst, CatchSwitchInst, CatchPadInst, CleanupPadInst>(I)) {
      D.error(I, "this kind of control flow (computed goto, asm goto) cannot be differentiated: use if, "
                 "switch or a loop");
      continue;
    }
    if (auto *A = dyn_cast<AllocaInst>(&I)) {
      if (!isa<ConstantInt>(A->getArraySize())) {
        if (LI.getLoopFor(A->getParent()))
          Dynamic.push_back(A);
      } else if (A->getParent() != &F.getEntryBlock()) {
        Misplaced.push_back(A);
      }
      continue;
    }
    auto *Call = dyn_cast<CallBase>(&I);
    if (!Call)
      continue;
    if (auto *CI = dyn_cast<CallInst>(Call))
      CI->setTailCallKind(CallInst::TCK_None);
    switch (Call->getIntrinsicID()) {
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::stacksave:
    case Intrinsic::stackrestore:
    case Intrinsic::assume:
    case Intrinsic::invariant_start:
    case Intrinsic::invariant_end:
      Dead.push_back(Call);
      continue;
    default:
      break;
    }
    if (rules::scalarRule(*Call))
      markPure(*Call);
    if (rules::callEffect(*Call).Kind == rules::CallKind::Reallocate)
      Reallocs.push_back(Call);
    if (auto *Inv = dyn_cast<InvokeInst>(Call))
      Invokes.push_back(Inv);
  }
  if (D.errors() != Before)
    return false;
  for (Instruction *I : Dead) {
    if (!I->getType()->isVoidTy())
      I->replaceAllUsesWith(PoisonValue::get(I->getType()));
    I->eraseFromParent();
  }
  for (InvokeInst *I : Invokes)
    lowerInvoke(*I);
  removeUnreachableBlocks(F);
  if (!outlineExits(F, D))
    return false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (auto *Cast = dyn_cast<IntToPtrInst>(&I))
      lowerIntToPtr(*Cast);
    else if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm())
      lowerAssembly(*Call);
  for (CallBase *Call : Reallocs)
    lowerRealloc(*Call);
  for (AllocaInst *A : Dynamic)
    lowerDynamicAlloca(*A);
  for (AllocaInst *A : Misplaced)
    A->moveBefore(F.getEntryBlock().getFirstInsertionPt());
  removeUnreachableBlocks(F);
  return true;
}

} // namespace tapefree
