// Which constraint does each instruction put on pointers and on the memory that they designate?
#include "Analysis/Types/Solver.h"
#include "Analysis/Types/IndexForm.h"
#include "Analysis/Types/Remember.h"
#include "Analysis/Types/Sources.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

static constexpr unsigned WidenRound = 16, MaxRounds = 48;
/// Keeps the solver near linear: real code needs below a hundred.
static constexpr uint64_t WorkPerInstruction = 500;

Solver::Solver(Function &F, const DataLayout &DL, ArrayRef<MemoryTypes::ArgumentHint> Hints) : F(F), DL(DL) {
  if (F.isDeclaration())
    return;
  ReversePostOrderTraversal<const Function *> RPO(&F);
  Order.assign(RPO.begin(), RPO.end());
  seed(Hints);
  unsigned Round = 0;
  do {
    if (++Round == WidenRound)
      G.widen();
    if (Round > MaxRounds || G.work() > WorkPerInstruction * (F.getInstructionCount() + 1000)) {
      Exhausted = true;
      return;
    }
    round();
  } while (G.takeChanged());
}

void Solver::seed(ArrayRef<MemoryTypes::ArgumentHint> Hints) {
  for (const Argument &A : F.args()) {
    if (!A.getType()->isPointerTy())
      continue;
    Place P{G.makeClass(), 0, 0, {}};
    Places[&A] = P;
    if (Type *T = A.getParamByValType())
      declare(P, T);
    if (Type *T = A.getParamStructRetType())
      declare(P, T);
  }
  for (const auto &[A, Pattern] : Hints) {
    auto It = Places.find(A);
    if (It == Places.end())
      continue;
    for (const TypeField &X : Pattern.Fields) {
      Place P = It->second.plus(static_cast<int64_t>(X.Offset));
      if (!Pattern.Open)
        addStride(P.S, {Pattern.Period, 0});
      if (X.Kind != ScalarKind::Unknown && X.Kind != ScalarKind::Conflict)
        G.addFact(P, X.Size, X.Kind, Level::Access, nullptr);
    }
  }
}

void Solver::declare(const Place &P, Type *T) {
  SmallVector<DeclaredScalar, 8> Scalars;
  flattenType(T, DL, /*TrustIntegers=*/false, Scalars);
  for (const DeclaredScalar &X : Scalars) {
    Place Q = P.plus(static_cast<int64_t>(X.Off));
    for (const Stride &S : X.S)
      addStride(Q.S, S);
    G.addFact(Q, X.Size, X.Kind, Level::Hint, nullptr);
  }
}

void Solver::round() {
  for (const BasicBlock *BB : Order)
    for (const Instruction &I : *BB)
      visit(I);
  // The list grows while it is walked.
  for (size_t I = 0; I != RegisterOrder.size(); ++I)
    visitRegister(RegisterOrder[I]);
}

std::optional<Place> Solver::place(const Value *V) {
  auto It = Places.find(V);
  if (It != Places.end())
    return It->second = G.root(It->second);
  if (auto *A = dyn_cast<GlobalAlias>(V))
    return place(A->getAliasee());
  if (isa<GlobalValue>(V)) {
    Place P{G.makeClass(), 0, 0, {}};
    Places[V] = P;
    if (auto *GV = dyn_cast<GlobalVariable>(V))
      declare(P, GV->getValueType());
    return P;
  }
  if (auto *CE = dyn_cast<ConstantExpr>(V)) {
    if (auto *GEP = dyn_cast<GEPOperator>(CE)) {
      if (auto Base = place(GEP->getPointerOperand()))
        return gepPlace(*GEP, *Base);
    } else if (CE->getOpcode() == Instruction::AddrSpaceCast) {
      return place(CE->getOperand(0));
    }
  }
  return std::nullopt;
}

void Solver::setPlace(const Value *V, const Place &P) { Places[V] = G.root(P); }

void Solver::joinInto(const Value *Dst, const Value *Src) {
  auto S = place(Src);
  if (!S)
    return;
  auto D = place(Dst);
  if (!D)
    return setPlace(Dst, *S);
  G.join(*D, *S);
  setPlace(Dst, *D);
}

