#include "Emit/MemoryHelpers.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

namespace {
enum class Action : uint8_t { Accumulate, CopyOthers, CopyAll, SetFloats, SetOthers, SetAll };
/// How one pointer leads to N lanes: it is plain memory, an array of N addresses, or memory with interleaved
/// lanes.
enum class Side : uint8_t { Plain, EachLane, Interleaved };

/// What one helper does.
struct Helper {
  AccessPattern P;
  Action A;
  bool MayOverlap = false;
  Side To = Side::Plain, From = Side::Plain;
  unsigned Width = 1;
  bool OverLanes = false; // visits the lanes one after the other, by the same helper for one lane

  bool sets() const { return A >= Action::SetFloats; }
  /// All lanes of a scalar are handled at once.
  bool whole() const { return To == Side::Interleaved && From == Side::Interleaved; }
  /// Bytes, whatever they are.
  bool raw() const {
    return (A == Action::SetAll || A == Action::CopyAll) &&
           (To == From || (To == Side::EachLane && From == Side::Plain));
  }
  bool wanted(const TypeField &Field) const {
    bool Other = Field.Kind == ScalarKind::Integer || Field.Kind == ScalarKind::Pointer;
    switch (A) {
    case Action::CopyAll:
    case Action::SetAll:
      return true;
    case Action::Accumulate:
      return isFloatKind(Field.Kind);
    case Action::SetFloats: // what may be one is
      return !Other;
    case Action::CopyOthers:
    case Action::SetOthers:
      return Other;
    }
    return false;
  }
  std::string name() const;
};

/// Builds `void name(ptr to, ptr from, i64 bytes, i8 byte, i64 lane)`; what a helper does not use is left out
/// by the optimiser. The body is a loop over the periods of the pattern.
class HelperBuilder {
public:
  HelperBuilder(Module &M, const Helper &H) : M(M), H(H) {}
  Function *get();

private:
  Function *create(const Twine &Name);
  void fill();
  void fillOverLanes();
  void loop(BasicBlock *Into, BasicBlock *Next, bool Down);
  SmallVector<TypeField, 8> scalars(bool Down) const;
  void scalar(IRBuilder<> &B, ScalarKind Kind, Value *Start, uint64_t Offset, uint64_t Size);
  Value *address(IRBuilder<> &B, bool OfTo, Value *Start, uint64_t Offset, uint64_t Scalar);

  Module &M;
  Helper H;
  Function *F = nullptr;
};
} // namespace

std::string Helper::name() const {
  static constexpr const char *Actions[] = {"accumulate", "copy.others", "copy",
                                            "set.floats", "set.others",  "set"};
  std::string Name = std::string("tapefree.") + Actions[unsigned(A)] + (MayOverlap ? ".overlap" : "");
  if (Width > 1)
    Name +=
        (OverLanes ? ".lanes" : ".x") + std::to_string(Width) + "pei"[unsigned(To)] + "pei"[unsigned(From)];
  if (raw())
    return Name;
  Name += "." + std::to_string(P.Period);
  for (const TypeField &Field : P.Fields)
    Name += "." + std::to_string(Field.Offset) + kindName(Field.Kind).str() + std::to_string(Field.Size);
  return Name;
}

Function *HelperBuilder::create(const Twine &Name) {
  LLVMContext &C = M.getContext();
  Type *Ptr = PointerType::getUnqual(C), *I64 = Type::getInt64Ty(C);
  auto *T = FunctionType::get(Type::getVoidTy(C), {Ptr, Ptr, I64, Type::getInt8Ty(C), I64}, false);
  F = Function::Create(T, GlobalValue::InternalLinkage, Name, M);
  F->addFnAttr(Attribute::NoUnwind);
  return F;
}

/// The address of the scalar at `Offset` in the period that begins at byte `Start` of the primal.
Value *HelperBuilder::address(IRBuilder<> &B, bool OfTo, Value *Start, uint64_t Offset, uint64_t Scalar) {
  Value *Base = F->getArg(OfTo ? 0 : 1);
  bool Interleaved = (OfTo ? H.To : H.From) == Side::Interleaved;
  uint64_t Scale = Interleaved ? H.Width : 1;
  Value *At = B.CreateInBoundsGEP(ArrayType::get(B.getInt8Ty(), Scale), Base, Start);
  At = B.CreateConstInBoundsGEP1_64(B.getInt8Ty(), At, Offset * Scale);
  if (Interleaved && !H.whole())
    At = B.CreateInBoundsGEP(ArrayType::get(B.getInt8Ty(), Scalar), At, F->getArg(4));
  return At;
}

