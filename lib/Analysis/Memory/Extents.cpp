#include "Analysis/Memory/Extents.h"
#include "Analysis/Memory/OffsetBounds.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace tapefree {

// A walk for more accesses costs more code than it is worth.
static constexpr unsigned MaxWalks = 64;

bool knownAtEntry(const Value *V, const Function &F, MemorySSA &MSSA) {
  if (isa<Constant, Argument>(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != &F.getEntryBlock() || isa<AllocaInst>(I))
    return false;
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    if (!Load->isSimple() ||
        !MSSA.isLiveOnEntryDef(MSSA.getWalker()->getClobberingMemoryAccess(const_cast<LoadInst *>(Load))))
      return false;
  } else if (I->mayReadOrWriteMemory() || isa<PHINode>(I)) {
    return false;
  }
  return all_of(I->operands(),
                [&](const Use &U) { return isa<BasicBlock>(U.get()) || knownAtEntry(U.get(), F, MSSA); });
}

std::optional<unsigned> Extents::bufferOf(const Value *Pointer) const {
  SmallVector<const Value *, 2> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  auto It = Objects.size() == 1 ? Buffers.find(Objects[0]) : Buffers.end();
  // Asked for accesses of the function itself: what covers one through this pointer covers all.
  if (It == Buffers.end() || !covers(Objects[0], Pointer, 0))
    return std::nullopt;
  return unsigned(It - Buffers.begin());
}

bool Extents::expressible(const SCEV *S) const {
  if (isa<SCEVCouldNotCompute>(S))
    return false;
  if (Within)
    return SE.isAvailableAtLoopEntry(S, Within) &&
           SCEVExpander(SE, "").isSafeToExpandAt(S, Within->getLoopPreheader()->getTerminator());
  return !SCEVExprContains(S, [&](const SCEV *E) {
    if (auto *U = dyn_cast<SCEVUnknown>(E))
      return !knownAtEntry(U->getValue());
    if (auto *Div = dyn_cast<SCEVUDivExpr>(E)) // a division must not trap where its loop would not have run
      return !isa<SCEVConstant>(Div->getRHS());
    return isa<SCEVAddRecExpr>(E);
  });
}

const SCEV *Extents::bound(const SCEV *S, bool Upper) {
  auto Known = [&](const SCEV *E) { return expressible(E); };
  return OffsetBounds(SE, Known, /*KeepKnown=*/Within != nullptr).bound(S, Upper);
}

/// Widens the extent of `Base` by one access; false when the access has no range.
bool Extents::ranges(const Instruction &I, const Value *Pointer, const Value *Base, const SCEV *Bytes,
                     bool Write) {
  const SCEV *Offset =
      SE.getMinusSCEV(SE.getSCEVAtScope(const_cast<Value *>(Pointer), LI.getLoopFor(I.getParent())),
                      SE.getSCEV(const_cast<Value *>(Base)));
  if (isa<SCEVCouldNotCompute>(Offset))
    return false;
  const SCEV *Low = bound(Offset, false), *High = bound(Offset, true), *Size = bound(Bytes, true);
  if (!Low || !High || !Size || !expressible(Low) || !expressible(High) || !expressible(Size))
    return false;
  High = SE.getAddExpr(High, SE.getTruncateOrZeroExtend(Size, High->getType()));
  Extent &E = Buffers[Base];
  E.Written |= Write;
  E.Low = E.Low ? SE.getSMinExpr(E.Low, Low) : Low;
  E.High = E.High ? SE.getSMaxExpr(E.High, High) : High;
  return true;
}

/// The offsets of one access where control enters `W.Inner`.
bool Extents::walkFrom(WalkedAccess W, const SCEV *Offset, const SCEV *Bytes) {
  Within = W.Inner;
  W.Low = bound(Offset, false);
  W.High = bound(Offset, true);
  bool Known = W.Low && W.High && expressible(W.Low) && expressible(W.High);
  Within = nullptr;
  if (!Known)
    return false;
  W.High = SE.getAddExpr(W.High, SE.getTruncateOrZeroExtend(Bytes, W.High->getType()));
  Walks.push_back(W);
  return true;
}

/// Finds the outermost place at which the range of an access is known; false when there is none.
bool Extents::walk(const Instruction &I, const Value *Pointer, const Value *Base, const SCEV *Bytes,
                   bool Write) {
  if (!isa<SCEVConstant>(Bytes))
    return false;
  const Loop *Around = LI.getLoopFor(I.getParent());
  const SCEV *Offset = SE.getMinusSCEV(SE.getSCEVAtScope(const_cast<Value *>(Pointer), Around),
                                       SE.getSCEV(const_cast<Value *>(Base)));
  if (isa<SCEVCouldNotCompute>(Offset) || SE.getTypeSizeInBits(Offset->getType()) != 64)
    return false;
  SmallVector<const Loop *, 4> Nest;
  for (const Loop *L = Around; L; L = L->getParentLoop())
    if (L->getLoopPreheader())
      Nest.push_back(L);
  WalkedAccess W{&I,     Pointer, Base,  nullptr,
                 Offset, Offset,  Write, cast<SCEVConstant>(Bytes)->getAPInt().getLimitedValue()};
  for (const Loop *L : reverse(Nest)) {
    W.Inner = L;
    if (walkFrom(W, Offset, Bytes))
      return true;
  }
  // All that the offset is made of stands before the access, since its address does.
  if (!SCEVExpander(SE, "").isSafeToExpand(Offset) || !SE.dominates(Offset, I.getParent()))
    return false;
  W.Inner = nullptr;
  W.High = SE.getAddExpr(Offset, SE.getTruncateOrZeroExtend(Bytes, Offset->getType()));
  Walks.push_back(W);
  return true;
}

