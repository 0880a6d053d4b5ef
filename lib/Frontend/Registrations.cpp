#include "Frontend/Registrations.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "Rules/UserRules.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace tapefree {

// Attribute of functions that were made noinline: what they were before.
static constexpr StringLiteral KeptMark = "tapefree.kept";

namespace {
enum class Kind : uint8_t {
  Gradient,
  Derivative,
  CxxGradient,
  CxxDerivative,
  Split,
  InactiveFunction,
  InactiveGlobal,
  FunctionLike,
  AllocationLike
};
struct Spelling {
  StringLiteral Verb;
  Kind K;
};
} // namespace

static constexpr Spelling Spellings[] = {
    {"register_gradient", Kind::Gradient},     {"register_derivative", Kind::Derivative},
    {"cxx_gradient", Kind::CxxGradient},       {"cxx_derivative", Kind::CxxDerivative},
    {"register_splitderivative", Kind::Split}, {"inactivefn", Kind::InactiveFunction},
    {"inactive_global", Kind::InactiveGlobal}, {"function_like", Kind::FunctionLike},
    {"allocation_like", Kind::AllocationLike},
};

static std::optional<Kind> kindOf(StringRef Name) {
  for (StringRef Prefix : {"__tapefree_", "__enzyme_"})
    if (size_t At = Name.find(Prefix); At != StringRef::npos)
      for (const Spelling &S : Spellings)
        if (Name.drop_front(At + Prefix.size()).starts_with(S.Verb))
          return S.K;
  return std::nullopt;
}

bool isRegistration(StringRef Name) { return kindOf(Name).has_value(); }

namespace {
class Reader {
public:
  Reader(Module &M, Diag &D) : M(M), D(D), DL(M.getDataLayout()) {}
  bool run();

private:
  void read(GlobalVariable &G, Kind K);
  void readAnnotations();
  void error(const GlobalVariable &G, const Twine &Message, const Function *Near = nullptr);
  std::optional<SmallVector<Constant *, 5>> entries(const GlobalVariable &G);
  Function *function(const GlobalVariable &G, ArrayRef<Constant *> Entries, unsigned Index);
  std::optional<uint64_t> number(Constant *C) const;
  bool takesRule(const GlobalVariable &G, const Function &F);
  bool claim(const GlobalVariable &G, const Function &F, StringRef What, ArrayRef<Constant *> Entries);
  std::string signature(Type *Result, ArrayRef<Type *> Params) const;
  bool checkParameters(const GlobalVariable &G, const Function &F, const Function &Given, StringRef Role,
                       ArrayRef<Type *> Expected, Type *Result, bool ResultFits, StringRef Note = "");
  void gradient(const GlobalVariable &G, ArrayRef<Constant *> Entries);
  void derivative(const GlobalVariable &G, ArrayRef<Constant *> Entries);
  void cxxRule(const GlobalVariable &G, ArrayRef<Constant *> Entries, bool Reverse);
  void functionLike(const GlobalVariable &G, ArrayRef<Constant *> Entries);
  void allocationLike(const GlobalVariable &G, ArrayRef<Constant *> Entries);
  StructType *outs(const Function &F) const;

  Module &M;
  Diag &D;
  const DataLayout &DL;
  struct Claim {
    const Function *F;
    std::string What;
    SmallVector<Constant *, 5> Entries;
  };
  SmallVector<Claim, 8> Claims;
};
} // namespace

/// At the variable's own line where debug information has it, else at that of a function that it names.
void Reader::error(const GlobalVariable &G, const Twine &Message, const Function *Near) {
  D.count();
  std::string Where;
  SmallVector<DIGlobalVariableExpression *, 1> Lines;
  G.getDebugInfo(Lines);
  if (!Lines.empty()) {
    const DIGlobalVariable *V = Lines[0]->getVariable();
    Where = (V->getFilename() + ":" + Twine(V->getLine()) + ": ").str();
  } else if (Near && Near->getSubprogram()) {
    Where =
        (Near->getSubprogram()->getFilename() + ":" + Twine(Near->getSubprogram()->getLine()) + ": ").str();
  }
  M.getContext().emitError(Where + "tapefree: '" + demangle(G.getName()) + "': " + Message);
}