void HelperBuilder::scalar(IRBuilder<> &B, ScalarKind Kind, Value *Start, uint64_t Offset, uint64_t Size) {
  Value *To = address(B, true, Start, Offset, Size);
  uint64_t Bytes = H.whole() ? Size * H.Width : Size;
  if (H.sets()) {
    B.CreateMemSet(To, F->getArg(3), Bytes, MaybeAlign());
    return;
  }
  Value *From = address(B, false, Start, Offset, Size);
  Type *T = floatType(Kind, M.getContext());
  if (H.A != Action::Accumulate) {
    if (!T)
      T = Kind == ScalarKind::Pointer ? static_cast<Type *>(B.getPtrTy()) : B.getIntNTy(unsigned(Size * 8));
    if (H.whole())
      B.CreateMemMove(To, MaybeAlign(), From, MaybeAlign(), Bytes);
    else
      B.CreateAlignedStore(B.CreateAlignedLoad(T, From, Align(1)), To, Align(1));
    return;
  }
  bool Packed = M.getDataLayout().getTypeSizeInBits(T) == Size * 8; // an x86_fp80 is not
  unsigned Steps = H.whole() && !Packed ? H.Width : 1;
  if (H.whole() && Packed)
    T = FixedVectorType::get(T, H.Width);
  for (unsigned K = 0; K < Steps; ++K) {
    Value *ToK = B.CreateConstInBoundsGEP1_64(T, To, K), *FromK = B.CreateConstInBoundsGEP1_64(T, From, K);
    Value *Adjoint = B.CreateAlignedLoad(T, ToK, Align(1));
    B.CreateAlignedStore(Constant::getNullValue(T), ToK, Align(1));
    B.CreateAlignedStore(B.CreateFAdd(B.CreateAlignedLoad(T, FromK, Align(1)), Adjoint), FromK, Align(1));
  }
}

/// What one period holds for this helper, in the order in which it is visited.
SmallVector<TypeField, 8> HelperBuilder::scalars(bool Down) const {
  SmallVector<TypeField, 8> All;
  for (const TypeField &Field : H.P.Fields) {
    if (!H.wanted(Field))
      continue;
    Type *T = floatType(Field.Kind, M.getContext());
    // Lanes lie between the scalars, so these are visited one by one; otherwise a field is moved or set in
    // one piece.
    bool Apart = T && (!H.sets() || H.To != H.From);
    uint64_t Step = Apart ? M.getDataLayout().getTypeAllocSize(T).getFixedValue() : Field.Size;
    for (uint64_t At = 0; At + Step <= Field.Size; At += Step)
      All.push_back({Field.Offset + At, Step, Field.Kind});
  }
  if (Down)
    std::reverse(All.begin(), All.end());
  return All;
}

/// All whole periods, and what of the last one the length still covers.
void HelperBuilder::loop(BasicBlock *Into, BasicBlock *Next, bool Down) {
  LLVMContext &C = M.getContext();
  BasicBlock *Body = BasicBlock::Create(C, "body", F), *Rest = BasicBlock::Create(C, "rest", F);
  IRBuilder<> B(Into);
  Value *Count = B.CreateUDiv(F->getArg(2), B.getInt64(H.P.Period));
  Value *Whole = B.CreateMul(Count, B.getInt64(H.P.Period));
  Value *Some = B.CreateICmpNE(Count, B.getInt64(0));
  if (Down)
    B.CreateBr(Rest);
  else
    B.CreateCondBr(Some, Body, Rest);

  B.SetInsertPoint(Rest);
  Value *Left = B.CreateSub(F->getArg(2), Whole);
  for (const TypeField &S : scalars(Down)) {
    BasicBlock *Fits = BasicBlock::Create(C, "fits", F), *Further = BasicBlock::Create(C, "further", F);
    B.CreateCondBr(B.CreateICmpUGE(Left, B.getInt64(S.Offset + S.Size)), Fits, Further);
    B.SetInsertPoint(Fits);
    scalar(B, S.Kind, Whole, S.Offset, S.Size);
    B.CreateBr(Further);
    B.SetInsertPoint(Further);
  }
  BasicBlock *Before = Down ? B.GetInsertBlock() : Into;
  if (Down)
    B.CreateCondBr(Some, Body, Next);
  else
    B.CreateBr(Next);

  B.SetInsertPoint(Body);
  PHINode *I = B.CreatePHI(B.getInt64Ty(), 2);
  Value *Following = B.CreateAdd(I, B.getInt64(1));
  Value *Index = Down ? B.CreateSub(Count, Following) : I;
  Value *Start = B.CreateMul(Index, B.getInt64(H.P.Period));
  for (const TypeField &S : scalars(Down))
    scalar(B, S.Kind, Start, S.Offset, S.Size);
  I->addIncoming(B.getInt64(0), Before);
  I->addIncoming(Following, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpEQ(Following, Count), Down ? Next : Rest, Body);
}

