// Markers and arguments of one call -> CallRequest. Every misuse has its own sentence, given once, at the call's line.
#include "Frontend/ParseCall.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace tapefree {

/// "dup" for a load of @tapefree_dup or @enzyme_dup, for the address of either, or for the metadata string; empty if `V`
/// is no marker.
static StringRef markerName(const Value *V) {
  if (auto *MV = dyn_cast<MetadataAsValue>(V)) {
    if (auto *Text = dyn_cast<MDString>(MV->getMetadata())) {
      StringRef S = Text->getString();
      return S.consume_front("tapefree_") || S.consume_front("enzyme_") ? S : StringRef();
    }
    return {};
  }
  for (;;) {
    if (auto *Load = dyn_cast<LoadInst>(V))
      V = Load->getPointerOperand();
    else if (auto *Cast = dyn_cast<CastInst>(V))
      V = Cast->getOperand(0);
    else if (auto *CE = dyn_cast<ConstantExpr>(V); CE && CE->isCast())
      V = CE->getOperand(0);
    else
      break;
  }
  auto *G = dyn_cast<GlobalVariable>(V);
  if (!G)
    return {};
  StringRef Name = G->getName();
  // A marker declared inside a C++ namespace is mangled; the plain name then stands inside.
  for (StringRef Prefix : {"tapefree_", "enzyme_"})
    if (size_t At = Name.find(Prefix); At != StringRef::npos && (At == 0 || Name.starts_with("_Z"))) {
      StringRef Rest = Name.drop_front(At + Prefix.size());
      return Name.starts_with("_ZN") ? Rest.rtrim('E') : Rest;
    }
  return {};
}

/// Whether two operands of one call are surely the same address: at -O0 a variable that is passed twice is loaded twice.
static bool sameAddress(const Value *A, const Value *B) {
  if (A == B)
    return true;
  auto *I = dyn_cast<Instruction>(A), *J = dyn_cast<Instruction>(B);
  if (!I || !J || I->getOpcode() != J->getOpcode() || I->getParent() != J->getParent() ||
      I->getNumOperands() != J->getNumOperands() || !isa<LoadInst, GetElementPtrInst, CastInst>(I))
    return false;
  if (auto *G = dyn_cast<GetElementPtrInst>(I); G && G->getSourceElementType() != cast<GetElementPtrInst>(J)->getSourceElementType())
    return false;
  if (isa<LoadInst>(I)) {
    const Instruction *First = I->comesBefore(J) ? I : J, *Last = First == I ? J : I;
    for (const Instruction *K = First; K != Last; K = K->getNextNode())
      if (K->mayWriteToMemory())
        return false;
  }
  return all_of(zip(I->operands(), J->operands()), [](auto Pair) { return sameAddress(std::get<0>(Pair), std::get<1>(Pair)); });
}

static std::string typeName(Type *T) {
  if (T->isPointerTy())
    return "a pointer";
  if (T->isDoubleTy())
    return "a double";
  if (T->isFloatTy())
    return "a float";
  if (T->isIntegerTy())
    return "an integer";
  std::string S;
  raw_string_ostream(S) << *T;
  return "a value of type " + S;
}

namespace {
class Parser {
public:
  Parser(CallBase &Call, Mode Kind, Diag &D) : Call(Call), D(D) {
    Out.Call = &Call;
    Out.Req.Kind = Kind;
  }
  std::optional<CallRequest> run();

private:
  bool fail(const Twine &Message) {
    D.error(Call, Message);
    return false;
  }
  bool findFunction();
  bool parseOptions();
  bool parseArgument(unsigned Param);
  bool parseTail();
  Value *peek() const { return At < Operands.size() ? Operands[At] : nullptr; }
  Value *convert(Value *V, Type *Want, const Twine &What);

  CallBase &Call;
  Diag &D;
  CallRequest Out;
  SmallVector<Value *, 16> Operands;
  size_t At = 0;
};
} // namespace

bool Parser::findFunction() {
  Operands.assign(Call.arg_begin(), Call.arg_end());
  Out.ResultType = Call.getType();
  if (Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet)) {
    Out.ResultMemory = Operands[0];
    Out.ResultType = Call.getParamStructRetType(0);
    At = 1;
  }
  if (At >= Operands.size())
    return fail("this call names no function to differentiate");
  Value *V = Operands[At++]->stripPointerCasts();
  if (auto *Alias = dyn_cast<GlobalAlias>(V))
    V = Alias->getAliaseeObject();
  Out.Req.Primal = dyn_cast<Function>(V);
  if (!Out.Req.Primal)
    return fail("cannot see which function is to be differentiated here: pass the function by its name (or a lambda "
                "without captures)");
  const Function &F = *Out.Req.Primal;
  if (F.isDeclaration())
    return fail("the body of '" + userName(F) + "' is not visible here, so it cannot be differentiated: define it in this "
                "file, or build with -flto");
  if (F.isVarArg())
    return fail("'" + userName(F) + "' takes variable arguments, which cannot be differentiated: give it fixed parameters");
  for (const Argument &P : F.args())
    if (P.hasByValAttr())
      return fail("'" + userName(F) + "' takes a struct by value, which arrives as hidden memory without a shadow: take it by "
                  "reference or pointer, or wrap the call in a function that does");
  if (F.hasStructRetAttr() || F.getReturnType()->isAggregateType() || F.getReturnType()->isVectorTy())
    return fail("'" + userName(F) +
                "' returns a struct, which has no single seed: return one floating value, or write the results through a "
                "pointer passed as dup, whose shadow holds the seeds");
  return true;
}

