// Markers and arguments of one call -> CallRequest. Every misuse has its own sentence, given once, at the
// call's line.
#include "Frontend/Operands.h"
#include "Frontend/ParseCall.h"
#include "Rules/UserRules.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace tapefree {

/// Whether two operands of one call are surely the same address: at -O0 a variable that is passed twice is
/// loaded twice.
static bool sameAddress(const Value *A, const Value *B) {
  if (A == B)
    return true;
  auto *I = dyn_cast<Instruction>(A), *J = dyn_cast<Instruction>(B);
  if (!I || !J || I->getOpcode() != J->getOpcode() || I->getParent() != J->getParent() ||
      I->getNumOperands() != J->getNumOperands() || !isa<LoadInst, GetElementPtrInst, CastInst>(I))
    return false;
  if (auto *G = dyn_cast<GetElementPtrInst>(I);
      G && G->getSourceElementType() != cast<GetElementPtrInst>(J)->getSourceElementType())
    return false;
  if (isa<LoadInst>(I)) {
    const Instruction *First = I->comesBefore(J) ? I : J, *Last = First == I ? J : I;
    for (const Instruction *K = First; K != Last; K = K->getNextNode())
      if (K->mayWriteToMemory())
        return false;
  }
  return all_of(zip(I->operands(), J->operands()),
                [](auto Pair) { return sameAddress(std::get<0>(Pair), std::get<1>(Pair)); });
}

namespace {
class Parser : OperandReader {
public:
  Parser(CallBase &Call, Mode Kind, Diag &D) : OperandReader(Call, D) {
    Out.Call = &Call;
    Out.Req.Kind = Kind;
    Out.ResultMemory = ResultMemory;
    Out.ResultType = ResultType;
    if (auto *F = dyn_cast<Function>(Call.getCalledOperand()->stripPointerCasts()))
      Out.Req.AsksSize = asksWorkspaceSize(F->getName());
  }
  std::optional<CallRequest> run();

private:
  bool checkFunction();
  bool parsePolicy(StringRef Marker);
  bool parseOptions();
  bool parseWorkspace();
  bool checkSizeResult();
  bool parseArgument(unsigned Param);
  bool parseTail();
  Value *parseStride(const Twine &Which);
  bool parseShadows(unsigned Param, Type *T, StringRef Marker);

  CallRequest Out;
  bool OwnPolicy = false; // the call names its alias policy
};
} // namespace

bool Parser::checkFunction() {
  if (!readFunction(Out.Req.Primal, "differentiate", "is to be differentiated"))
    return false;
  const Function &F = *Out.Req.Primal;
  std::optional<rules::UserRule> Rule = rules::userRule(F);
  if (F.isDeclaration() && !(Rule && (Out.Req.Kind == Mode::Forward ? Rule->Derivative : Rule->Gradient)))
    return fail(
        "the body of " + callee() +
        " is not visible here, so it cannot be differentiated: define it in this file, or build with -flto");
  if (F.isVarArg())
    return fail(callee() +
                " takes variable arguments, which cannot be differentiated: give it fixed parameters");
  for (const Argument &P : F.args())
    if (P.hasByValAttr())
      return fail(callee() +
                  " takes a struct by value, which arrives as hidden memory without a shadow: take it by "
                  "reference or pointer, or wrap the call in a function that does");
  if (F.hasStructRetAttr() || F.getReturnType()->isAggregateType() || F.getReturnType()->isVectorTy())
    return fail(callee() +
                " returns a struct, which has no single seed: return one floating value, or write the "
                "results through a pointer passed as dup, whose shadow holds the seeds");
  return true;
}

bool Parser::parsePolicy(StringRef Marker) {
  StringRef Policy = Marker;
  Out.Req.TrapOverlap = Policy.consume_front("strict_");
  Policy.consume_front("alias_");
  Out.Req.Strict |= Out.Req.TrapOverlap;
  std::optional<AliasPolicy> P = aliasPolicyNamed(Policy);
  if (!P)
    return fail("the marker '" + Marker +
                "' names no alias policy: there are alias_checked, alias_c and alias_disjoint");
  if (OwnPolicy)
    return fail(
        "this call asks for two alias policies: give one of alias_checked, alias_c, alias_disjoint and "
        "strict_checked");
  OwnPolicy = true;
  Out.Req.Alias = *P;
  return true;
}