/// The elements of a constant array, or the one constant that a plain variable holds.
std::optional<SmallVector<Constant *, 5>> Reader::entries(const GlobalVariable &G) {
  SmallVector<Constant *, 5> All;
  if (!G.hasDefinitiveInitializer() && !G.hasInitializer()) {
    error(G, "this registration is only declared here: define it as an array of constants, {(void *)f, ...}");
    return std::nullopt;
  }
  Constant *Init = const_cast<Constant *>(G.getInitializer());
  if (isa<ArrayType, StructType>(Init->getType())) {
    unsigned N = Init->getType()->isArrayTy() ? unsigned(Init->getType()->getArrayNumElements())
                                              : Init->getType()->getStructNumElements();
    for (unsigned K = 0; K < N; ++K)
      All.push_back(Init->getAggregateElement(K));
  } else {
    All.push_back(Init);
  }
  for (Constant *&C : All) {
    C = cast<Constant>(C->stripPointerCasts());
    if (auto *A = dyn_cast<GlobalAlias>(C))
      C = A->getAliasee()->stripPointerCasts();
  }
  if (Init->isNullValue()) {
    error(G, "the entries are null when the program is compiled: a registration is an array of constants, "
             "{(void *)f, ...}, not filled in at run time");
    return std::nullopt;
  }
  return All;
}

Function *Reader::function(const GlobalVariable &G, ArrayRef<Constant *> Entries, unsigned Index) {
  if (Index >= Entries.size()) {
    error(G, "there is no entry " + Twine(Index + 1) + ", which names a function");
    return nullptr;
  }
  if (auto *F = dyn_cast<Function>(Entries[Index]))
    return F;
  error(G, "entry " + Twine(Index + 1) +
               (Entries[Index]->isNullValue() ? " is null: name a function there"
                                              : " is no function: name one there, (void *)f"));
  return nullptr;
}

std::optional<uint64_t> Reader::number(Constant *C) const {
  if (C->isNullValue())
    return 0;
  if (auto *I = dyn_cast<ConstantInt>(C))
    return I->getZExtValue();
  auto *E = dyn_cast<ConstantExpr>(C);
  if (E && E->getOpcode() == Instruction::IntToPtr)
    if (auto *I = dyn_cast<ConstantInt>(E->getOperand(0)))
      return I->getZExtValue();
  return std::nullopt;
}

static std::optional<StringRef> text(const Constant *C) {
  auto *G = dyn_cast<GlobalVariable>(C);
  const Constant *Init = G && G->hasInitializer() ? G->getInitializer() : nullptr;
  while (isa_and_nonnull<ConstantStruct>(Init)) // a string in a template argument
    Init = Init->getAggregateElement(0u);
  auto *Data = dyn_cast_or_null<ConstantDataArray>(Init);
  if (!Data || !Data->isCString())
    return std::nullopt;
  return Data->getAsCString();
}

/// One function, one rule of each kind; the same again (of a header) is no second one.
bool Reader::claim(const GlobalVariable &G, const Function &F, StringRef What, ArrayRef<Constant *> Entries) {
  for (const Claim &Known : Claims)
    if (Known.F == &F && Known.What == What) {
      if (Entries != ArrayRef(Known.Entries))
        error(G, "'" + userName(F) + "' has a registered " + What + " already: leave one of the two", &F);
      return false;
    }
  Claims.push_back({&F, What.str(), SmallVector<Constant *, 5>(Entries)});
  return true;
}

