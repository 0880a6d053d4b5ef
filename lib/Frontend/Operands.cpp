#include "Frontend/Operands.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalAlias.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace tapefree {

StringRef markerName(const Value *V) {
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

std::string typeName(Type *T) {
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

OperandReader::OperandReader(CallBase &Call, Diag &D)
    : Call(Call), D(D), ResultType(Call.getType()), Operands(Call.arg_begin(), Call.arg_end()) {
  if (Call.arg_size() && Call.paramHasAttr(0, Attribute::StructRet)) {
    ResultMemory = Operands[At++];
    ResultType = Call.getParamStructRetType(0);
  }
}

bool OperandReader::readFunction(Function *&F, const Twine &Verb, const Twine &Passive) {
  if (!peek())
    return fail("this call names no function to " + Verb);
  Value *V = Operands[At++]->stripPointerCasts();
  if (auto *Alias = dyn_cast<GlobalAlias>(V))
    V = Alias->getAliaseeObject();
  F = Callee = dyn_cast<Function>(V);
  return F || fail("cannot see which function " + Passive +
                   " here: pass the function by its name (or a lambda without captures)");
}

bool OperandReader::readWidth(unsigned &Width) {
  if (!atValue())
    return fail("the number of lanes is missing after its marker, width");
  auto *N = dyn_cast<ConstantInt>(Operands[At++]);
  if (!N)
    return fail("the width of a batch must be a constant: write the number itself behind the marker width");
  if (N->getValue().slt(1) || N->getValue().sgt(MostLanes))
    return fail("the width of a batch is " + Twine(N->getSExtValue()) + ", but it must be from 1 to " +
                Twine(MostLanes));
  Width = unsigned(N->getZExtValue());
  return true;
}

Value *OperandReader::convert(Value *V, Type *Want, const Twine &What) {
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

bool OperandReader::tooFew(unsigned Given) {
  return fail("too few arguments: " + callee() + " takes " + Twine(Callee->arg_size()) + ", and " +
              Twine(Given) + (Given == 1 ? " is" : " are") + " given");
}

bool OperandReader::tooMany() {
  return fail("too many arguments: " + callee() + " takes " + Twine(Callee->arg_size()) +
              (Callee->arg_size() == 1 ? " parameter" : " parameters"));
}

} // namespace tapefree