Place Solver::gepPlace(const GEPOperator &GEP, Place Base) {
  int64_t Off = 0, Behind = 0, Lo = Base.Lo;
  Strides S = Base.S;
  const ArrayType *Next = nullptr; // what the following index selects from; the first one has no bound
  for (auto It = gep_type_begin(GEP), E = gep_type_end(GEP); It != E; ++It) {
    const ArrayType *Array = std::exchange(Next, dyn_cast<ArrayType>(It.getIndexedType()));
    if (StructType *ST = It.getStructTypeOrNull()) {
      unsigned N = cast<ConstantInt>(It.getOperand())->getZExtValue();
      Off += static_cast<int64_t>(DL.getStructLayout(ST)->getElementOffset(N).getFixedValue());
      continue;
    }
    TypeSize Size = It.getSequentialElementStride(DL);
    // A step of a scalable vector is unknown: any byte.
    int64_t Step = Size.isScalable() ? 1 : static_cast<int64_t>(Size.getFixedValue());
    IndexForm X = indexForm(It.getOperand());
    if (X.Factor == 0) {
      Off += X.Offset * Step;
      continue;
    }
    if (S.empty())
      Lo = Base.Off + Off;
    uint64_t Count = 0;
    if (Array && X.Factor == 1 && X.Offset == 0 && Array->getNumElements() > 1)
      Count = Array->getNumElements();
    addStride(S, {X.Factor * static_cast<uint64_t>(Step), Count});
    Behind += X.Offset * Step;
  }
  Place R = Base;
  R.Off += Off + Behind;
  R.S = S;
  R.Lo = S.empty() ? R.Off : Lo;
  return R;
}

Place alignedPlace(Place P, Align A) {
  uint64_t N = A.value();
  if (floorMod(P.Off, N) != 0)
    return P;
  Strides S;
  for (const Stride &X : P.S)
    addStride(S, X.Step < N && N % X.Step == 0 ? Stride{N, X.Count ? X.Count * X.Step / N + 1 : 0} : X);
  P.S = S;
  return P;
}

void Solver::typedAccess(const Instruction &I, const Place &P, Type *T, const Value *Stored) {
  if (auto *ST = dyn_cast<StructType>(T)) {
    const StructLayout *SL = DL.getStructLayout(ST);
    for (unsigned N = 0; N != ST->getNumElements(); ++N)
      typedAccess(I, P.plus(static_cast<int64_t>(SL->getElementOffset(N).getFixedValue())),
                  ST->getElementType(N),
                  Stored ? FindInsertedValue(const_cast<Value *>(Stored), N) : nullptr);
    return;
  }
  if (auto *AT = dyn_cast<ArrayType>(T)) {
    uint64_t Size = DL.getTypeAllocSize(AT->getElementType());
    for (uint64_t N = 0; N != std::min<uint64_t>(AT->getNumElements(), 64); ++N)
      typedAccess(I, P.plus(static_cast<int64_t>(N * Size)), AT->getElementType(),
                  Stored ? FindInsertedValue(const_cast<Value *>(Stored), N) : nullptr);
    return;
  }
  Type *Elt = T->getScalarType();
  if (Elt->isIntegerTy()) {
    // No number is cut into parts of bytes: a bool is an integer, also where it is only moved.
    if (!T->isVectorTy() && Elt->getIntegerBitWidth() % 8)
      return G.addFact(P, DL.getTypeStoreSize(Elt), ScalarKind::Integer, Level::Access, &I);
    // Only a copy so far: what the register is used for decides.
    const Value *Register = Stored ? Stored : (I.getType() == T ? &I : nullptr);
    if (Register && !T->isScalableTy())
      if (auto R = reg(Register))
        G.link(P, *R, DL.getTypeStoreSize(T).getFixedValue());
    return;
  }
  ScalarKind K = scalarKind(Elt);
  if (K == ScalarKind::Unknown)
    return;
  uint64_t Size = DL.getTypeAllocSize(Elt);
  if (auto *VT = dyn_cast<VectorType>(T)) {
    unsigned N = VT->getElementCount().getKnownMinValue();
    Place Q = P;
    if (VT->isScalableTy())
      addStride(Q.S, {Size * N, 0});
    for (unsigned J = 0; J != N; ++J)
      G.addFact(Q.plus(static_cast<int64_t>(J * Size)), Size, K, Level::Access, &I);
    return;
  }
  if (K != ScalarKind::Pointer)
    return G.addFact(P, Size, K, Level::Access, &I);
  if (!Stored) {
    Place Target = G.pointee(P, Size, Level::Access, &I);
    if (I.getType() == T)
      setPlace(&I, Target);
  } else if (auto Target = place(Stored)) {
    G.storePointer(P, Size, *Target, &I);
  } else {
    (void)G.pointee(P, Size, Level::Access, &I);
  }
}