/// Rules are for functions of numbers and pointers.
bool Reader::takesRule(const GlobalVariable &G, const Function &F) {
  auto Scalar = [](const Type *T) { return T->isFloatingPointTy() || T->isIntegerTy() || T->isPointerTy(); };
  for (const Argument &A : F.args())
    if (!Scalar(A.getType()) || A.hasByValAttr() || A.hasStructRetAttr()) {
      error(G,
            "'" + userName(F) +
                "' takes or returns a class by value, and rules are for functions of numbers and "
                "pointers: pass it by pointer",
            &F);
      return false;
    }
  Type *R = F.getReturnType();
  if (!R->isVoidTy() && !R->isFloatingPointTy() && !R->isIntegerTy()) {
    error(G,
          "'" + userName(F) +
              "' returns neither a number nor nothing, and cannot have a rule: return results "
              "through a pointer",
          &F);
    return false;
  }
  if (F.isVarArg() || F.arg_size() > 64) {
    error(G, "'" + userName(F) + "' cannot have a rule: give it fixed parameters, at most 64", &F);
    return false;
  }
  return true;
}

static std::string spelt(const Type *T) {
  if (T->isDoubleTy())
    return "double";
  if (T->isFloatTy())
    return "float";
  if (T->isPointerTy())
    return "pointer";
  if (T->isIntegerTy())
    return "integer of " + std::to_string(T->getIntegerBitWidth()) + " bits";
  std::string Text;
  raw_string_ostream OS(Text);
  if (auto *S = dyn_cast<StructType>(T)) {
    OS << "struct {";
    for (unsigned K = 0; K < S->getNumElements(); ++K)
      OS << (K ? ", " : "") << spelt(S->getElementType(K));
    OS << "}";
  } else {
    T->print(OS);
  }
  return Text;
}

std::string Reader::signature(Type *Result, ArrayRef<Type *> Params) const {
  std::string Text = Result ? spelt(Result) + " (" : "(";
  for (auto [K, T] : enumerate(Params))
    Text += (K ? ", " : "") + spelt(T);
  return Text + ")";
}

bool Reader::checkParameters(const GlobalVariable &G, const Function &F, const Function &Given,
                             StringRef Role, ArrayRef<Type *> Expected, Type *Result, bool ResultFits,
                             StringRef Note) {
  ArrayRef<Type *> Params = Given.getFunctionType()->params();
  if (Given.hasParamAttribute(0, Attribute::StructRet))
    Params = Params.drop_front();
  if (Params == Expected && ResultFits && !Given.isVarArg())
    return true;
  error(G,
        "the " + Role + " '" + userName(Given) + "' of '" + userName(F) + "' is " +
            signature(Given.getReturnType(), Given.getFunctionType()->params()) + ", and should be " +
            signature(Result, Expected) + Note,
        &Given);
  return false;
}

/// The partial derivatives as a C struct; null if there are none.
StructType *Reader::outs(const Function &F) const {
  SmallVector<Type *, 4> Types;
  for (const Argument &A : F.args())
    if (A.getType()->isFloatingPointTy())
      Types.push_back(A.getType());
  return Types.empty() ? nullptr : StructType::get(M.getContext(), Types);
}

/// Whether a function returns a C struct of this type, whatever the registers; null: nothing.
static bool returnsStruct(const Function &F, StructType *S, const DataLayout &DL) {
  Type *R = F.getReturnType();
  if (!S)
    return R->isVoidTy() && !F.hasParamAttribute(0, Attribute::StructRet);
  if (F.hasParamAttribute(0, Attribute::StructRet))
    return DL.getTypeAllocSize(F.getParamStructRetType(0)) == DL.getTypeAllocSize(S);
  if (S->getNumElements() == 1)
    return R == S->getElementType(0);
  // Registers may hold more than the struct: {<2 x float>, float} of three floats.
  return !R->isVoidTy() && !R->isPointerTy() &&
         alignTo(DL.getTypeAllocSize(R), 8) == alignTo(DL.getTypeAllocSize(S), 8);
}