void HelperBuilder::fill() {
  LLVMContext &C = M.getContext();
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F), *Exit = BasicBlock::Create(C, "exit");
  IRBuilder<> B(Entry);
  if (H.raw()) {
    Value *Bytes = H.whole() ? B.CreateMul(F->getArg(2), B.getInt64(H.Width)) : F->getArg(2);
    if (H.A == Action::SetAll)
      B.CreateMemSet(F->getArg(0), F->getArg(3), Bytes, MaybeAlign());
    else if (H.MayOverlap)
      B.CreateMemMove(F->getArg(0), MaybeAlign(), F->getArg(1), MaybeAlign(), Bytes);
    else
      B.CreateMemCpy(F->getArg(0), MaybeAlign(), F->getArg(1), MaybeAlign(), Bytes);
    B.CreateBr(Exit);
  } else if (H.MayOverlap) {
    // Reading an adjoint must come before adding to it at the same address as a source: to > from goes up,
    // else down. A copy (forward sweep) goes the other way round, like memmove itself.
    BasicBlock *Up = BasicBlock::Create(C, "up", F), *DownBlock = BasicBlock::Create(C, "down", F);
    Value *ToAfterFrom = B.CreateICmpUGT(F->getArg(0), F->getArg(1));
    bool UpWhenAfter = H.A == Action::Accumulate;
    B.CreateCondBr(ToAfterFrom, UpWhenAfter ? Up : DownBlock, UpWhenAfter ? DownBlock : Up);
    loop(Up, Exit, false);
    loop(DownBlock, Exit, true);
  } else {
    loop(Entry, Exit, false);
  }
  Exit->insertInto(F);
  IRBuilder<>(Exit).CreateRetVoid();
}

/// Each lane in turn, by the helper for one.
void HelperBuilder::fillOverLanes() {
  LLVMContext &C = M.getContext();
  Helper One = H;
  One.OverLanes = false;
  One.To = H.To == Side::EachLane ? Side::Plain : H.To;
  One.From = H.From == Side::EachLane ? Side::Plain : H.From;
  if (One.To == Side::Plain && One.From == Side::Plain)
    One.Width = 1;
  Function *ForOne = HelperBuilder(M, One).get();
  BasicBlock *Entry = BasicBlock::Create(C, "entry", F), *Body = BasicBlock::Create(C, "body", F),
             *Exit = BasicBlock::Create(C, "exit", F);
  IRBuilder<> B(Entry);
  B.CreateBr(Body);
  B.SetInsertPoint(Body);
  PHINode *Lane = B.CreatePHI(B.getInt64Ty(), 2);
  auto Of = [&](Side S, Value *Pointer) -> Value * {
    return S == Side::EachLane ? B.CreateLoad(B.getPtrTy(), B.CreateInBoundsGEP(B.getPtrTy(), Pointer, Lane))
                               : Pointer;
  };
  Value *From = H.sets() ? F->getArg(1) : Of(H.From, F->getArg(1));
  B.CreateCall(ForOne, {Of(H.To, F->getArg(0)), From, F->getArg(2), F->getArg(3), Lane});
  Value *Next = B.CreateAdd(Lane, B.getInt64(1));
  Lane->addIncoming(B.getInt64(0), Entry);
  Lane->addIncoming(Next, Body);
  B.CreateCondBr(B.CreateICmpEQ(Next, B.getInt64(H.Width)), Exit, Body);
  IRBuilder<>(Exit).CreateRetVoid();
}

Function *HelperBuilder::get() {
  std::string Name = H.name();
  if (Function *Known = M.getFunction(Name))
    return Known;
  create(Name);
  if (H.OverLanes)
    fillOverLanes();
  else
    fill();
  return F;
}

/// A shadow as an argument of a helper: addresses of lanes travel in memory.
static Value *travelling(IRBuilderBase &B, Value *Shadow) {
  if (!Shadow->getType()->isVectorTy())
    return Shadow;
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  auto *Slot = new AllocaInst(Shadow->getType(), 0, "tapefree.lanes", Entry.begin());
  B.CreateStore(Shadow, Slot);
  return Slot;
}

static Side sideOf(const Value *Shadow, unsigned Width) {
  return Width == 1 ? Side::Plain : Shadow->getType()->isVectorTy() ? Side::EachLane : Side::Interleaved;
}

/// Numbers of one kind repeat after each of them, however many the pattern lists.
static void shorten(AccessPattern &P, const DataLayout &DL, LLVMContext &C) {
  ScalarKind Kind;
  if (!P.isHomogeneousFloat(Kind))
    return;
  P.Period = DL.getTypeAllocSize(floatType(Kind, C));
  P.Fields = {{0, P.Period, Kind}};
}