bool Parser::parseOptions() {
  bool NoReturn = false;
  for (; peek(); ++At) {
    StringRef M = markerName(peek());
    if (M == "primal_return")
      Out.Req.ReturnPrimal = true;
    else if (M == "noret" || M == "const_return")
      NoReturn = true;
    else if (M == "strict")
      Out.Req.Strict = true;
    else
      break;
  }
  Type *Ret = Out.Req.Primal->getReturnType();
  Out.Req.ReturnActive = Ret->isFloatingPointTy() && !NoReturn;
  if (Out.Req.ReturnPrimal && Ret->isVoidTy())
    return fail("primal_return asks for the value of '" + userName(*Out.Req.Primal) + "', which returns nothing");
  return true;
}

Value *Parser::convert(Value *V, Type *Want, const Twine &What) {
  Type *Have = V->getType();
  if (Have == Want)
    return V;
  IRBuilder<> B(&Call);
  // C's default promotions and implicit arithmetic conversions of a prototype-less call.
  if (Have->isFloatingPointTy() && Want->isFloatingPointTy())
    return B.CreateFPCast(V, Want);
  if (Have->isIntegerTy() && Want->isIntegerTy())
    return B.CreateSExtOrTrunc(V, Want);
  fail(What + " is " + typeName(Have) + ", but '" + userName(*Out.Req.Primal) + "' takes " + typeName(Want) + " there");
  return nullptr;
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
    return fail("too few arguments: '" + userName(*Out.Req.Primal) + "' takes " +
                Twine(Out.Req.Primal->arg_size()) + ", and " + Twine(Param) + (Param == 1 ? " is" : " are") + " given");
  if (StringRef M = markerName(peek()); !M.empty()) {
    ++At;
    if (M == "dup")
      A = ArgActivity::Dup;
    else if (M == "dupnoneed")
      A = ArgActivity::DupNoNeed;
    else if (M == "const")
      A = ArgActivity::Const;
    else if (M == "out")
      A = Reverse ? ArgActivity::Out : ArgActivity::Dup;
    else
      return fail("the marker '" + M + "' before " + Which + " is not one that this version knows (dup, dupnoneed, out, const; "
                  "primal_return, noret and strict stand before the first argument)");
  }
  if (!peek())
    return fail(Which + " is missing after its marker");
  Value *V = convert(Operands[At++], T, Which);
  if (!V)
    return false;
  Value *Shadow = nullptr;
  if (A == ArgActivity::Out && !Floating)
    return fail(Which + " is marked out, but it is " + typeName(T) + ": only a floating value can come back as a result; use "
                "dup and a shadow for a pointer, const for anything else");
  if (A == ArgActivity::Dup || A == ArgActivity::DupNoNeed) {
    if (Floating && Reverse)
      return fail(Which + " is marked dup, but it is " + typeName(T) + " passed by value: use out, and its derivative comes back "
                  "in the result");
    if (!Floating && !T->isPointerTy())
      return fail(Which + " is marked dup, but it is " + typeName(T) + ", which has no derivative: use const");
    if (!peek() || !markerName(peek()).empty())
      return fail("the shadow of " + Which + " is missing: a dup argument is followed by its shadow (or mark it const)");
    Shadow = convert(Operands[At++], T, "the shadow of " + Which);
    if (!Shadow)
      return false;
    if (T->isPointerTy() && sameAddress(Shadow, V) && !isa<ConstantPointerNull, UndefValue>(V))
      return fail("the shadow of " + Which + " is the argument itself: the derivative would be added into the data");
  }
  Out.Req.Args.push_back(A);
  Out.Primals.push_back(V);
  Out.Shadows.push_back(Shadow);
  return true;
}

bool Parser::parseTail() {
  if (peek() && Out.Req.Kind == Mode::Reverse && Out.Req.ReturnActive && At + 1 == Operands.size() &&
      peek()->getType()->isFloatingPointTy()) {
    Out.Seed = convert(Operands[At++], Out.Req.Primal->getReturnType(), "the seed");
    return Out.Seed != nullptr;
  }
  if (peek())
    return fail("too many arguments: '" + userName(*Out.Req.Primal) + "' takes " + Twine(Out.Req.Primal->arg_size()) +
                (Out.Req.Primal->arg_size() == 1 ? " parameter" : " parameters"));
  return true;
}

std::optional<CallRequest> Parser::run() {
  if (!findFunction() || !parseOptions())
    return std::nullopt;
  for (unsigned I = 0, N = Out.Req.Primal->arg_size(); I < N; ++I)
    if (!parseArgument(I))
      return std::nullopt;
  if (!parseTail())
    return std::nullopt;
  return std::move(Out);
}

std::optional<CallRequest> parseCall(CallBase &Call, Mode Kind, Diag &D) { return Parser(Call, Kind, D).run(); }

} // namespace tapefree