void Reader::gradient(const GlobalVariable &G, ArrayRef<Constant *> Entries) {
  if (Entries.size() != 2 && Entries.size() != 3)
    return error(
        G, "a gradient is registered with two entries, the function and its gradient, or with three, the "
           "function, an augmented function that leaves a tape, and the gradient");
  Function *F = function(G, Entries, 0), *Augmented = Entries.size() == 3 ? function(G, Entries, 1) : nullptr;
  Function *Reverse = F ? function(G, Entries, unsigned(Entries.size()) - 1) : nullptr;
  if (!F || !Reverse || (Entries.size() == 3 && !Augmented) || !takesRule(G, *F) ||
      !claim(G, *F, "gradient", Entries))
    return;
  rules::UserRule Rule = rules::userRule(*F).value_or(rules::UserRule());
  Type *R = F->getReturnType();
  SmallVector<Type *, 16> Params;
  for (const Argument &A : F->args())
    Params.append(A.getType()->isPointerTy() ? 2 : 1, A.getType());
  if (Augmented) {
    Type *T = Augmented->getReturnType();
    auto *S = dyn_cast<StructType>(T);
    bool Fits = true;
    if (R->isVoidTy())
      Rule.Tape = T->isVoidTy() ? nullptr : T;
    else if (S && S->getNumElements() == 2 && S->getElementType(1) == R)
      Rule.Tape = S->getElementType(0);
    else
      Fits = T == R;
    Fits &=
        !Rule.Tape || Rule.Tape->isPointerTy() || Rule.Tape->isFloatingPointTy() || Rule.Tape->isIntegerTy();
    Fits &= !Augmented->hasParamAttribute(0, Attribute::StructRet);
    if (!checkParameters(G, *F, *Augmented, "augmented function", Params, R->isVoidTy() ? nullptr : R, Fits,
                         R->isVoidTy() ? " and return nothing, or the tape: a pointer or a number"
                                       : ", or return a struct of the tape, a pointer or a number, and that"))
      return;
    Rule.PerCall = true;
  }
  if (R->isFloatingPointTy())
    Params.push_back(R);
  if (Rule.Tape)
    Params.push_back(Rule.Tape);
  StructType *Outs = outs(*F);
  Type *Wanted = !Outs                         ? Type::getVoidTy(M.getContext())
                 : Outs->getNumElements() == 1 ? Outs->getElementType(0)
                                               : static_cast<Type *>(Outs);
  if (!checkParameters(G, *F, *Reverse, "gradient", Params, Wanted, returnsStruct(*Reverse, Outs, DL)))
    return;
  Rule.Augmented = Augmented;
  Rule.Gradient = Reverse;
  rules::setUserRule(*F, Rule);
}

void Reader::derivative(const GlobalVariable &G, ArrayRef<Constant *> Entries) {
  if (Entries.size() != 2)
    return error(G, "a derivative is registered with two entries: the function and its derivative");
  Function *F = function(G, Entries, 0), *Forward = F ? function(G, Entries, 1) : nullptr;
  if (!F || !Forward || !takesRule(G, *F) || !claim(G, *F, "derivative", Entries))
    return;
  SmallVector<Type *, 16> Params;
  for (const Argument &A : F->args())
    Params.append(A.getType()->isIntegerTy() ? 1 : 2, A.getType());
  Type *R = F->getReturnType();
  bool Fits = Forward->getReturnType() == R && !Forward->hasParamAttribute(0, Attribute::StructRet);
  if (R->isFloatingPointTy())
    Fits |= returnsStruct(*Forward, StructType::get(R, R), DL);
  if (!checkParameters(
          G, *F, *Forward, "derivative", Params, R, Fits,
          R->isFloatingPointTy() ? " for the tangent alone, or return a struct of value and tangent" : ""))
    return;
  rules::UserRule Rule = rules::userRule(*F).value_or(rules::UserRule());
  Rule.Derivative = Forward;
  Rule.GivesValue = !R->isFloatingPointTy() || Forward->getReturnType() != R;
  rules::setUserRule(*F, Rule);
}