void Solver::tbaa(const Instruction &I, const Place &P, uint64_t Size) {
  const MDNode *Tag = I.getMetadata(LLVMContext::MD_tbaa);
  if (!Tag)
    return;
  const Module &M = *F.getParent();
  TbaaScalar S = tbaaScalar(Tag, M);
  uint64_t Own =
      isFloatKind(S.Kind) || S.Kind == ScalarKind::Pointer || S.Size == 0 ? S.Size : std::min(S.Size, Size);
  if (Own == 0)
    Own = Size;
  // Integers of a number's size may hold the bits of one (std::uint64_t raw; memcpy(&raw, &x, 8)): what is
  // done with them decides.
  Level Sure = S.Kind == ScalarKind::Integer && (Own == 4 || Own == 8) ? Level::Hint : Level::Access;
  if (S.Kind != ScalarKind::Unknown && Size && Size % Own == 0)
    for (uint64_t At = 0; At < Size && At < 64 * Own; At += Own)
      G.addFact(P.plus(static_cast<int64_t>(At)), Own, S.Kind, Sure, &I);
  SmallVector<std::pair<int64_t, TbaaScalar>, 8> Fields;
  tbaaBaseFields(Tag, M, Fields);
  for (auto &[Off, X] : Fields)
    G.addFact(P.plus(Off), X.Size, X.Kind, Level::Hint, &I);
}

void Solver::visitLoad(const LoadInst &L) {
  auto P = place(L.getPointerOperand());
  if (!P) {
    if (L.getType()->isPointerTy() && !Places.contains(&L))
      setPlace(&L, Place{G.makeClass(), 0, 0, {}});
    return;
  }
  Place A = alignedPlace(*P, L.getAlign());
  typedAccess(L, A, L.getType(), nullptr);
  TypeSize Size = DL.getTypeStoreSize(L.getType());
  if (L.getType()->isIntOrIntVectorTy() && !Size.isScalable())
    tbaa(L, A, Size);
}

void Solver::visitStore(const Instruction &I, const Value *V, const Value *Ptr, Align Al) {
  auto P = place(Ptr);
  if (!P)
    return;
  Place A = alignedPlace(*P, Al);
  typedAccess(I, A, V->getType(), V);
  TypeSize Size = DL.getTypeStoreSize(V->getType());
  if (V->getType()->isIntOrIntVectorTy() && !Size.isScalable())
    tbaa(I, A, Size);
  // A small constant is more likely a count than a denormal; zero may be either.
  if (auto *C = dyn_cast<ConstantInt>(V); C && !C->isZero() && C->getValue().abs().ult(1u << 20))
    G.addFact(A, Size, ScalarKind::Integer, Level::Hint, &I);
}

void Solver::visitCopyOf(const Instruction &I, const Value *Dst, const Value *Src, const Value *Len) {
  auto D = place(Dst), S = place(Src);
  std::optional<uint64_t> N;
  if (auto *C = dyn_cast<ConstantInt>(Len))
    N = C->getZExtValue();
  if (N && *N == 0)
    return;
  if (auto *M = dyn_cast<AnyMemTransferInst>(&I)) {
    if (D && M->getDestAlign())
      D = alignedPlace(*D, *M->getDestAlign());
    if (S && M->getSourceAlign())
      S = alignedPlace(*S, *M->getSourceAlign());
  }
  if (D && S)
    G.link(*D, *S, N);
  for (auto &P : {D, S}) {
    if (!P)
      continue;
    if (N)
      tbaa(I, *P, *N);
    remembered(I, *P, N);
    const MDNode *Fields = I.getMetadata(LLVMContext::MD_tbaa_struct);
    // The front end names every member, so that what lies between them is padding.
    int64_t Named = 0;
    for (unsigned J = 0; Fields && J + 2 < Fields->getNumOperands(); J += 3) {
      auto *Off = mdconst::dyn_extract_or_null<ConstantInt>(Fields->getOperand(J));
      auto *Size = mdconst::dyn_extract_or_null<ConstantInt>(Fields->getOperand(J + 1));
      TbaaScalar T = tbaaScalar(dyn_cast_or_null<MDNode>(Fields->getOperand(J + 2)), *F.getParent());
      if (!Off || !Size)
        continue;
      if (Off->getSExtValue() > Named)
        G.addFact(P->plus(Named), static_cast<uint64_t>(Off->getSExtValue() - Named), ScalarKind::Integer,
                  Level::Hint, &I);
      Named = std::max(Named, Off->getSExtValue() + Size->getSExtValue());
      if (T.Kind == ScalarKind::Unknown)
        continue;
      Place Q = P->plus(Off->getSExtValue());
      uint64_t Bytes = Size->getZExtValue(), Own = T.Size && Bytes % T.Size == 0 ? T.Size : Bytes;
      addStride(Q.S, {Own, Own ? Bytes / Own : 1});
      G.addFact(Q, Own, T.Kind, Level::Access, &I);
    }
    if (Fields && N && static_cast<int64_t>(*N) > Named)
      G.addFact(P->plus(Named), *N - static_cast<uint64_t>(Named), ScalarKind::Integer, Level::Hint, &I);
  }
}

