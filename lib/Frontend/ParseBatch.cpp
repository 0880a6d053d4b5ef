// Markers and arguments of one batch call -> BatchRequest. Every misuse has its own sentence, given once, at
// the call's line.
//
//   R __tapefree_batch<R>(f, tapefree_width, N, tapefree_vector, x0, ..., xN-1, tapefree_scalar, y,
//   tapefree_buffer, bytes, p)
#include "Frontend/ParseBatch.h"
#include "Frontend/Operands.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace tapefree {

namespace {
class BatchParser {
public:
  BatchParser(CallBase &Call, Diag &D) : Call(Call), D(D) { Out.Call = &Call; }
  std::optional<BatchRequest> run();

private:
  bool fail(const Twine &Message) {
    D.error(Call, Message);
    return false;
  }
  bool findFunction();
  bool parseWidth();
  bool parseArgument(unsigned Param);
  bool checkResult();
  Value *peek() const { return At < Operands.size() ? Operands[At] : nullptr; }
  bool atValue() const { return peek() && markerName(peek()).empty(); }
  Value *convert(Value *V, Type *Want, const Twine &What);
  std::string callee() const { return "'" + userName(*Out.Callee) + "'"; }

  CallBase &Call;
  Diag &D;
  BatchRequest Out;
  SmallVector<Value *, 32> Operands;
  size_t At = 0;
};
} // namespace

bool BatchParser::findFunction() {
  Operands.assign(Call.arg_begin(), Call.arg_end());
  Out.ResultType = Call.getType();
  if (Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet)) {
    Out.ResultMemory = Operands[0];
    Out.ResultType = Call.getParamStructRetType(0);
    At = 1;
  }
  if (!peek())
    return fail("this call names no function to call for each lane");
  Value *V = Operands[At++]->stripPointerCasts();
  if (auto *Alias = dyn_cast<GlobalAlias>(V))
    V = Alias->getAliaseeObject();
  Out.Callee = dyn_cast<Function>(V);
  if (!Out.Callee)
    return fail("cannot see which function is to be called for each lane here: pass the function by its name "
                "(or a lambda "
                "without captures)");
  const Function &F = *Out.Callee;
  if (F.isVarArg())
    return fail(callee() +
                " takes variable arguments, which cannot be spread over lanes: give it fixed parameters");
  for (const Argument &P : F.args())
    if (P.hasByValAttr())
      return fail(
          callee() +
          " takes a struct by value, which arrives as hidden memory: take it by reference or pointer, or "
          "wrap the call in a function that does");
  Type *R = F.getReturnType();
  if (F.hasStructRetAttr() || R->isAggregateType())
    return fail(
        callee() +
        " returns a struct: return one value, or write the results through a pointer passed as buffer");
  return true;
}

bool BatchParser::parseWidth() {
  bool Said = false;
  while (peek() && markerName(peek()) == "width") {
    ++At;
    if (!atValue())
      return fail("the number of lanes is missing after its marker, width");
    auto *N = dyn_cast<ConstantInt>(Operands[At++]);
    if (!N)
      return fail("the number of lanes after the marker width must be a constant");
    if (N->isNegative() || N->isZero() || N->getValue().ugt(MostLanes))
      return fail("the number of lanes is " + Twine(N->getSExtValue()) + ", but must be between 1 and " +
                  Twine(MostLanes));
    Out.Width = N->getZExtValue();
    Said = true;
  }
  return Said ||
         fail(
             "how many lanes this call has must stand behind the function: tapefree_width, and their number");
}

Value *BatchParser::convert(Value *V, Type *Want, const Twine &What) {
  Type *Have = V->getType();
  if (Have == Want)
    return V;
  IRBuilder<> B(&Call);
  // C's default promotions and implicit arithmetic conversions of a prototype-less call.
  if (Have->isFloatingPointTy() && Want->isFloatingPointTy())
    return B.CreateFPCast(V, Want);
  if (Have->isIntegerTy() && Want->isIntegerTy())
    return B.CreateSExtOrTrunc(V, Want);
  fail(What + " is " + typeName(Have) + ", but " + callee() + " takes " + typeName(Want) + " there");
  return nullptr;
}

