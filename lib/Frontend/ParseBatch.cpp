// Markers and arguments of one batch call -> BatchRequest. Every misuse has its own sentence, given once, at
// the call's line.
//
//   R __tapefree_batch<R>(f, tapefree_width, N, tapefree_vector, x0, ..., xN-1, tapefree_scalar, y,
//   tapefree_buffer, bytes, p)
#include "Frontend/ParseBatch.h"
#include "Frontend/Operands.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstrTypes.h"

using namespace llvm;

namespace tapefree {

namespace {
class BatchParser : OperandReader {
public:
  BatchParser(CallBase &Call, Diag &D) : OperandReader(Call, D) {
    Out.Call = &Call;
    Out.ResultMemory = ResultMemory;
    Out.ResultType = ResultType;
  }
  std::optional<BatchRequest> run();

private:
  bool checkFunction();
  bool parseWidth();
  bool parseArgument(unsigned Param);
  bool checkResult();

  BatchRequest Out;
};
} // namespace

bool BatchParser::checkFunction() {
  if (!readFunction(Out.Callee, "call for each lane", "is to be called for each lane"))
    return false;
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
    if (!readWidth(Out.Width))
      return false;
    Said = true;
  }
  return Said ||
         fail(
             "how many lanes this call has must stand behind the function: tapefree_width, and their number");
}

bool BatchParser::parseArgument(unsigned Param) {
  Type *T = Out.Callee->getArg(Param)->getType();
  std::string Which = ("argument " + Twine(Param + 1)).str();
  if (!peek())
    return tooFew(Param);
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
  if (!checkFunction() || !parseWidth())
    return std::nullopt;
  for (unsigned I = 0, N = Out.Callee->arg_size(); I < N; ++I)
    if (!parseArgument(I))
      return std::nullopt;
  if (peek()) {
    tooMany();
    return std::nullopt;
  }
  if (!checkResult())
    return std::nullopt;
  return std::move(Out);
}

std::optional<BatchRequest> parseBatch(CallBase &Call, Diag &D) { return BatchParser(Call, D).run(); }

} // namespace tapefree