void Solver::remembered(const Instruction &I, const Place &P, std::optional<uint64_t> Length) {
  AccessPattern Known = rememberedTypes(I);
  if (!Known.Period || (Length && *Length < Known.Period))
    return;
  for (const TypeField &F : Known.Fields) {
    Place Q = P.plus(static_cast<int64_t>(F.Offset));
    addStride(Q.S, {Known.Period, Length ? *Length / Known.Period : 0});
    G.addFact(Q, F.Size, F.Kind, Level::Hint, &I);
  }
}

void Solver::visitReturn(const ReturnInst &R) {
  const Value *V = R.getReturnValue();
  auto P = V && V->getType()->isPointerTy() ? place(V) : std::nullopt;
  if (!P)
    return;
  if (!Returned)
    Returned = *P;
  else
    G.join(*Returned, *P);
}

void Solver::visitCall(const CallBase &C) {
  StringRef Name = C.getCalledFunction() ? C.getCalledFunction()->getName() : StringRef();
  // Where the result points.
  if (C.getType()->isPointerTy()) {
    std::optional<unsigned> Same = libraryReturnedArgument(Name);
    const Value *Back = C.getReturnedArgOperand();
    if (!Back && Same && *Same < C.arg_size())
      Back = C.getArgOperand(*Same);
    if (auto *II = dyn_cast<IntrinsicInst>(&C))
      if (II->getIntrinsicID() == Intrinsic::launder_invariant_group ||
          II->getIntrinsicID() == Intrinsic::strip_invariant_group ||
          II->getIntrinsicID() == Intrinsic::ptr_annotation || II->getIntrinsicID() == Intrinsic::ptrmask)
        Back = II->getArgOperand(0);
    if (Back && place(Back))
      joinInto(&C, Back);
    else if (!Places.contains(&C))
      setPlace(&C, Place{G.makeClass(), 0, 0, {}});
    if (C.getCalledFunction() == &F && Returned) {
      Place P = *place(&C);
      G.join(P, *Returned);
      setPlace(&C, P);
    }
  }
  if (C.getCalledFunction() == &F)
    for (const Argument &A : F.args())
      if (A.getType()->isPointerTy() && A.getArgNo() < C.arg_size())
        joinInto(&A, C.getArgOperand(A.getArgNo()));
  for (unsigned N = 0; N != C.arg_size(); ++N) {
    Type *T = C.getParamByValType(N);
    if (!T)
      T = C.getParamStructRetType(N);
    if (auto P = T ? place(C.getArgOperand(N)) : std::nullopt)
      declare(*P, T);
  }
  if (auto *M = dyn_cast<AnyMemTransferInst>(&C))
    return visitCopyOf(C, M->getRawDest(), M->getRawSource(), M->getLength());
  if (auto *M = dyn_cast<AnyMemSetInst>(&C))
    if (auto P = place(M->getRawDest())) {
      auto *N = dyn_cast<ConstantInt>(M->getLength());
      remembered(C, *P, N ? std::optional(N->getZExtValue()) : std::nullopt);
    }
  if (auto *II = dyn_cast<IntrinsicInst>(&C)) {
    if (II->getIntrinsicID() == Intrinsic::masked_load)
      if (auto P = place(II->getArgOperand(0)))
        typedAccess(C, *P, C.getType(), nullptr);
    if (II->getIntrinsicID() == Intrinsic::masked_store)
      if (auto P = place(II->getArgOperand(1)))
        typedAccess(C, *P, II->getArgOperand(0)->getType(), II->getArgOperand(0));
    return;
  }
  if (auto Copy = libraryCopy(Name); Copy && C.arg_size() > Copy->Len)
    visitCopyOf(C, C.getArgOperand(Copy->Dst), C.getArgOperand(Copy->Src), C.getArgOperand(Copy->Len));
  for (const PointerUse &U : libraryPointerUses(Name))
    if (U.Arg < C.arg_size() && C.getArgOperand(U.Arg)->getType()->isPointerTy())
      if (auto P = place(C.getArgOperand(U.Arg)))
        G.addFact(*P, U.Size, U.Kind, Level::Access, &C);
}