void Extents::walked(const Value *Buffer, unsigned Stage) {
  for (const WalkedAccess &W : Walks) {
    if (W.Base != Buffer)
      continue;
    uint64_t &Most = Covered[W.Pointer];
    Most = std::max(Most, W.Bytes);
    Extent &E = Buffers[Buffer];
    E.Written |= W.Write;
    E.Stage = Stage;
  }
  Unbounded.erase(Buffer);
}

bool Extents::knowsAllWrites() const {
  return !UntestedWrites && all_of(OutsideWrites, [&](const Value *Pointer) {
    if (Covered.contains(Pointer))
      return true;
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Pointer, Objects, nullptr, 0);
    return all_of(Objects, [](const Value *O) { return isIdentifiedFunctionLocal(O) && !isa<Argument>(O); });
  });
}

void Extents::access(const Instruction &I, const Value *Pointer, const SCEV *Bytes, bool Write) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  const Value *Base = Objects.size() == 1 ? Objects[0] : nullptr;
  if (Base && Bytes && !isa<Constant>(Base) && knownAtEntry(Base) && ranges(I, Pointer, Base, Bytes, Write)) {
    auto *Size = dyn_cast<SCEVConstant>(Bytes);
    uint64_t &Most = Covered[Pointer];
    Most = std::max(Most, Size ? Size->getAPInt().getLimitedValue() : 0);
    return;
  }
  Unbounded.insert(Objects.begin(), Objects.end());
  Outside.insert(Pointer);
  if (Write)
    OutsideWrites.push_back(Pointer);
  if (!Base || !Bytes || isa<Constant>(Base) || !knownAtEntry(Base) || !walk(I, Pointer, Base, Bytes, Write))
    Unwalkable.insert(Objects.begin(), Objects.end());
}

Extents::Extents(Function &F, LoopInfo &LI, ScalarEvolution &SE, MemorySSA &MSSA)
    : F(F), LI(LI), SE(SE), MSSA(MSSA) {
  const DataLayout &DL = F.getDataLayout();
  Type *I64 = Type::getInt64Ty(F.getContext());
  for (Instruction &I : instructions(F)) {
    if (const Value *P = getLoadStorePointerOperand(&I)) {
      access(I, P, SE.getConstant(I64, DL.getTypeStoreSize(getLoadStoreType(&I))), isa<StoreInst>(I));
    } else if (auto *Mem = dyn_cast<MemIntrinsic>(&I)) {
      const SCEV *Bytes = SE.getTruncateOrZeroExtend(SE.getSCEV(Mem->getLength()), I64);
      access(I, Mem->getRawDest(), Bytes, true);
      if (auto *Copy = dyn_cast<MemTransferInst>(Mem))
        access(I, Copy->getRawSource(), Bytes, false);
    } else if (auto *Call = dyn_cast<CallBase>(&I); Call && !Call->doesNotAccessMemory()) {
      for (const Use &U : Call->args())
        if (U->getType()->isPointerTy())
          access(I, U.get(), nullptr, true);
    }
  }
  for (const Value *P : Outside) // one pointer may serve accesses of both kinds
    Covered.erase(P);
  if (Walks.size() > MaxWalks)
    Walks.clear();
  erase_if(Walks, [&](const WalkedAccess &W) { return Unwalkable.contains(W.Base); });
  if (Buffers.size() > 16) { // pairs grow quadratically, and so does the price of testing them
    Buffers.clear();
    Walks.clear();
  }
}

AliasResult AssumedDisjoint::alias(const MemoryLocation &A, const MemoryLocation &B, AAQueryInfo &,
                                   const Instruction *) {
  SmallVector<const Value *, 2> As, Bs;
  getUnderlyingObjects(A.Ptr, As, nullptr, 0);
  getUnderlyingObjects(B.Ptr, Bs, nullptr, 0);
  if (As.size() != 1 || Bs.size() != 1 || As[0] == Bs[0])
    return AliasResult::MayAlias;
  // A location without an upper or lower end stands for any access of its buffer, also those out of the
  // range.
  auto Bounded = [&](const Value *Buffer, const MemoryLocation &L) {
    return E.buffers().count(Buffer) &&
           (L.Size.isPrecise() ? E.covers(Buffer, L.Ptr, L.Size.getValue().getKnownMinValue())
                               : E.coversAll(Buffer));
  };
  return Bounded(As[0], A) && Bounded(Bs[0], B) ? AliasResult::NoAlias : AliasResult::MayAlias;
}

} // namespace tapefree