static void call(IRBuilderBase &B, Helper H, Value *To, Value *From, Value *Bytes, Value *Byte) {
  Module &M = *B.GetInsertBlock()->getModule();
  shorten(H.P, M.getDataLayout(), M.getContext());
  if (H.sets())
    H.From = H.To;
  Bytes = B.CreateZExtOrTrunc(Bytes, B.getInt64Ty());
  if (H.raw() && H.To != Side::EachLane) {
    if (H.whole())
      Bytes = B.CreateMul(Bytes, B.getInt64(H.Width));
    if (H.A == Action::SetAll)
      B.CreateMemSet(To, Byte, Bytes, MaybeAlign());
    else if (H.MayOverlap)
      B.CreateMemMove(To, MaybeAlign(), From, MaybeAlign(), Bytes);
    else
      B.CreateMemCpy(To, MaybeAlign(), From, MaybeAlign(), Bytes);
    return;
  }
  H.OverLanes = H.Width > 1 && !H.whole();
  To = travelling(B, To);
  From = From ? travelling(B, From) : ConstantPointerNull::get(B.getPtrTy());
  Function *F = HelperBuilder(M, H).get();
  B.CreateCall(F, {To, From, Bytes, Byte ? Byte : B.getInt8(0), B.getInt64(0)});
}

/// The fields of one object, as far as the length goes, and whatever follows: nobody knows of anything there.
static void setOnce(IRBuilderBase &B, const Helper &H, Value *To, Value *Byte, Value *Bytes) {
  Bytes = B.CreateZExtOrTrunc(Bytes, B.getInt64Ty());
  auto Set = [&](uint64_t Offset, Value *Most) {
    Value *From = B.getInt64(Offset);
    Value *Left = B.CreateBinaryIntrinsic(Intrinsic::usub_sat, Bytes, From);
    if (Most)
      Left = B.CreateBinaryIntrinsic(Intrinsic::umin, Left, Most);
    B.CreateMemSet(B.CreateGEP(B.getInt8Ty(), To, From), Byte, Left, MaybeAlign());
  };
  for (const TypeField &Field : H.P.Fields)
    if (H.wanted(Field))
      Set(Field.Offset, B.getInt64(Field.Size));
  Set(H.P.Period, nullptr);
}

void MemoryHelpers::set(const AccessPattern &P, Value *To, Value *Byte, Value *Bytes, Fields Which) {
  Action A = Which == Fields::Floats   ? Action::SetFloats
             : Which == Fields::Others ? Action::SetOthers
                                       : Action::SetAll;
  Helper H{P, A};
  if (all_of(P.Fields, [&](const TypeField &Field) { return H.wanted(Field); }))
    H.A = Action::SetAll;
  H.Width = Ops.lanes().width();
  H.To = sideOf(To, H.Width);
  if (H.A == Action::SetFloats && P.Open && H.To == Side::Plain)
    return setOnce(B, H, To, Byte, Bytes);
  call(B, H, To, nullptr, Bytes, Byte);
}

void MemoryHelpers::reverseCopy(const AccessPattern &P, Value *To, Value *From, Value *Bytes,
                                bool MayOverlap) {
  unsigned W = Ops.lanes().width();
  call(B, {P, Action::Accumulate, MayOverlap, sideOf(To, W), sideOf(From, W), W}, To, From, Bytes, nullptr);
}

void MemoryHelpers::copyPointers(const AccessPattern &P, Value *To, Value *From, Value *Bytes,
                                 bool MayOverlap) {
  unsigned W = Ops.lanes().width();
  Action A = P.hasFloat() ? Action::CopyOthers : Action::CopyAll;
  call(B, {P, A, MayOverlap, sideOf(To, W), sideOf(From, W), W}, To, From, Bytes, nullptr);
}

bool MemoryHelpers::copyAll(const AccessPattern &P, Value *To, Value *From, Value *Bytes, bool MayOverlap) {
  unsigned W = Ops.lanes().width();
  Helper H{P, Action::CopyAll, MayOverlap, sideOf(To, W), sideOf(From, W), W};
  if (!H.raw() && (!P.fullyKnown() || P.hasConflict()))
    return false;
  call(B, H, To, From, Bytes, nullptr);
  return true;
}

bool MemoryHelpers::copyFromPrimal(const AccessPattern &P, Value *To, Value *From, Value *Bytes) {
  unsigned W = Ops.lanes().width();
  Helper H{P, Action::CopyAll, false, sideOf(To, W), Side::Plain, W};
  if (!H.raw() && (!P.fullyKnown() || P.hasConflict()))
    return false;
  call(B, H, To, From, Bytes, nullptr);
  return true;
}

} // namespace tapefree