bool Parser::parseOptions() {
  Out.Req.Alias = aliasPolicy();
  bool NoReturn = false;
  while (peek()) {
    StringRef M = markerName(peek());
    if (M == "primal_return")
      Out.Req.ReturnPrimal = true;
    else if (M == "noret" || M == "const_return")
      NoReturn = true;
    else if (M == "strict")
      Out.Req.Strict = true;
    else if (M == "strict_checked" || M.starts_with("alias_")) {
      if (!parsePolicy(M))
        return false;
    } else if (M != "width" && M != "workspace")
      break;
    ++At;
    if (M == "workspace" && !parseWorkspace())
      return false;
    if (M == "width" && !readWidth(Out.Req.Lanes.Width))
      return false;
  }
  Type *Ret = Out.Req.Primal->getReturnType();
  Out.Req.ReturnActive = Ret->isFloatingPointTy() && !NoReturn;
  if (Out.Req.ReturnPrimal && Ret->isVoidTy())
    return fail("primal_return asks for the value of " + callee() + ", which returns nothing");
  return true;
}

/// Pointer and length behind the marker.
bool Parser::parseWorkspace() {
  if (Out.Req.Kind == Mode::Forward)
    return fail("forward mode keeps nothing, so that a workspace has no meaning: leave it out");
  if (Out.Req.AsksSize)
    return fail("this call asks how large a workspace must be, and takes none: leave it out");
  if (Out.Req.InWorkspace)
    return fail("the workspace is given twice");
  Value *Base = atValue() ? Operands[At++] : nullptr, *Bytes = Base && atValue() ? Operands[At++] : nullptr;
  if (!Bytes || !Base->getType()->isPointerTy() || !Bytes->getType()->isIntegerTy())
    return fail("the marker workspace is followed by a pointer and its length in bytes");
  Out.Req.InWorkspace = true;
  Out.Workspace = Base;
  Out.WorkspaceBytes = IRBuilder<>(&Call).CreateZExtOrTrunc(Bytes, Type::getInt64Ty(Call.getContext()));
  return true;
}

bool Parser::checkSizeResult() {
  if (!Out.Req.AsksSize)
    return true;
  Out.Req.ReturnPrimal = Out.Req.Strict = false;
  if (ResultType->isIntegerTy(64) && !ResultMemory)
    return true;
  return fail("this call gives a number of bytes: its result must be a 64-bit integer, such as size_t");
}

/// What follows a dup argument: one shadow for each lane, or one for all.
bool Parser::parseShadows(unsigned Param, Type *T, StringRef Marker) {
  std::string Which = ("argument " + Twine(Param + 1)).str();
  bool OneForAll = Marker.ends_with("v") || Marker.ends_with("i");
  unsigned Wanted = OneForAll ? 1 : Out.Req.Lanes.Width;
  Value *V = Out.Primals.back();
  SmallVector<Value *, 1> &Shadows = Out.Shadows.back();
  for (unsigned K = 0; K < Wanted; ++K) {
    if (!atValue())
      return fail(Wanted == 1 ? "the shadow of " + Which +
                                    " is missing: a dup argument is followed by its shadow (or mark it const)"
                              : "the shadows of " + Which + " are " + std::to_string(K) +
                                    ", but the width is " + std::to_string(Wanted) +
                                    ": a dup argument is followed by one shadow for each lane (or mark "
                                    "it dupv or dupi, and give one shadow with all lanes)");
    Value *Shadow = convert(Operands[At++], T, "the shadow of " + Which);
    if (!Shadow)
      return false;
    if (T->isPointerTy() && sameAddress(Shadow, V) && !isa<ConstantPointerNull, UndefValue>(V))
      return fail("the shadow of " + Which +
                  " is the argument itself: the derivative would be added into the data");
    Shadows.push_back(Shadow);
  }
  return true;
}