void Solver::visit(const Instruction &I) {
  bool Pointer = I.getType()->isPointerTy();
  switch (I.getOpcode()) {
  case Instruction::Alloca: {
    if (Places.contains(&I))
      return;
    auto &A = cast<AllocaInst>(I);
    Place P{G.makeClass(), 0, 0, {}};
    setPlace(&I, P);
    TypeSize Size = DL.getTypeAllocSize(A.getAllocatedType());
    if (A.isArrayAllocation() && !Size.isScalable())
      addStride(P.S, {Size, 0});
    return declare(P, A.getAllocatedType());
  }
  case Instruction::GetElementPtr: {
    auto &GEP = cast<GEPOperator>(I);
    if (auto Base = Pointer ? place(GEP.getPointerOperand()) : std::nullopt) {
      setPlace(&I, gepPlace(GEP, *Base));
      Type *T = GEP.getSourceElementType();
      // Pointer arithmetic in units of T is a weak word for T.
      IndexForm X = indexForm(*GEP.idx_begin());
      if (X.Factor)
        addStride(Base->S, {X.Factor * DL.getTypeAllocSize(T).getKnownMinValue(), 0});
      else if (T->isFloatingPointTy()) // p[3], before instcombine has made bytes of it
        addStride(Base->S, {DL.getTypeAllocSize(T).getFixedValue(), 0});
      if (X.Factor || isa<StructType>(T) || isa<ArrayType>(T) || T->isFloatingPointTy())
        declare(*Base, T);
    }
    return;
  }
  case Instruction::PHI:
    for (const Value *In : cast<PHINode>(I).incoming_values())
      if (Pointer)
        joinInto(&I, In);
    return;
  case Instruction::Select:
    if (Pointer) {
      joinInto(&I, I.getOperand(1));
      joinInto(&I, I.getOperand(2));
    }
    return;
  case Instruction::Freeze:
  case Instruction::AddrSpaceCast:
    if (auto P = Pointer ? place(I.getOperand(0)) : std::nullopt)
      setPlace(&I, *P);
    return;
  case Instruction::Load:
    return visitLoad(cast<LoadInst>(I));
  case Instruction::Store:
    return visitStore(I, I.getOperand(0), I.getOperand(1), cast<StoreInst>(I).getAlign());
  case Instruction::AtomicRMW: {
    auto &A = cast<AtomicRMWInst>(I);
    visitStore(I, A.getValOperand(), A.getPointerOperand(), A.getAlign());
    if (A.getOperation() != AtomicRMWInst::Xchg && A.getType()->isIntegerTy())
      markInteger(A.getValOperand(), &I), markInteger(&I, &I);
    if (auto P = place(A.getPointerOperand()))
      typedAccess(I, *P, I.getType(), nullptr);
    return;
  }
  case Instruction::AtomicCmpXchg: {
    auto &A = cast<AtomicCmpXchgInst>(I);
    visitStore(I, A.getNewValOperand(), A.getPointerOperand(), A.getAlign());
    return visitStore(I, A.getCompareOperand(), A.getPointerOperand(), A.getAlign());
  }
  case Instruction::IntToPtr:
    if (auto *From = dyn_cast<PtrToIntInst>(I.getOperand(0))) {
      if (auto P = place(From->getOperand(0)))
        setPlace(&I, *P);
    } else if (auto R = Pointer ? reg(I.getOperand(0)) : std::nullopt) {
      setPlace(&I, G.pointee(*R, DL.getPointerSize(), Level::Access, &I));
    }
    break;
  case Instruction::ExtractValue: {
    auto &X = cast<ExtractValueInst>(I);
    auto *L = dyn_cast<LoadInst>(X.getAggregateOperand());
    auto P = L && Pointer ? place(L->getPointerOperand()) : std::nullopt;
    if (P) {
      SmallVector<Value *, 4> Index{ConstantInt::get(Type::getInt32Ty(I.getContext()), 0)};
      for (unsigned N : X.indices())
        Index.push_back(ConstantInt::get(Type::getInt32Ty(I.getContext()), N));
      int64_t Off = DL.getIndexedOffsetInType(L->getType(), Index);
      setPlace(&I, G.pointee(P->plus(Off), DL.getPointerSize(), Level::Access, L));
    }
    break;
  }
  case Instruction::Ret:
    return visitReturn(cast<ReturnInst>(I));
  case Instruction::Call:
  case Instruction::Invoke:
  case Instruction::CallBr:
    return visitCall(cast<CallBase>(I));
  default:
    break;
  }
  // Any other pointer: memory of its own.
  if (Pointer && !Places.contains(&I))
    setPlace(&I, Place{G.makeClass(), 0, 0, {}});
}

} // namespace tapefree