/// What tapefree/rule.hpp writes; it has checked signatures.
void Reader::cxxRule(const GlobalVariable &G, ArrayRef<Constant *> Entries, bool Reverse) {
  Function *F = function(G, Entries, 0);
  if (!F || !takesRule(G, *F))
    return;
  rules::UserRule Rule = rules::userRule(*F).value_or(rules::UserRule());
  if (Reverse) {
    std::optional<uint64_t> Bytes = Entries.size() == 5 ? number(Entries[3]) : std::nullopt;
    std::optional<uint64_t> Unread = Entries.size() == 5 ? number(Entries[4]) : std::nullopt;
    if (!Bytes || !Unread)
      return error(G, "this is not what tapefree/rule.hpp writes");
    if (!claim(G, *F, "gradient", Entries))
      return;
    Rule.Augmented = dyn_cast<Function>(Entries[1]);
    Rule.Gradient = function(G, Entries, 2);
    Rule.PlainReverse = true;
    Rule.Unread = *Unread;
    if (*Bytes)
      Rule.Tape = ArrayType::get(Type::getInt64Ty(M.getContext()), divideCeil(*Bytes, 8));
  } else {
    std::optional<uint64_t> Value = Entries.size() == 3 ? number(Entries[2]) : std::nullopt;
    if (!Value)
      return error(G, "this is not what tapefree/rule.hpp writes");
    if (!claim(G, *F, "derivative", Entries))
      return;
    Rule.Derivative = function(G, Entries, 1);
    Rule.GivesValue = *Value;
    Rule.PlainForward = true;
  }
  rules::setUserRule(*F, Rule);
}

void Reader::functionLike(const GlobalVariable &G, ArrayRef<Constant *> Entries) {
  Function *F = function(G, Entries, 0);
  std::optional<StringRef> Name = F && Entries.size() == 2 ? text(Entries[1]) : std::nullopt;
  if (!F)
    return;
  if (!Name)
    return error(G, "two entries are wanted: the function, and the name of a library function as a string",
                 F);
  std::string_view Known(Name->data(), Name->size());
  if (rules::callEffect(Known).Kind == rules::CallKind::Inactive) {
    F->addFnAttr(rules::InactiveMark);
    return;
  }
  Type *T = F->getReturnType();
  const rules::ScalarRule *Rule = T->isFloatingPointTy() ? rules::libraryRule(*Name, *T) : nullptr;
  if (!Rule && !(T->isFloatingPointTy() && rules::libraryRule(*Name, *Type::getDoubleTy(M.getContext()))))
    return error(G,
                 "no derivative is known of a function '" + *Name +
                     "' of this type: docs/rules.md has those that are",
                 F);
  bool Fits = Rule && F->arg_size() == Rule->Arity + Rule->HasInt;
  for (unsigned K = 0; Fits && K < Rule->Arity; ++K)
    Fits = F->getArg(K)->getType() == T;
  Fits = Fits && (!Rule->HasInt || F->getArg(Rule->Arity)->getType()->isIntegerTy());
  if (!Fits)
    return error(G,
                 "'" + userName(*F) + "' is " + signature(T, F->getFunctionType()->params()) +
                     ", which is not the signature of '" + *Name + "' for this type",
                 F);
  if (claim(G, *F, "library function", Entries))
    F->addFnAttr(rules::LikeMark, *Name);
}

