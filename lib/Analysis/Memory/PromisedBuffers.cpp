#include "Analysis/Memory/PromisedBuffers.h"
#include "Analysis/Memory/Extents.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/MemorySSA.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

DisjointBuffers::~DisjointBuffers() = default;

/// Whether a pointer is the same whenever it is computed, and nothing but parameters, constants, and memory
/// as it was at entry goes into it. Unlike what knownAtEntry() asks, it may not be safe to compute it at
/// entry.
static bool sameAllTheTime(const Value *V, MemorySSA &MSSA, unsigned Depth = 0) {
  if (isa<Constant, Argument>(V))
    return true;
  auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth > 16 || isa<AllocaInst, PHINode>(I))
    return false;
  if (auto *Load = dyn_cast<LoadInst>(I)) {
    if (!Load->isSimple() ||
        !MSSA.isLiveOnEntryDef(MSSA.getWalker()->getClobberingMemoryAccess(const_cast<LoadInst *>(Load))))
      return false;
  } else if (I->mayReadOrWriteMemory() || I->isTerminator() || isa<FreezeInst>(I)) {
    return false;
  }
  return all_of(I->operands(), [&](const Use &U) { return sameAllTheTime(U.get(), MSSA, Depth + 1); });
}

bool PromisedBuffers::isRoot(const Value *V) {
  auto [It, New] = Known.try_emplace(V, false);
  if (!New)
    return It->second;
  bool Root = false;
  if (auto *G = dyn_cast<GlobalVariable>(V))
    Root = !G->isConstant() && !G->isThreadLocal();
  else if (V->getType()->isPointerTy())
    Root = isa<Argument>(V) || (isa<LoadInst>(V) && sameAllTheTime(V, MSSA));
  return Known[V] = Root;
}

/// The one object that a pointer is based on; null if there are several.
static const Value *onlyObject(const Value *Pointer) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, 0);
  return Objects.size() == 1 ? Objects[0] : nullptr;
}

namespace {
/// How two pointers that are the same all the time are reached, as the source spells it: from one place
/// (`w->z` twice), from two (different parameters, different members of what one pointer leads to, members of
/// what different ones lead to), or who knows (`t[i]` and `t[j]`).
enum class Ways { One, Two, Unknown };
} // namespace

static Ways compare(const Value *A, const Value *B, const DataLayout &DL) {
  if (A == B)
    return Ways::One;
  auto *LA = dyn_cast<LoadInst>(A), *LB = dyn_cast<LoadInst>(B);
  if (!LA || !LB)
    return Ways::Two;
  APInt OffsetA(DL.getIndexTypeSizeInBits(LA->getPointerOperandType()), 0), OffsetB = OffsetA;
  const Value *BaseA = LA->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, OffsetA, true),
              *BaseB = LB->getPointerOperand()->stripAndAccumulateConstantOffsets(DL, OffsetB, true);
  const Value *ObjectA = onlyObject(BaseA), *ObjectB = onlyObject(BaseB);
  if (!ObjectA || !ObjectB)
    return Ways::Unknown;
  Ways Objects = compare(ObjectA, ObjectB, DL);
  if (Objects != Ways::One)
    return Objects;
  if (BaseA != BaseB && (BaseA != ObjectA || BaseB != ObjectB)) // an index that is no constant
    return Ways::Unknown;
  if (OffsetA == OffsetB)
    return Ways::One;
  return (OffsetA - OffsetB).abs().uge(DL.getTypeStoreSize(A->getType())) ? Ways::Two : Ways::Unknown;
}

PromisedBuffers::PromisedBuffers(Function &F, MemorySSA &MSSA, function_ref<bool(const Value *)> Excluded)
    : MSSA(MSSA) {
  const DataLayout &DL = F.getDataLayout();
  SmallPtrSet<const Value *, 8> Lost; // roots with accesses that cannot be told from another's, or not seen
  SmallVector<std::pair<const Value *, PromisedAccess>, 16> Found;
  auto Lose = [&](const Value *Pointer) {
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(Pointer, Objects, nullptr, 0);
    Lost.insert(Objects.begin(), Objects.end());
  };
  auto Access = [&](const Instruction &I, const Value *Pointer, bool Write, uint64_t Bytes,
                    const Value *Length = nullptr) {
    const Value *Object = onlyObject(Pointer);
    if (!Object)
      return Lose(Pointer);
    if (isRoot(Object))
      Found.push_back({Object, {&I, Pointer, 0, Write, Bytes, Length}});
  };
  for (const Instruction &I : instructions(F)) {
    if (const Value *P = getLoadStorePointerOperand(&I)) {
      Access(I, P, isa<StoreInst>(I), DL.getTypeStoreSize(getLoadStoreType(&I)));
    } else if (auto *Mem = dyn_cast<MemIntrinsic>(&I)) {
      Access(I, Mem->getRawDest(), true, 0, Mem->getLength());
      if (auto *Copy = dyn_cast<MemTransferInst>(Mem))
        Access(I, Copy->getRawSource(), false, 0, Mem->getLength());
    } else if (auto *Intrinsic = dyn_cast<IntrinsicInst>(&I);
               Intrinsic && Intrinsic->isAssumeLikeIntrinsic()) {
      continue;
    } else if (I.mayReadOrWriteMemory()) {
      for (const Use &U : I.operands())
        if (U->getType()->isPtrOrPtrVectorTy() && !isa<Function>(U.get()))
          Lose(U.get());
    }
  }
  SmallSetVector<const Value *, 16> All;
  for (const auto &[Object, A] : Found)
    All.insert(Object);
  // What is the same place under several names has the first one's; of two that may be one place, neither
  // counts.
  DenseMap<const Value *, const Value *> First;
  for (const Value *X : All) {
    First[X] = X;
    for (const Value *Y : All) {
      Ways W = compare(X, Y, DL);
      if (W == Ways::Unknown)
        Lost.insert(X);
      if (W != Ways::One)
        continue;
      First[X] = First.lookup(Y);
      break;
    }
  }
  for (const Value *X : All)
    if (Lost.contains(X) || Excluded(X))
      Lost.insert(First[X]);
  for (auto &[Found, A] : Found) {
    const Value *Object = First[Found];
    if (Lost.contains(Object) || Lost.contains(Found))
      continue;
    auto [It, New] = Numbers.try_emplace(Object, size());
    if (New) {
      Roots.emplace_back();
      Written.push_back(false);
    }
    if (Numbers.try_emplace(Found, It->second).second || New)
      Roots[It->second].push_back(Found);
    A.Buffer = It->second;
    Written[A.Buffer] |= A.Write;
    Accesses.push_back(A);
  }
}

std::optional<unsigned> PromisedBuffers::bufferOf(const Value *Pointer) const {
  const Value *Object = onlyObject(Pointer);
  auto It = Object ? Numbers.find(Object) : Numbers.end();
  return It == Numbers.end() ? std::nullopt : std::optional(It->second);
}

AliasResult PromisedDisjoint::alias(const MemoryLocation &A, const MemoryLocation &B, AAQueryInfo &,
                                    const Instruction *) {
  std::optional<unsigned> X = P.bufferOf(A.Ptr), Y = P.bufferOf(B.Ptr);
  return X && Y && P.promised(*X, *Y) ? AliasResult::NoAlias : AliasResult::MayAlias;
}

} // namespace tapefree
