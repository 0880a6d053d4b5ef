// What does the solved graph answer for one instruction, and how is a function's answer printed?
#include "Analysis/Types/MemoryTypes.h"
#include "Analysis/Types/IndexForm.h"
#include "Analysis/Types/Layout.h"
#include "Analysis/Types/Solver.h"
#include "Analysis/Types/Sources.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSlotTracker.h"

using namespace llvm;

namespace tapefree {

struct MemoryTypes::Impl {
  Impl(Function &F, const DataLayout &DL, ArrayRef<ArgumentHint> Hints)
      : F(F), DL(DL), S(F, DL, Hints), L(S.G) {}
  Function &F;
  const DataLayout &DL;
  Solver S;
  Layouts L;

  Layout layout(const Value *Ptr, std::optional<uint64_t> Bytes, Align A, bool Typed, uint64_t Unit = 0);
  Layout layout(const Instruction &I);
};

namespace {
/// The memory that an instruction accesses.
struct MemoryAccess {
  const Value *Ptr = nullptr, *Other = nullptr; ///< Other: the source of a copy
  std::optional<uint64_t> Bytes;
  uint64_t Unit = 0;  ///< which an unknown length is a multiple of
  Type *Ty = nullptr; ///< of a load or store
  Align A, OtherAlign;
};
} // namespace

static std::optional<MemoryAccess> accessOf(const Instruction &I, const DataLayout &DL) {
  MemoryAccess R;
  auto Typed = [&](const Value *Ptr, Type *T, Align A) {
    R.Ptr = Ptr;
    R.Ty = T;
    R.A = A;
    if (TypeSize Size = DL.getTypeStoreSize(T); !Size.isScalable())
      R.Bytes = T->isX86_FP80Ty() ? DL.getTypeAllocSize(T).getFixedValue() : Size.getFixedValue();
    return R;
  };
  if (auto *L = dyn_cast<LoadInst>(&I))
    return Typed(L->getPointerOperand(), L->getType(), L->getAlign());
  if (auto *S = dyn_cast<StoreInst>(&I))
    return Typed(S->getPointerOperand(), S->getValueOperand()->getType(), S->getAlign());
  if (auto *A = dyn_cast<AtomicRMWInst>(&I))
    return Typed(A->getPointerOperand(), A->getType(), A->getAlign());
  if (auto *A = dyn_cast<AtomicCmpXchgInst>(&I))
    return Typed(A->getPointerOperand(), A->getNewValOperand()->getType(), A->getAlign());
  auto *C = dyn_cast<CallBase>(&I);
  if (!C)
    return std::nullopt;
  auto Length = [&](const Value *V) {
    IndexForm Form = indexForm(V);
    if (auto *N = dyn_cast<ConstantInt>(V))
      R.Bytes = N->getZExtValue();
    else if (Form.Factor && Form.Offset % static_cast<int64_t>(Form.Factor) == 0)
      R.Unit = Form.Factor;
  };
  if (auto *M = dyn_cast<AnyMemIntrinsic>(C)) {
    R.Ptr = M->getRawDest();
    R.A = M->getDestAlign().valueOrOne();
    if (auto *T = dyn_cast<AnyMemTransferInst>(M)) {
      R.Other = T->getRawSource();
      R.OtherAlign = T->getSourceAlign().valueOrOne();
    }
    Length(M->getLength());
    return R;
  }
  if (auto *II = dyn_cast<IntrinsicInst>(C)) {
    if (II->getIntrinsicID() == Intrinsic::masked_load)
      return Typed(II->getArgOperand(0), II->getType(), Align());
    if (II->getIntrinsicID() == Intrinsic::masked_store)
      return Typed(II->getArgOperand(1), II->getArgOperand(0)->getType(), Align());
    return std::nullopt;
  }
  StringRef Name = C->getCalledFunction() ? C->getCalledFunction()->getName() : StringRef();
  if (auto Copy = libraryCopy(Name); Copy && C->arg_size() > Copy->Len) {
    R.Ptr = C->getArgOperand(Copy->Dst);
    R.Other = C->getArgOperand(Copy->Src);
    Length(C->getArgOperand(Copy->Len));
    return R;
  }
  return std::nullopt;
}

/// What the accessed type itself says: floats and pointers, no integers.
static AccessPattern ownPattern(Type *T, const DataLayout &DL, std::optional<uint64_t> Bytes) {
  AccessPattern R;
  R.Period = Bytes.value_or(0);
  SmallVector<DeclaredScalar, 8> Scalars;
  if (T && Bytes)
    flattenType(T, DL, /*TrustIntegers=*/false, Scalars);
  for (const DeclaredScalar &X : Scalars) {
    SmallVector<uint64_t, 8> At{X.Off};
    for (const Stride &S : X.S)
      for (size_t I = 0, N = At.size(); I != N; ++I)
        for (uint64_t K = 1; K < std::min<uint64_t>(S.Count, 64); ++K)
          At.push_back(At[I] + K * S.Step);
    for (uint64_t Off : At)
      if (X.Kind != ScalarKind::Integer)
        R.Fields.push_back({Off, X.Size, X.Kind});
  }
  llvm::sort(R.Fields, [](const TypeField &A, const TypeField &B) { return A.Offset < B.Offset; });
  return R;
}

Layout MemoryTypes::Impl::layout(const Value *Ptr, std::optional<uint64_t> Bytes, Align A, bool Typed,
                                 uint64_t Unit) {
  auto P = S.Exhausted ? std::nullopt : S.place(Ptr);
  if (P) {
    Place Q = alignedPlace(S.G.root(*P), A);
    // A load or store that walks is one of equal elements: its first one stands for all. A copy that walks
    // inside rows is taken at the row's first element, else at every element.
    if (Typed && Bytes && !Q.S.empty()) {
      Q.Off = Q.Lo + floorMod(Q.Off - Q.Lo, Q.S.front().Step);
      Q.Lo = Q.Off;
      Q.S.clear();
    } else if (Q.S.size() > 1) {
      Q.S.truncate(1);
    }
    return L.layoutOf(Q, Bytes, Unit);
  }
  Layout R;
  R.Pattern.Period = Bytes.value_or(0);
  R.Pattern.Open = !Bytes;
  return R;
}

Layout MemoryTypes::Impl::layout(const Instruction &I) {
  auto M = accessOf(I, DL);
  if (!M)
    return {};
  Layout R = layout(M->Ptr, M->Bytes, M->A, M->Ty != nullptr, M->Unit);
  if (M->Ty)
    R.Pattern = joinPatterns(R.Pattern, ownPattern(M->Ty, DL, M->Bytes));
  if (M->Other) {
    Layout From = layout(M->Other, M->Bytes, M->OtherAlign, false, M->Unit);
    R.Pattern = joinPatterns(R.Pattern, From.Pattern);
    if (!R.A && !R.B) {
      R.A = From.A;
      R.B = From.B;
    }
  }
  return R;
}

MemoryTypes::MemoryTypes(Function &F, const DataLayout &DL, ArrayRef<ArgumentHint> Hints)
    : P(std::make_unique<Impl>(F, DL, Hints)) {}
MemoryTypes::MemoryTypes(MemoryTypes &&) = default;
MemoryTypes::~MemoryTypes() = default;

AccessPattern MemoryTypes::pattern(const Instruction &I) const { return P->layout(I).Pattern; }

AccessPattern MemoryTypes::pattern(const Value *Ptr, std::optional<uint64_t> Bytes) const {
  if (Bytes && *Bytes == 0)
    Bytes = std::nullopt;
  return P->layout(Ptr, Bytes, Align(), false).Pattern;
}

std::pair<const Instruction *, const Instruction *> MemoryTypes::conflict(const Instruction &I) const {
  Layout L = P->layout(I);
  if (!L.Pattern.hasConflict())
    return {nullptr, nullptr};
  return {L.A, L.B};
}

void MemoryTypes::print(raw_ostream &OS) const {
  ModuleSlotTracker Slots(P->F.getParent());
  Slots.incorporateFunction(P->F);
  auto Text = [&](const Instruction &I) {
    std::string S;
    raw_string_ostream(S) << [&] {
      std::string T;
      raw_string_ostream O(T);
      I.print(O, Slots);
      return T;
    }();
    // Metadata numbers and the alignment are noise here.
    StringRef R = StringRef(S).trim();
    for (StringRef Cut : {", align ", ", !"})
      if (!isa<CallBase>(I))
        R = R.split(Cut).first;
    return R.split(", !").first.split(" #").first.str();
  };
  OS << "types of '" << P->F.getName() << "':\n";
  for (const Instruction &I : instructions(P->F)) {
    if (!accessOf(I, P->DL))
      continue;
    AccessPattern A = pattern(I);
    OS << "  " << Text(I) << "  : ";
    A.print(OS);
    OS << '\n';
    if (A.hasConflict()) {
      auto [X, Y] = conflict(I);
      for (const Instruction *W : {X, Y})
        if (W)
          OS << "    because of " << Text(*W) << '\n';
    }
  }
}

PreservedAnalyses PrintTypesPass::run(Function &F, FunctionAnalysisManager &) {
  MemoryTypes(F, F.getDataLayout()).print(OS);
  return PreservedAnalyses::all();
}

} // namespace tapefree