bool BatchParser::parseArgument(unsigned Param) {
  Type *T = Out.Callee->getArg(Param)->getType();
  std::string Which = ("argument " + Twine(Param + 1)).str();
  if (!peek())
    return fail("too few arguments: " + callee() + " takes " + Twine(Out.Callee->arg_size()) + ", and " +
                Twine(Param) + (Param == 1 ? " is" : " are") + " given");
  StringRef M = markerName(peek());
  LaneArgument A;
  if (M == "vector")
    A.Kind = LaneKind::Vector;
  else if (M == "scalar")
    A.Kind = LaneKind::Scalar;
  else if (M == "buffer")
    A.Kind = LaneKind::Buffer;
  else if (M.empty()) // no default: others read a bare argument as one value for each lane, which counts
                      // differently
    return fail(Which +
                " does not say how it differs between the lanes: put vector, scalar or buffer before it");
  else
    return fail("the marker '" + M + "' before " + Which +
                " has no meaning in a batch without derivatives (vector, scalar, "
                "buffer; width stands before the first argument)");
  ++At;
  if (A.Kind == LaneKind::Buffer) {
    if (!T->isPointerTy())
      return fail(Which + " is marked buffer, but " + callee() + " takes " + typeName(T) +
                  " there: a buffer is a pointer that moves from lane to lane; use vector or scalar");
    if (!atValue())
      return fail("the stride of " + Which +
                  " is missing: buffer is followed by the bytes from lane to lane, then the pointer");
    A.Stride = Operands[At++];
    if (!A.Stride->getType()->isIntegerTy())
      return fail("the stride of " + Which + " is " + typeName(A.Stride->getType()) +
                  ", but it must be an integer, the bytes from lane to lane; the pointer comes behind it");
  }
  unsigned Wanted = A.Kind == LaneKind::Vector ? Out.Width : 1;
  for (unsigned K = 0; K < Wanted; ++K) {
    if (!atValue()) {
      if (Wanted == 1)
        return fail(Which + " is missing after its marker");
      return fail("too few values for " + Which + ": it is marked vector, so each of the " +
                  Twine(Out.Width) + " lanes needs its own, and " + Twine(K) + (K == 1 ? " is" : " are") +
                  " given");
    }
    Value *V = convert(Operands[At++], T, Wanted == 1 ? Which : Which + ", lane " + std::to_string(K) + ",");
    if (!V)
      return false;
    A.Values.push_back(V);
  }
  Out.Args.push_back(std::move(A));
  return true;
}

/// Bytes from the first to behind the last scalar of a type: padding at its end does not count, because a
/// struct that travels in registers has lost it.
static uint64_t dataSize(Type *T, const DataLayout &DL) {
  if (auto *ST = dyn_cast<StructType>(T)) {
    if (!ST->getNumElements())
      return 0;
    unsigned Last = ST->getNumElements() - 1;
    return DL.getStructLayout(ST)->getElementOffset(Last) + dataSize(ST->getElementType(Last), DL);
  }
  if (auto *AT = dyn_cast<ArrayType>(T))
    return AT->getNumElements()
               ? (AT->getNumElements() - 1) * DL.getTypeAllocSize(AT->getElementType()).getFixedValue() +
                     dataSize(AT->getElementType(), DL)
               : 0;
  return DL.getTypeStoreSize(T).getFixedValue();
}

bool BatchParser::checkResult() {
  Type *R = Out.Callee->getReturnType(), *Want = Out.ResultType;
  if (Want->isVoidTy())
    return true; // the caller ignores the results
  if (R->isVoidTy())
    return fail("this call expects a result, but " + callee() + " returns nothing");
  const DataLayout &DL = Call.getDataLayout();
  uint64_t Have = dataSize(Want, DL), Size = dataSize(ArrayType::get(R, Out.Width), DL);
  // Some ABIs pass small structs as whole registers.
  bool Rounded = !Out.ResultMemory &&
                 (Want->isIntegerTy() || (Want->isArrayTy() && Want->getArrayElementType()->isIntegerTy()));
  if (Have == Size || (Rounded && Have == alignTo(Size, 8)))
    return true;
  return fail("the result of this call has " + Twine(Have) + " bytes, but " + callee() + " returns " +
              typeName(R) + " for each of " + Twine(Out.Width) + (Out.Width == 1 ? " lane, " : " lanes, ") +
              Twine(Size) + " bytes: the result is a struct that holds an array of them");
}

std::optional<BatchRequest> BatchParser::run() {
  if (!findFunction() || !parseWidth())
    return std::nullopt;
  for (unsigned I = 0, N = Out.Callee->arg_size(); I < N; ++I)
    if (!parseArgument(I))
      return std::nullopt;
  if (peek()) {
    fail("too many arguments: " + callee() + " takes " + Twine(Out.Callee->arg_size()) +
         (Out.Callee->arg_size() == 1 ? " parameter" : " parameters"));
    return std::nullopt;
  }
  if (!checkResult())
    return std::nullopt;
  return std::move(Out);
}

std::optional<BatchRequest> parseBatch(CallBase &Call, Diag &D) { return BatchParser(Call, D).run(); }

} // namespace tapefree
