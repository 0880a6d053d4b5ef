// Annotations to marks, and the marks' own readers (Restrict.h).
#include "Prepare/Restrict.h"
#include "Support/RestrictMark.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/ModRef.h"

using namespace llvm;

namespace tapefree {

namespace {
struct Annotation {
  StringRef Levels, Name;
};
} // namespace

static std::optional<Annotation> readAnnotation(const Value *Text) {
  const auto *G = dyn_cast<GlobalVariable>(Text->stripPointerCasts());
  const auto *Data =
      G && G->hasInitializer() ? dyn_cast<ConstantDataSequential>(G->getInitializer()) : nullptr;
  StringRef S = Data && Data->isCString() ? Data->getAsCString() : StringRef();
  if (!S.consume_front(RestrictPrefix))
    return std::nullopt;
  auto [Levels, Name] = S.split(':');
  return Annotation{Levels, Name};
}

/// The annotation of ours that an intrinsic call carries.
static std::optional<Annotation> annotationOf(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  if (!Call || (Call->getIntrinsicID() != Intrinsic::ptr_annotation &&
                Call->getIntrinsicID() != Intrinsic::var_annotation))
    return std::nullopt;
  return readAnnotation(Call->getArgOperand(1));
}

CallInst *markCall(Value *V, StringRef Mark) {
  auto *Call = dyn_cast<CallInst>(V);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  return Callee && Callee->isDeclaration() && Callee->getName() == Mark ? Call : nullptr;
}

uint64_t localNumber(const CallInst &Mark) {
  return cast<ConstantInt>(Mark.getArgOperand(Mark.arg_size() - 1))->getZExtValue();
}

StringRef objectName(const CallInst &Mark) {
  std::optional<Annotation> Text = readAnnotation(Mark.getArgOperand(1));
  return Text ? Text->Name : StringRef();
}

/// A mark of a pointer: nothing but that pointer, as far as any pass is concerned, and opaque all the same.
static FunctionCallee pointerMark(Module &M, StringRef Name, Type *Second) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C);
  FunctionCallee Callee = M.getOrInsertFunction(Name, FunctionType::get(Ptr, {Ptr, Second}, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setMemoryEffects(MemoryEffects::none());
  for (Attribute::AttrKind K : {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync,
                                Attribute::NoFree, Attribute::Speculatable})
    F->addFnAttr(K);
  F->addParamAttr(0, Attribute::getWithCaptureInfo(C, CaptureInfo::retOnly()));
  return Callee;
}

/// Where a block begins or ends: nothing that accesses memory of the program is moved or forgotten for it.
static FunctionCallee blockMark(Module &M, StringRef Name) {
  LLVMContext &C = M.getContext();
  FunctionCallee Callee =
      M.getOrInsertFunction(Name, FunctionType::get(Type::getVoidTy(C), {Type::getInt64Ty(C)}, false));
  auto *F = cast<Function>(Callee.getCallee());
  F->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  for (Attribute::AttrKind K :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree})
    F->addFnAttr(K);
  return Callee;
}

/// x[k] of an array of pointers, or of a pointer to pointers; not what casts and offsets in bytes may find.
static bool indexesPointers(const GetElementPtrInst &G) {
  Type *T = G.getSourceElementType();
  while (auto *A = dyn_cast<ArrayType>(T))
    T = A->getElementType();
  return T->isPointerTy();
}

/// Marks the loads of the objects at \p Address, of which the first of \p Levels tells, and of those behind.
static void markObjects(Value *Address, StringRef Levels, Value *Text) {
  if (Levels.empty())
    return;
  for (User *U : SmallVector<User *, 16>(Address->users())) {
    if (auto *G = dyn_cast<GetElementPtrInst>(U)) {
      if (G->getPointerOperand() == Address && indexesPointers(*G))
        markObjects(G, Levels, Text);
      continue;
    }
    auto *Load = dyn_cast<LoadInst>(U);
    if (!Load || !Load->getType()->isPointerTy())
      continue;
    // What a pointer to restrict pointers leads to is no member that could be named.
    markObjects(Load, Levels.drop_front(), ConstantPointerNull::get(cast<PointerType>(Text->getType())));
    if (Levels.front() != '1' || !Load->isSimple())
      continue;
    IRBuilder<> B(Load);
    Load->setOperand(
        Load->getPointerOperandIndex(),
        B.CreateCall(pointerMark(*Load->getModule(), ObjectMark, B.getPtrTy()), {Address, Text}));
  }
}

