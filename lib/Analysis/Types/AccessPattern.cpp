// What can be asked of a pattern of typed bytes, and how is it written?
#include "Analysis/Types/MemoryTypes.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Type.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tapefree {

/// A gap that has no room for an aligned number of this size is padding.
static constexpr uint64_t SmallestFloat = 2;

Type *floatType(ScalarKind K, LLVMContext &Ctx) {
  switch (K) {
  case ScalarKind::Half:
    return Type::getHalfTy(Ctx);
  case ScalarKind::BFloat:
    return Type::getBFloatTy(Ctx);
  case ScalarKind::Float:
    return Type::getFloatTy(Ctx);
  case ScalarKind::Double:
    return Type::getDoubleTy(Ctx);
  case ScalarKind::X86FP80:
    return Type::getX86_FP80Ty(Ctx);
  case ScalarKind::FP128:
    return Type::getFP128Ty(Ctx);
  case ScalarKind::PPCFP128:
    return Type::getPPC_FP128Ty(Ctx);
  case ScalarKind::Unknown:
  case ScalarKind::Integer:
  case ScalarKind::Pointer:
  case ScalarKind::Conflict:
    return nullptr;
  }
  return nullptr;
}

ScalarKind scalarKind(Type *T) {
  if (T->isHalfTy())
    return ScalarKind::Half;
  if (T->isBFloatTy())
    return ScalarKind::BFloat;
  if (T->isFloatTy())
    return ScalarKind::Float;
  if (T->isDoubleTy())
    return ScalarKind::Double;
  if (T->isX86_FP80Ty())
    return ScalarKind::X86FP80;
  if (T->isFP128Ty())
    return ScalarKind::FP128;
  if (T->isPPC_FP128Ty())
    return ScalarKind::PPCFP128;
  if (T->isIntegerTy())
    return ScalarKind::Integer;
  if (T->isPointerTy())
    return ScalarKind::Pointer;
  return ScalarKind::Unknown;
}

StringRef kindName(ScalarKind K) {
  switch (K) {
  case ScalarKind::Unknown:
    return "unknown";
  case ScalarKind::Integer:
    return "int";
  case ScalarKind::Pointer:
    return "pointer";
  case ScalarKind::Half:
    return "half";
  case ScalarKind::BFloat:
    return "bfloat";
  case ScalarKind::Float:
    return "float";
  case ScalarKind::Double:
    return "double";
  case ScalarKind::X86FP80:
    return "x86_fp80";
  case ScalarKind::FP128:
    return "fp128";
  case ScalarKind::PPCFP128:
    return "ppc_fp128";
  case ScalarKind::Conflict:
    return "conflict";
  }
  return "unknown";
}

bool AccessPattern::fullyKnown() const {
  if (Open || Period == 0)
    return false;
  uint64_t End = 0;
  for (const TypeField &F : Fields) {
    if (F.Offset != End || F.Kind == ScalarKind::Unknown || F.Kind == ScalarKind::Conflict)
      return false;
    End += F.Size;
  }
  return End == Period;
}

std::optional<std::pair<uint64_t, uint64_t>> AccessPattern::unknownBytes() const {
  if (Fields.empty())
    return std::pair<uint64_t, uint64_t>(0, Period && !Open ? Period : UINT64_MAX);
  for (const TypeField &F : withGaps().Fields)
    if (F.Kind == ScalarKind::Unknown &&
        alignTo(F.Offset, SmallestFloat) + SmallestFloat <= F.Offset + F.Size)
      return std::pair(F.Offset, F.Offset + F.Size);
  if (Open)
    return std::pair(Period, UINT64_MAX);
  return std::nullopt;
}

AccessPattern AccessPattern::withGaps() const {
  AccessPattern R = *this;
  R.Fields.clear();
  uint64_t End = 0;
  auto Fill = [&](uint64_t To) {
    if (To > End)
      R.Fields.push_back({End, To - End, ScalarKind::Unknown});
  };
  for (const TypeField &F : Fields) {
    Fill(F.Offset);
    R.Fields.push_back(F);
    End = F.Offset + F.Size;
  }
  Fill(Period);
  return R;
}

bool AccessPattern::has(ScalarKind K) const {
  return any_of(Fields, [&](const TypeField &F) { return F.Kind == K; });
}

bool AccessPattern::hasFloat() const {
  return any_of(Fields, [](const TypeField &F) { return isFloatKind(F.Kind); });
}

bool AccessPattern::hasConflict() const { return has(ScalarKind::Conflict); }

bool AccessPattern::allOf(ScalarKind K) const {
  return fullyKnown() && all_of(Fields, [&](const TypeField &F) { return F.Kind == K; });
}

bool AccessPattern::isHomogeneousFloat(ScalarKind &K) const {
  if (Fields.empty() || !isFloatKind(Fields.front().Kind) || !allOf(Fields.front().Kind))
    return false;
  K = Fields.front().Kind;
  return true;
}

void AccessPattern::print(raw_ostream &OS) const {
  if (Fields.empty()) {
    OS << "{unknown}";
    return;
  }
  OS << '{' << (Open ? "open " : "period ") << Period << ':';
  const char *Comma = " ";
  for (const TypeField &F : Fields) {
    OS << Comma << '[' << F.Offset << "] " << kindName(F.Kind);
    // The size of a float or a pointer follows from its kind; only the others' must be said.
    if (F.Kind == ScalarKind::Integer || F.Kind == ScalarKind::Conflict)
      OS << ' ' << F.Size;
    Comma = ", ";
  }
  OS << '}';
}

} // namespace tapefree
