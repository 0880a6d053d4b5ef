#include "Emit/Emission.h"
#include "Rules/CallEffects.h"
#include "Rules/UserRules.h"
#include "llvm/IR/AttributeMask.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

// malloc aligns the record to 16 bytes at best.
static constexpr uint64_t RecordAlign = 16;

StorageSlot Frame::make(Type *T, const Twine &Name) {
  StorageSlot S;
  S.T = T;
  const DataLayout &DL = Forward->getDataLayout();
  if (!split()) {
    BasicBlock &Entry = Forward->getEntryBlock();
    S.Local = new AllocaInst(T, DL.getAllocaAddrSpace(), Name, Entry.begin());
    return S;
  }
  Size = alignTo(Size, std::min<uint64_t>(DL.getABITypeAlign(T).value(), RecordAlign));
  S.Offset = Size;
  Size += DL.getTypeAllocSize(T);
  return S;
}

StorageSlot Frame::makeBytes(uint64_t Bytes, Align A, const Twine &Name) {
  StorageSlot S = make(ArrayType::get(Type::getInt8Ty(Forward->getContext()), Bytes), Name);
  if (S.Local) {
    S.Local->setAlignment(A);
  } else {
    S.Offset = alignTo(S.Offset, std::min<uint64_t>(A.value(), RecordAlign));
    Size = S.Offset + Bytes;
  }
  return S;
}

Value *Frame::address(IRBuilderBase &B, const StorageSlot &S) const {
  if (S.Local)
    return S.Local;
  Function *Here = B.GetInsertBlock()->getParent();
  Value *Record = Here == Forward ? ForwardRecord : Here == Reverse ? ReverseRecord : Discard->getArg(0);
  return B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), Record, S.Offset);
}

Value *Frame::load(IRBuilderBase &B, const StorageSlot &S, const Twine &Name) const {
  return B.CreateAlignedLoad(S.T, address(B, S), align(S), Name);
}

Align Frame::align(const StorageSlot &S) const {
  return S.Local ? S.Local->getAlign()
                 : std::min(Forward->getDataLayout().getABITypeAlign(S.T), Align(RecordAlign));
}

void Frame::store(IRBuilderBase &B, Value *V, const StorageSlot &S) const {
  B.CreateAlignedStore(V, address(B, S), align(S));
}

DebugLoc Emission::reverseLocation(const Instruction &I) const {
  DISubprogram *SP = Reverse->getSubprogram();
  if (!SP)
    return DebugLoc();
  auto *Copy = dyn_cast_if_present<Instruction>(static_cast<Value *>(Map.lookup(&I)));
  if (Copy && Copy->getFunction() == Reverse && Copy->getDebugLoc())
    return Copy->getDebugLoc();
  const DebugLoc &L = I.getDebugLoc();
  if (!L)
    return DILocation::get(SP->getContext(), SP->getLine(), 0, SP);
  DIScope *File = L->getFile();
  DILocalScope *Scope = SP;
  if (File != SP->getFile()) // inlined from elsewhere
    Scope = DILexicalBlockFile::get(SP->getContext(), SP, cast<DIFile>(File), 0);
  return DILocation::get(SP->getContext(), L.getLine(), L.getCol(), Scope);
}

Value *allocateShadow(const CallBase &Original, CallBase &Copy, const LaneOps &Ops, Instruction *At) {
  IRBuilder<> B(At);
  rules::CallEffect Effect = rules::callEffect(Original);
  auto *Shadow = cast<CallBase>(Copy.clone());
  Value *OfOne = Copy.getArgOperand(unsigned(Effect.Size));
  Type *Size = OfOne->getType();
  if (Effect.Count >= 0) {
    OfOne = B.CreateMul(OfOne, Copy.getArgOperand(unsigned(Effect.Count)));
    Shadow->setArgOperand(unsigned(Effect.Count),
                          ConstantInt::get(Copy.getArgOperand(unsigned(Effect.Count))->getType(), 1));
  }
  // A realloc copies what the allocator has given, which may be more than it was asked for: each lane needs
  // as much.
  if (Ops.lanes().wide() && Original.getFunction()->hasFnAttribute(ReallocMark)) {
    FunctionCallee Usable = Copy.getModule()->getOrInsertFunction("malloc_usable_size", Size, Copy.getType());
    OfOne = B.CreateBinaryIntrinsic(Intrinsic::umax, OfOne, B.CreateCall(Usable, &Copy));
  }
  Value *Bytes = Ops.bytes(B, OfOne);
  Shadow->setArgOperand(unsigned(Effect.Size), Bytes);
  B.Insert(Shadow, Original.getName() + ".shadow");
  // The primal sees to its own failures; a shadow that is missing beside its primal is ours.
  if (!Effect.NeverNull) {
    Value *None = B.CreateOr(B.CreateIsNull(&Copy), B.CreateICmpEQ(Bytes, ConstantInt::get(Size, 0)));
    emitDemand(B, B.CreateOr(B.CreateIsNotNull(Shadow), None), Bytes);
  }
  Value *All = Ops.spread(B, Shadow, B.CreateZExtOrTrunc(OfOne, B.getInt64Ty()), Ops.lanes().of(&Original));
  if (Effect.Kind == rules::CallKind::AllocateZeroed)
    return All;
  if (!Effect.NeverNull) // a failed allocation has no bytes to clear
    Bytes = B.CreateSelect(B.CreateIsNull(Shadow), Constant::getNullValue(Size), Bytes);
  B.CreateMemSet(Shadow, B.getInt8(0), Bytes, MaybeAlign());
  return All;
}