/// The loads of a local variable, or of the elements of a local array of pointers; false if it is used in any
/// other way than by name.
static bool loadsOfLocal(Value *Address, SmallVectorImpl<LoadInst *> &Loads,
                         SmallVectorImpl<LifetimeIntrinsic *> &Lifetimes) {
  for (User *U : Address->users()) {
    if (auto *Load = dyn_cast<LoadInst>(U)) {
      if (!Load->getType()->isPointerTy() || !Load->isSimple())
        return false;
      Loads.push_back(Load);
    } else if (auto *Store = dyn_cast<StoreInst>(U)) {
      if (Store->getValueOperand() == Address)
        return false;
    } else if (auto *G = dyn_cast<GetElementPtrInst>(U)) {
      if (!loadsOfLocal(G, Loads, Lifetimes))
        return false;
    } else if (auto *Lifetime = dyn_cast<LifetimeIntrinsic>(U)) {
      Lifetimes.push_back(Lifetime);
    } else if (auto *Set = dyn_cast<AnyMemIntrinsic>(U)) {
      if (isa<AnyMemTransferInst>(Set) && cast<AnyMemTransferInst>(Set)->getRawSource() == Address)
        return false;
    } else if (!isa<IntrinsicInst>(U) ||
               cast<IntrinsicInst>(U)->getIntrinsicID() != Intrinsic::var_annotation) {
      return false;
    }
  }
  return true;
}

static void markLocal(AllocaInst &Variable, uint64_t Number) {
  SmallVector<LoadInst *, 8> Loads;
  SmallVector<LifetimeIntrinsic *, 4> Lifetimes;
  auto Begins = [](const LifetimeIntrinsic *L) { return L->getIntrinsicID() == Intrinsic::lifetime_start; };
  if (!loadsOfLocal(&Variable, Loads, Lifetimes) || none_of(Lifetimes, Begins) || all_of(Lifetimes, Begins))
    return;
  Module &M = *Variable.getModule();
  IRBuilder<> B(&Variable);
  for (LoadInst *Load : Loads) {
    B.SetInsertPoint(Load->getNextNode());
    CallInst *Value = B.CreateCall(pointerMark(M, LocalMark, B.getInt64Ty()), {Load, B.getInt64(Number)});
    Load->replaceUsesWithIf(Value, [&](Use &U) { return U.getUser() != Value; });
  }
  for (LifetimeIntrinsic *L : Lifetimes) {
    B.SetInsertPoint(Begins(L) ? L->getNextNode() : L);
    B.CreateCall(blockMark(M, Begins(L) ? BeginMark : EndMark), {B.getInt64(Number)});
  }
}

void takeRestrictMarks(Function &F) {
  SmallVector<CallInst *, 16> Notes;
  for (Instruction &I : instructions(F))
    if (annotationOf(I))
      Notes.push_back(cast<CallInst>(&I));
  uint64_t Number = 0;
  for (CallInst *Note : Notes) {
    Value *Annotated = Note->getArgOperand(0), *Text = Note->getArgOperand(1);
    StringRef Levels = annotationOf(*Note)->Levels;
    if (!Note->getType()->isVoidTy()) {
      markObjects(Note, Levels, Text);
      Note->replaceAllUsesWith(Annotated);
    } else if (auto *Variable = dyn_cast<AllocaInst>(Annotated->stripPointerCasts())) {
      // Before the variable's own loads are marked: these marks stand between a load and its uses.
      if (Levels.size() > 1)
        markObjects(Variable, ("0" + Levels.drop_front()).str(), Text);
      if (Levels.front() == '1')
        markLocal(*Variable, ++Number);
    }
    Note->eraseFromParent();
  }
}

bool hasObjectMarks(const Function &F) {
  const Function *Mark = F.getParent()->getFunction(ObjectMark);
  return Mark &&
         any_of(Mark->users(), [&](const User *U) { return cast<Instruction>(U)->getFunction() == &F; });
}

bool dropObjectMarks(Function &F, bool OnlyOfLocals) {
  if (!hasObjectMarks(F))
    return false;
  bool Any = false;
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (CallInst *Mark = markCall(&I, ObjectMark)) {
      if (OnlyOfLocals && !isa<AllocaInst>(getUnderlyingObject(Mark->getArgOperand(0))))
        continue;
      Mark->replaceAllUsesWith(Mark->getArgOperand(0));
      Mark->eraseFromParent();
      Any = true;
    }
  return Any;
}

