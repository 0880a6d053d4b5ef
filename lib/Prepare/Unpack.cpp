// Small structs travel in integers: std::optional<float> is returned as 64 bits, of which 32 are the number.
// Once callees are inlined, packing and unpacking meet; what is unpacked is then the number that was packed,
// also through phis and selects. It must be done before instcombine, which joins the integers of several ways
// into one and hides the number in it.
#include "Prepare/Prepare.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace tapefree {

namespace {
/// Finds bits that were put into wider integers.
class Slices {
public:
  explicit Slices(Function &F) : F(F) {}
  /// `Width` bits from bit `Low` on of an integer, as they were before they were packed; null if that is not
  /// clear, or if they are no number's.
  Value *numberIn(Value *V, unsigned Low, unsigned Width);

private:
  bool known(Value *V, unsigned Low, unsigned Width);
  Value *make(Value *V, unsigned Low, unsigned Width);

  Function &F;
  bool OfNumber = false;
  DenseSet<std::pair<PHINode *, unsigned>> Seen; // from which bit on
  DenseMap<std::pair<PHINode *, unsigned>, PHINode *> Made;
};
} // namespace

static unsigned bits(const Value *V) { return V->getType()->getIntegerBitWidth(); }

/// The operand that holds the bits from `Low` on, and from where on there; null where they are zero. Nothing
/// if `V` is no packing.
static std::optional<std::pair<Value *, unsigned>> step(Value *V, unsigned Low, unsigned Width) {
  Value *Op;
  const APInt *C;
  using At = std::pair<Value *, unsigned>;
  const At Zero = {nullptr, 0};
  if (match(V, m_ZExt(m_Value(Op)))) {
    if (Low >= bits(Op))
      return Zero;
    return Low + Width <= bits(Op) ? std::optional(At{Op, Low}) : std::nullopt;
  }
  if (match(V, m_Trunc(m_Value(Op))))
    return At{Op, Low};
  if (match(V, m_Shl(m_Value(Op), m_APInt(C))) && C->ult(bits(V))) {
    unsigned By = unsigned(C->getZExtValue());
    if (Low + Width <= By)
      return Zero;
    return Low >= By ? std::optional(At{Op, Low - By}) : std::nullopt;
  }
  if (match(V, m_LShr(m_Value(Op), m_APInt(C))) && C->ult(bits(V))) {
    unsigned By = unsigned(C->getZExtValue());
    if (Low + By >= bits(V))
      return Zero;
    return Low + By + Width <= bits(V) ? std::optional(At{Op, Low + By}) : std::nullopt;
  }
  if (match(V, m_And(m_Value(Op), m_APInt(C)))) {
    APInt Part = C->extractBits(Width, Low);
    if (Part.isZero())
      return Zero;
    if (Part.isAllOnes())
      return At{Op, Low};
  }
  return std::nullopt;
}

bool Slices::known(Value *V, unsigned Low, unsigned Width) {
  if (isa<ConstantInt, UndefValue>(V))
    return true;
  if (auto Next = step(V, Low, Width))
    return !Next->first || known(Next->first, Next->second, Width);
  Value *A, *B;
  if (match(V, m_Or(m_Value(A), m_Value(B))))
    return known(A, Low, Width) && known(B, Low, Width);
  if (auto *Choice = dyn_cast<SelectInst>(V); Choice && Choice->getCondition()->getType()->isIntegerTy(1))
    return known(Choice->getTrueValue(), Low, Width) && known(Choice->getFalseValue(), Low, Width);
  if (auto *Phi = dyn_cast<PHINode>(V))
    return !Seen.insert({Phi, Low}).second ||
           all_of(Phi->incoming_values(), [&](Value *In) { return known(In, Low, Width); });
  OfNumber |= isa<BitCastInst>(V) && cast<User>(V)->getOperand(0)->getType()->isFloatingPointTy();
  return Low == 0 && bits(V) == Width;
}

Value *Slices::make(Value *V, unsigned Low, unsigned Width) {
  Type *T = IntegerType::get(F.getContext(), Width);
  if (auto *C = dyn_cast<ConstantInt>(V))
    return ConstantInt::get(T, C->getValue().extractBits(Width, Low));
  if (isa<UndefValue>(V))
    return isa<PoisonValue>(V) ? PoisonValue::get(T) : UndefValue::get(T);
  if (auto Next = step(V, Low, Width))
    return Next->first ? make(Next->first, Next->second, Width) : ConstantInt::get(T, 0);
  Value *A, *B;
  if (match(V, m_Or(m_Value(A), m_Value(B)))) {
    A = make(A, Low, Width);
    B = make(B, Low, Width);
    return match(A, m_Zero()) ? B : match(B, m_Zero()) ? A : IRBuilder<>(cast<Instruction>(V)).CreateOr(A, B);
  }
  if (auto *Choice = dyn_cast<SelectInst>(V)) {
    A = make(Choice->getTrueValue(), Low, Width);
    B = make(Choice->getFalseValue(), Low, Width);
    return IRBuilder<>(Choice).CreateSelect(Choice->getCondition(), A, B);
  }
  auto *Phi = dyn_cast<PHINode>(V);
  if (!Phi)
    return V;
  PHINode *&Slot = Made[{Phi, Low}];
  if (Slot)
    return Slot;
  PHINode *New = Slot = PHINode::Create(T, Phi->getNumIncomingValues(), "", Phi->getIterator());
  New->setDebugLoc(Phi->getDebugLoc());
  for (auto [In, From] : zip(Phi->incoming_values(), Phi->blocks()))
    New->addIncoming(make(In, Low, Width), From);
  return New;
}

Value *Slices::numberIn(Value *V, unsigned Low, unsigned Width) {
  return known(V, Low, Width) && OfNumber ? make(V, Low, Width) : nullptr;
}

void unpackNumbers(Function &F) {
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Cast = dyn_cast<BitCastInst>(&I);
    if (!Cast || !Cast->getType()->isFloatingPointTy() || !Cast->getSrcTy()->isIntegerTy())
      continue;
    Value *Packed = Cast->getOperand(0);
    if (match(Packed, m_BitCast(m_Value())))
      continue;
    if (Value *Number = Slices(F).numberIn(Packed, 0, bits(Packed)); Number && Number != Packed)
      Cast->setOperand(0, Number);
  }
}

} // namespace tapefree