void markPaired(Value *Call) {
  auto &I = *cast<Instruction>(Call);
  I.setMetadata(PairedMark, MDNode::get(I.getContext(), {}));
  I.setMetadata(ScopedMark, nullptr);
}

Value *cloneWith(const Instruction &I, IRBuilderBase &B, function_ref<Value *(const Value *)> Operand) {
  Instruction *Copy = I.clone();
  for (Use &U : Copy->operands())
    if (!isa<BasicBlock>(U.get()) && !(isa<CallBase>(Copy) && cast<CallBase>(Copy)->isCallee(&U)))
      U.set(Operand(U.get()));
  // The frozen primal's locations belong to its own subprogram; the builder's belong to this function.
  Copy->setDebugLoc(B.getCurrentDebugLocation());
  B.Insert(Copy, I.getName());
  return Copy;
}

Value *guardedAddress(IRBuilderBase &B, Value *Primal, Value *Shadow, Value *Spare) {
  return B.CreateSelect(B.CreateICmpEQ(Primal, Shadow), Spare, Shadow);
}

Value *addAdjoints(IRBuilderBase &B, Value *A, Value *X) {
  Type *T = A->getType();
  if (T->isFPOrFPVectorTy())
    return B.CreateFAdd(A, X);
  if (!isa<StructType, ArrayType>(T))
    return A; // integers and pointers beside floats in an aggregate
  for (unsigned I = 0, N = T->isStructTy() ? T->getStructNumElements() : unsigned(T->getArrayNumElements());
       I < N; ++I)
    A = B.CreateInsertValue(A, addAdjoints(B, B.CreateExtractValue(A, I), B.CreateExtractValue(X, I)), I);
  return A;
}

Constant *zeroAdjoint(Type *T) { return Constant::getNullValue(T); }

Constant *nothingYet(Type *T) {
  if (T->isFPOrFPVectorTy())
    return ConstantFP::getNegativeZero(T);
  SmallVector<Constant *, 8> Fields;
  if (auto *ST = dyn_cast<StructType>(T)) {
    for (Type *Field : ST->elements())
      Fields.push_back(nothingYet(Field));
    return ConstantStruct::get(ST, Fields);
  }
  if (auto *AT = dyn_cast<ArrayType>(T)) {
    Fields.assign(AT->getNumElements(), nothingYet(AT->getElementType()));
    return ConstantArray::get(AT, Fields);
  }
  return Constant::getNullValue(T);
}

FunctionCallee releaseFunction(Module &M, rules::AllocFamily Family) {
  LLVMContext &C = M.getContext();
  StringRef Name = Family == rules::AllocFamily::New        ? "_ZdlPv"
                   : Family == rules::AllocFamily::NewArray ? "_ZdaPv"
                                                            : "free";
  return M.getOrInsertFunction(Name, Type::getVoidTy(C), PointerType::getUnqual(C));
}

FunctionCallee releaseFunction(const CallBase &Call) {
  rules::CallEffect Effect = rules::callEffect(Call);
  if (Effect.Family != rules::AllocFamily::User)
    return releaseFunction(*const_cast<Module *>(Call.getModule()), Effect.Family);
  Function *Callee = Call.getCalledFunction();
  return Effect.Kind == rules::CallKind::Free ? Callee : rules::releaseOf(*Callee);
}

void dropPrimalPromises(Function &F) {
  AttributeMask Gone;
  for (Attribute::AttrKind K :
       {Attribute::ReadNone, Attribute::ReadOnly, Attribute::WriteOnly, Attribute::Returned,
        Attribute::Captures, Attribute::Initializes, Attribute::StructRet, Attribute::ByVal})
    Gone.addAttribute(K);
  for (Argument &A : F.args())
    A.removeAttrs(Gone);
  F.setAttributes(F.getAttributes().removeAttributesAtIndex(F.getContext(), AttributeList::ReturnIndex));
  for (Attribute::AttrKind K : {Attribute::Memory, Attribute::NoFree, Attribute::NoSync, Attribute::NoRecurse,
                                Attribute::WillReturn, Attribute::Speculatable})
    F.removeFnAttr(K);
}

} // namespace tapefree