bool stripRestrictAnnotations(Module &M) {
  bool Any = false;
  SmallVector<GlobalVariable *, 8> Texts;
  for (Function &F : make_early_inc_range(M)) {
    if (F.getName().starts_with("tapefree.restrict.") && F.isDeclaration() && F.use_empty()) {
      F.eraseFromParent();
      continue;
    }
    if (F.getIntrinsicID() != Intrinsic::ptr_annotation && F.getIntrinsicID() != Intrinsic::var_annotation)
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto *Note = dyn_cast<CallInst>(U);
      if (!Note || !annotationOf(*Note))
        continue;
      for (unsigned K : {1, 2}) // the text, and the name of the file
        if (auto *G = dyn_cast<GlobalVariable>(Note->getArgOperand(K)->stripPointerCasts()))
          if (!is_contained(Texts, G))
            Texts.push_back(G);
      if (!Note->getType()->isVoidTy())
        Note->replaceAllUsesWith(Note->getArgOperand(0));
      Note->eraseFromParent();
      Any = true;
    }
    if (F.use_empty())
      F.eraseFromParent();
  }
  for (GlobalVariable *G : Texts)
    if (G->use_empty() && G->hasLocalLinkage())
      G->eraseFromParent();
  return Any;
}

Basis basisOf(const Value *Ptr) {
  static constexpr unsigned MaxVisited = 256;
  Basis B;
  SmallPtrSet<const Value *, 16> Seen;
  SmallVector<const Value *, 8> Work = {Ptr};
  while (!Work.empty()) {
    const Value *V = Work.pop_back_val();
    if (!Seen.insert(V).second)
      continue;
    if (Seen.size() > MaxVisited) {
      B.Known = false;
      return B;
    }
    if (const CallInst *Mark = markCall(const_cast<Value *>(V), LocalMark)) {
      if (uint64_t N = localNumber(*Mark); !is_contained(B.Locals, N))
        B.Locals.push_back(N);
      Work.push_back(Mark->getArgOperand(0));
    } else if (const CallInst *Object = markCall(const_cast<Value *>(V), ObjectMark)) {
      Work.push_back(Object->getArgOperand(0));
    } else if (const auto *G = dyn_cast<GEPOperator>(V)) {
      Work.push_back(G->getPointerOperand());
    } else if (const auto *Phi = dyn_cast<PHINode>(V)) {
      append_range(Work, Phi->incoming_values());
    } else if (const auto *S = dyn_cast<SelectInst>(V)) {
      Work.push_back(S->getTrueValue());
      Work.push_back(S->getFalseValue());
    } else if (Operator::getOpcode(V) == Instruction::AddrSpaceCast ||
               Operator::getOpcode(V) == Instruction::Freeze) {
      Work.push_back(cast<User>(V)->getOperand(0));
    } else {
      B.Roots.push_back(V);
    }
  }
  return B;
}

bool isOwnRoot(const Value *Root) {
  return isa<Argument, AllocaInst, GlobalObject, ConstantPointerNull, UndefValue>(Root) ||
         isNoAliasCall(Root);
}

SmallVector<const Value *, 2> accessedPointers(const Instruction &I) {
  if (const Value *Ptr = getLoadStorePointerOperand(&I))
    return {Ptr};
  if (const auto *X = dyn_cast<AtomicCmpXchgInst>(&I))
    return {X->getPointerOperand()};
  if (const auto *X = dyn_cast<AtomicRMWInst>(&I))
    return {X->getPointerOperand()};
  if (const auto *Move = dyn_cast<AnyMemTransferInst>(&I))
    return {Move->getRawDest(), Move->getRawSource()};
  if (const auto *Set = dyn_cast<AnyMemSetInst>(&I))
    return {Set->getRawDest()};
  return {};
}

void addScopes(Instruction &I, ArrayRef<Metadata *> Scopes, ArrayRef<Metadata *> NoAlias) {
  auto Add = [&](unsigned Kind, ArrayRef<Metadata *> Those) {
    if (!Those.empty())
      I.setMetadata(Kind, MDNode::concatenate(I.getMetadata(Kind), MDNode::get(I.getContext(), Those)));
  };
  Add(LLVMContext::MD_alias_scope, Scopes);
  Add(LLVMContext::MD_noalias, NoAlias);
}

} // namespace tapefree