void Reader::allocationLike(const GlobalVariable &G, ArrayRef<Constant *> Entries) {
  if (Entries.size() != 4)
    return error(
        G, "four entries are wanted: the allocator, the number of its argument that says how many bytes, "
           "\"-1\", and the function that releases what it returns");
  Function *F = function(G, Entries, 0), *Free = F ? function(G, Entries, 3) : nullptr;
  if (!F || !Free)
    return;
  std::optional<uint64_t> Size = number(Entries[1]);
  std::optional<StringRef> Returned = text(Entries[2]);
  if (!Size || *Size >= F->arg_size() || !F->getArg(unsigned(*Size))->getType()->isIntegerTy())
    return error(G, "entry 2 is the number, from 0, of an integer argument of '" + userName(*F) + "'", F);
  if (!F->getReturnType()->isPointerTy() || !Returned || *Returned != "-1")
    return error(G, "entry 3 must be \"-1\": the allocator returns the memory that it makes", F);
  if (Free->arg_size() != 1 || !Free->getArg(0)->getType()->isPointerTy() ||
      !Free->getReturnType()->isVoidTy())
    return error(G,
                 "'" + userName(*Free) + "' is " +
                     signature(Free->getReturnType(), Free->getFunctionType()->params()) +
                     ", and what releases memory should be " +
                     signature(Type::getVoidTy(M.getContext()), PointerType::getUnqual(M.getContext())),
                 Free);
  if (!claim(G, *F, "way to release its memory", Entries))
    return;
  F->addFnAttr(rules::AllocatorMark, std::to_string(*Size));
  Free->addFnAttr(rules::ReleaseMark);
  rules::setRelease(*F, *Free);
}

void Reader::read(GlobalVariable &G, Kind K) {
  if (K == Kind::Split)
    return error(G, "splitderivative is not supported by this version of Tapefree: register a gradient and a "
                    "derivative");
  std::optional<SmallVector<Constant *, 5>> Entries = entries(G);
  if (!Entries)
    return;
  switch (K) {
  case Kind::Gradient:
    return gradient(G, *Entries);
  case Kind::Derivative:
    return derivative(G, *Entries);
  case Kind::CxxGradient:
  case Kind::CxxDerivative:
    return cxxRule(G, *Entries, K == Kind::CxxGradient);
  case Kind::InactiveFunction:
    for (unsigned N = 0; N < Entries->size(); ++N)
      if (Function *F = function(G, *Entries, N))
        F->addFnAttr(rules::InactiveMark);
    return;
  case Kind::InactiveGlobal:
    for (auto [N, C] : enumerate(*Entries))
      if (auto *V = dyn_cast<GlobalVariable>(C))
        V->addAttribute(rules::InactiveMark);
      else
        error(G, "entry " + Twine(N + 1) + " is not the address of a global variable");
    return;
  case Kind::FunctionLike:
    return functionLike(G, *Entries);
  case Kind::AllocationLike:
    return allocationLike(G, *Entries);
  case Kind::Split:
    return;
  }
}

/// __attribute__((annotate("enzyme_inactive"))) on functions and globals.
void Reader::readAnnotations() {
  const GlobalVariable *All = M.getGlobalVariable("llvm.global.annotations");
  auto *List = All && All->hasInitializer() ? dyn_cast<ConstantArray>(All->getInitializer()) : nullptr;
  if (!List)
    return;
  for (const Use &Entry : List->operands()) {
    auto *Fields = cast<Constant>(Entry.get());
    std::optional<StringRef> Text =
        text(cast<Constant>(Fields->getAggregateElement(1u)->stripPointerCasts()));
    if (!Text || (*Text != "enzyme_inactive" && *Text != "tapefree_inactive"))
      continue;
    Value *What = Fields->getAggregateElement(0u)->stripPointerCasts();
    if (auto *F = dyn_cast<Function>(What))
      F->addFnAttr(rules::InactiveMark);
    else if (auto *V = dyn_cast<GlobalVariable>(What))
      V->addAttribute(rules::InactiveMark);
  }
}

bool Reader::run() {
  readAnnotations();
  // Derivatives in C++ and in C may serve one function.
  for (GlobalVariable &G : M.globals())
    if (std::optional<Kind> K = kindOf(G.getName()))
      read(G, *K);
  bool Any = any_of(M.globals(), [](const GlobalVariable &G) { return G.hasAttribute(rules::InactiveMark); });
  for (Function &F : M) {
    if (rules::userRule(F) && rules::isRegistered(F)) {
      D.error(F, "'" + userName(F) +
                     "' has a rule of its own and is registered as something else as well: leave one");
      rules::clearUserRule(F);
    }
    Any |= rules::userRule(F) || rules::isRegistered(F);
  }
  return Any;
}

