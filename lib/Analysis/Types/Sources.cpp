// What do declarations, metadata and library signatures say about memory, before anything accesses it?
#include "Analysis/Types/Sources.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

static constexpr size_t MaxScalars = 512;

static void flatten(Type *T, const DataLayout &DL, bool Integers, uint64_t Off, const Strides &S,
                    unsigned Depth, SmallVectorImpl<DeclaredScalar> &Out) {
  if (Depth > 16 || Out.size() > MaxScalars)
    return;
  if (auto *ST = dyn_cast<StructType>(T)) {
    // clang declares a union as its most aligned member: that is one reading of several.
    if (ST->isOpaque() || (ST->hasName() && ST->getName().starts_with("union.")))
      return;
    bool Named = ST->hasName();
    const StructLayout *SL = DL.getStructLayout(ST);
    uint64_t End = 0;
    // Padding of a user's type holds no number, as good as an integer that nobody looks at.
    auto Pad = [&](uint64_t To) {
      if (To > End && (Named || Integers))
        Out.push_back({Off + End, To - End, ScalarKind::Integer, S});
    };
    for (unsigned I = 0; I != ST->getNumElements(); ++I) {
      uint64_t At = SL->getElementOffset(I).getFixedValue();
      Pad(At);
      flatten(ST->getElementType(I), DL, Named || Integers, Off + At, S, Depth + 1, Out);
      End = At + DL.getTypeAllocSize(ST->getElementType(I)).getFixedValue();
    }
    Pad(SL->getSizeInBytes().getFixedValue());
    return;
  }
  Type *Elt = nullptr;
  uint64_t N = 0;
  if (auto *AT = dyn_cast<ArrayType>(T)) {
    Elt = AT->getElementType();
    N = AT->getNumElements();
    // [n x i8] is how tail padding and raw buffers are declared.
    if (Elt->isIntegerTy(8))
      return;
  } else if (auto *VT = dyn_cast<FixedVectorType>(T)) {
    Elt = VT->getElementType();
    N = VT->getNumElements();
  }
  if (Elt) {
    TypeSize Size = DL.getTypeAllocSize(Elt);
    if (Size.isScalable() || Size.isZero())
      return;
    Strides Inner = S;
    // A trailing array of none or one element is C's way to say "and more of them".
    addStride(Inner, {Size.getFixedValue(), N <= 1 ? (N == 1 ? 1u : 0u) : N});
    return flatten(Elt, DL, Integers, Off, Inner, Depth + 1, Out);
  }
  ScalarKind K = scalarKind(T);
  if (K == ScalarKind::Unknown || (K == ScalarKind::Integer && !Integers))
    return;
  Out.push_back({Off, DL.getTypeAllocSize(T).getFixedValue(), K, S});
}

void flattenType(Type *T, const DataLayout &DL, bool TrustIntegers, SmallVectorImpl<DeclaredScalar> &Out) {
  if (T->isSized())
    flatten(T, DL, TrustIntegers, 0, {}, 0, Out);
}

static TbaaScalar longDouble(const Module &M) {
  const Triple &T = M.getTargetTriple();
  if (T.isX86())
    return {ScalarKind::X86FP80, T.isArch64Bit() || T.isOSDarwin() ? 16u : 12u};
  if (T.isPPC())
    return {ScalarKind::PPCFP128, 16};
  if (T.isAArch64() || T.isRISCV())
    return {ScalarKind::FP128, 16};
  return {};
}

/// A scalar type node is (name, parent, offset 0).
static TbaaScalar scalarNode(const MDNode *N, const Module &M) {
  auto *Name = N && N->getNumOperands() >= 2 ? dyn_cast<MDString>(N->getOperand(0)) : nullptr;
  if (!Name || N->getNumOperands() > 3)
    return {};
  StringRef S = Name->getString();
  unsigned Ptr = M.getDataLayout().getPointerSize();
  if (S == "long double")
    return longDouble(M);
  // "long" has no size of its own in the metadata; the access has one.
  TbaaScalar R = StringSwitch<TbaaScalar>(S)
                     .Case("double", {ScalarKind::Double, 8})
                     .Case("float", {ScalarKind::Float, 4})
                     .Cases({"_Float16", "__fp16", "half"}, {ScalarKind::Half, 2})
                     .Case("__bf16", {ScalarKind::BFloat, 2})
                     .Cases({"__float128", "_Float128"}, {ScalarKind::FP128, 16})
                     .Case("bool", {ScalarKind::Integer, 1})
                     .Case("short", {ScalarKind::Integer, 2})
                     .Case("int", {ScalarKind::Integer, 4})
                     .Case("long long", {ScalarKind::Integer, 8})
                     .Case("__int128", {ScalarKind::Integer, 16})
                     .Case("long", {ScalarKind::Integer, Ptr})
                     .Cases({"any pointer", "vtable pointer", "any data pointer"}, {ScalarKind::Pointer, Ptr})
                     .Default({});
  if (R.Kind != ScalarKind::Unknown)
    return R;
  // "p1 double", "p2 _ZTS1A": pointers by depth.
  if (S.size() > 3 && S[0] == 'p' && isDigit(S[1]) && S.contains(' '))
    return {ScalarKind::Pointer, Ptr};
  // An enumeration is a scalar below char with a mangled name.
  auto *Parent = dyn_cast<MDNode>(N->getOperand(1));
  auto *ParentName = Parent && Parent->getNumOperands() ? dyn_cast<MDString>(Parent->getOperand(0)) : nullptr;
  if (S.starts_with("_ZTS") && ParentName && ParentName->getString() == "omnipotent char")
    return {ScalarKind::Integer, 0};
  return {};
}