bool Parser::parseArgument(unsigned Param) {
  Argument *P = Out.Req.Primal->getArg(Param);
  Type *T = P->getType();
  std::string Which = ("argument " + Twine(Param + 1)).str();
  bool Floating = T->isFPOrFPVectorTy();
  bool Reverse = Out.Req.Kind == Mode::Reverse;
  ArgActivity A = T->isPointerTy() ? ArgActivity::Dup
                  : Floating       ? (Reverse ? ArgActivity::Out : ArgActivity::Dup)
                                   : ArgActivity::Const;
  if (!peek())
    return tooFew(Param);
  StringRef M = markerName(peek());
  Value *Stride = nullptr;
  if (!M.empty()) {
    ++At;
    if (M == "dup" || M == "dupv" || M == "dupi")
      A = ArgActivity::Dup;
    else if (M == "dupnoneed" || M == "dupnoneedv" || M == "dupnoneedi")
      A = ArgActivity::DupNoNeed;
    else if (M == "const")
      A = ArgActivity::Const;
    else if (M == "out")
      A = Reverse ? ArgActivity::Out : ArgActivity::Dup;
    else
      return fail("the marker '" + M + "' before " + Which +
                  " is not one that this version knows (dup, dupnoneed, dupv, "
                  "dupnoneedv, dupi, dupnoneedi, out, const; primal_return, noret, strict, strict_checked, "
                  "alias_checked, alias_c, alias_disjoint, width and workspace stand before the first "
                  "argument)");
  }
  bool Strided = M == "dupv" || M == "dupnoneedv", Interleaved = M == "dupi" || M == "dupnoneedi";
  if ((Strided || Interleaved) && !T->isPointerTy())
    return fail(Which + " is marked " + M + ", but it is " + typeName(T) +
                ": only the shadows of a pointer can lie in one buffer");
  if (Strided && !(Stride = parseStride(Which)))
    return false;
  if (!peek())
    return fail(Which + " is missing after its marker");
  Value *V = convert(Operands[At++], T, Which);
  if (!V)
    return false;
  if (A == ArgActivity::Out && !Floating)
    return fail(Which + " is marked out, but it is " + typeName(T) +
                ": only a floating value can come back as a result; use "
                "dup and a shadow for a pointer, const for anything else");
  if (A == ArgActivity::Dup || A == ArgActivity::DupNoNeed) {
    if (Floating && Reverse)
      return fail(Which + " is marked dup, but it is " + typeName(T) +
                  " passed by value: use out, and its derivative comes back "
                  "in the result");
    if (!Floating && !T->isPointerTy())
      return fail(Which + " is marked dup, but it is " + typeName(T) +
                  ", which has no derivative: use const");
  }
  Out.Req.Args.push_back(A);
  Out.Primals.push_back(V);
  Out.Shadows.emplace_back();
  Out.Strides.push_back(Stride);
  bool HasShadow = A == ArgActivity::Dup || A == ArgActivity::DupNoNeed;
  bool Separate = Out.Req.Lanes.Width > 1 && HasShadow && T->isPointerTy() && !Interleaved;
  Out.Req.Lanes.Args.push_back(Separate ? LaneLayout::Separate : LaneLayout::Interleaved);
  return !HasShadow || parseShadows(Param, T, M);
}

Value *Parser::parseStride(const Twine &Which) {
  Value *Stride = peek();
  if (!Stride || !Stride->getType()->isIntegerTy()) {
    fail("the stride of " + Which +
         " is missing: dupv is followed by the distance of two lanes in bytes, the argument, and its "
         "shadow");
    return nullptr;
  }
  ++At;
  if (auto *C = dyn_cast<ConstantInt>(Stride); C && C->isZero() && Out.Req.Lanes.Width > 1) {
    fail("the stride of " + Which + " is 0: all lanes would be added up in one");
    return nullptr;
  }
  return IRBuilder<>(&Call).CreateSExtOrTrunc(Stride, Type::getInt64Ty(Call.getContext()));
}

bool Parser::parseTail() {
  size_t Left = Operands.size() - At;
  if (Out.Req.Kind == Mode::Reverse && Out.Req.ReturnActive && (Left == 1 || Left == Out.Req.Lanes.Width) &&
      peek()->getType()->isFloatingPointTy()) { // one seed for all lanes, or one for each
    while (peek()) {
      Value *Seed = convert(Operands[At++], Out.Req.Primal->getReturnType(), "the seed");
      if (!Seed)
        return false;
      Out.Seeds.push_back(Seed);
    }
    return true;
  }
  if (peek())
    return tooMany();
  return true;
}

std::optional<CallRequest> Parser::run() {
  if (!checkFunction() || !parseOptions() || !checkSizeResult())
    return std::nullopt;
  for (unsigned I = 0, N = Out.Req.Primal->arg_size(); I < N; ++I)
    if (!parseArgument(I))
      return std::nullopt;
  if (!parseTail())
    return std::nullopt;
  // Shadow pointers that lie in memory have lanes of their own wherever those of an argument have.
  if (is_contained(Out.Req.Lanes.Args, LaneLayout::Separate))
    Out.Req.Lanes.InMemory = LaneLayout::Separate;
  return std::move(Out);
}

std::optional<CallRequest> parseCall(CallBase &Call, Mode Kind, Diag &D) {
  return Parser(Call, Kind, D).run();
}

} // namespace tapefree