bool readRegistrations(Module &M, Diag &D) { return Reader(M, D).run(); }

void clearRegistrations(Module &M) {
  for (Function &F : M) {
    rules::clearUserRule(F);
    for (StringRef Mark : {rules::InactiveMark, rules::LikeMark, rules::AllocatorMark, rules::ReleaseMark})
      F.removeFnAttr(Mark);
  }
  for (GlobalVariable &G : M.globals())
    if (G.hasAttribute(rules::InactiveMark))
      G.setAttributes(G.getAttributes().removeAttribute(M.getContext(), rules::InactiveMark));
}

void keepRegistered(Module &M) {
  for (Function &F : M) {
    if (!rules::userRule(F) && !rules::isRegistered(F))
      continue;
    // Else its argument would be taken for its result.
    for (Argument &A : F.args())
      A.removeAttr(Attribute::Returned);
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U); Call && Call->getCalledFunction() == &F)
        for (unsigned K = 0; K < Call->arg_size(); ++K)
          Call->removeParamAttr(K, Attribute::Returned);
    if (F.hasFnAttribute(KeptMark))
      continue;
    StringRef Was = F.hasFnAttribute(Attribute::NoInline)       ? "noinline"
                    : F.hasFnAttribute(Attribute::AlwaysInline) ? "alwaysinline"
                                                                : "";
    F.removeFnAttr(Attribute::AlwaysInline);
    F.addFnAttr(Attribute::NoInline);
    F.addFnAttr(KeptMark, Was);
  }
}

void hideRegisteredCalls(Module &M) {
  for (Function &F : M) {
    if (F.isDeclaration() || !F.hasFnAttribute(KeptMark))
      continue;
    SmallVector<CallBase *, 8> Calls;
    for (User *U : F.users())
      if (auto *Call = dyn_cast<CallBase>(U);
          Call && Call->getCalledFunction() == &F && !Call->isMustTailCall())
        Calls.push_back(Call);
    if (Calls.empty())
      continue;
    auto *Slot = new GlobalVariable(M, F.getType(), /*isConstant=*/false, GlobalValue::InternalLinkage, &F,
                                    "tapefree.registered");
    Slot->setExternallyInitialized(true);
    Slot->addAttribute(KeptMark);
    for (CallBase *Call : Calls)
      Call->setCalledOperand(new LoadInst(F.getType(), Slot, "", Call->getIterator()));
  }
}

bool showRegisteredCalls(Module &M) {
  bool Changed = false;
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    if (!G.hasAttribute(KeptMark))
      continue;
    for (User *U : make_early_inc_range(G.users()))
      if (auto *Load = dyn_cast<LoadInst>(U)) {
        Load->replaceAllUsesWith(G.getInitializer());
        Load->eraseFromParent();
      }
    Changed = true;
    if (G.use_empty())
      G.eraseFromParent();
  }
  return Changed;
}

bool releaseRegistered(Module &M) {
  bool Changed = false;
  for (Function &F : M) {
    Attribute Kept = F.getFnAttribute(KeptMark);
    if (!Kept.isValid())
      continue;
    StringRef Was = Kept.getValueAsString();
    if (Was != "noinline")
      F.removeFnAttr(Attribute::NoInline);
    if (Was == "alwaysinline")
      F.addFnAttr(Attribute::AlwaysInline);
    F.removeFnAttr(KeptMark);
    Changed = true;
  }
  SmallVector<GlobalVariable *, 8> Done;
  for (GlobalVariable &G : M.globals())
    if (isRegistration(G.getName()) && G.hasInitializer())
      Done.push_back(&G);
  removeFromUsedLists(M, [&](Constant *C) { return is_contained(Done, C->stripPointerCasts()); });
  for (GlobalVariable *G : Done) {
    G->removeDeadConstantUsers();
    if (!G->use_empty())
      continue;
    G->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

} // namespace tapefree