TbaaScalar tbaaScalar(const MDNode *Tag, const Module &M) {
  if (!Tag || Tag->getNumOperands() < 3)
    return {};
  return scalarNode(dyn_cast<MDNode>(Tag->getOperand(1)), M);
}

static uint64_t constantOf(const MDOperand &Op) {
  auto *C = mdconst::dyn_extract_or_null<ConstantInt>(Op);
  return C ? C->getZExtValue() : 0;
}

static void structFields(const MDNode *N, int64_t Base, const Module &M, unsigned Depth,
                         SmallVectorImpl<std::pair<int64_t, TbaaScalar>> &Out) {
  if (!N || Depth > 16 || Out.size() > MaxScalars)
    return;
  TbaaScalar S = scalarNode(N, M);
  if (S.Kind != ScalarKind::Unknown && S.Size) {
    Out.push_back({Base, S});
    return;
  }
  // A struct type node is (name, member type, offset, member type, offset, ...).
  for (unsigned I = 1; I + 1 < N->getNumOperands(); I += 2)
    structFields(dyn_cast<MDNode>(N->getOperand(I)),
                 Base + static_cast<int64_t>(constantOf(N->getOperand(I + 1))), M, Depth + 1, Out);
}

void tbaaBaseFields(const MDNode *Tag, const Module &M,
                    SmallVectorImpl<std::pair<int64_t, TbaaScalar>> &Out) {
  if (!Tag || Tag->getNumOperands() < 3 || Tag->getOperand(0) == Tag->getOperand(1))
    return;
  structFields(dyn_cast<MDNode>(Tag->getOperand(0)), -static_cast<int64_t>(constantOf(Tag->getOperand(2))), M,
               0, Out);
}

namespace {
struct LibraryRow {
  StringLiteral Name;
  PointerUse Uses[2];
  unsigned NumUses;
};
} // namespace

// Sorted by name. Sizes are of the usual 64-bit ABIs.
static constexpr PointerUse D(unsigned A) { return {A, ScalarKind::Double, 8}; }
static constexpr PointerUse F(unsigned A) { return {A, ScalarKind::Float, 4}; }
static constexpr PointerUse I(unsigned A) { return {A, ScalarKind::Integer, 4}; }
static constexpr LibraryRow Library[] = {
    {"frexp", {I(1), I(1)}, 1},    {"frexpf", {I(1), I(1)}, 1},    {"frexpl", {I(1), I(1)}, 1},
    {"lgamma_r", {I(1), I(1)}, 1}, {"lgammaf_r", {I(1), I(1)}, 1}, {"modf", {D(1), D(1)}, 1},
    {"modff", {F(1), F(1)}, 1},    {"remquo", {I(2), I(2)}, 1},    {"remquof", {I(2), I(2)}, 1},
    {"remquol", {I(2), I(2)}, 1},  {"sincos", {D(1), D(2)}, 2},    {"sincosf", {F(1), F(2)}, 2},
    {"sincospi", {D(1), D(2)}, 2}, {"sincospif", {F(1), F(2)}, 2},
};

ArrayRef<PointerUse> libraryPointerUses(StringRef Name) {
  const LibraryRow *Row =
      lower_bound(Library, Name, [](const LibraryRow &R, StringRef N) { return R.Name < N; });
  if (Row == std::end(Library) || Row->Name != Name)
    return {};
  return ArrayRef(Row->Uses, Row->NumUses);
}

std::optional<LibraryCopy> libraryCopy(StringRef Name) {
  if (Name == "memcpy" || Name == "memmove" || Name == "mempcpy" || Name == "__memcpy_chk" ||
      Name == "__memmove_chk")
    return LibraryCopy{0, 1, 2};
  if (Name == "bcopy")
    return LibraryCopy{1, 0, 2};
  return std::nullopt;
}

std::optional<unsigned> libraryReturnedArgument(StringRef Name) {
  // mempcpy returns the end: another offset in the same memory, so it is left out.
  if (Name == "realloc" || Name == "reallocarray" || Name == "memcpy" || Name == "memmove" ||
      Name == "memset" || Name == "strcpy" || Name == "strcat" || Name == "__memcpy_chk" ||
      Name == "__memmove_chk")
    return 0;
  return std::nullopt;
}

} // namespace tapefree
