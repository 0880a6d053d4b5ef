//===- Lookup.cpp - From an instruction to its rule -----------------------===//
#include "Rules/Lookup.h"
#include "Rules/Tables/Tables.h"
#include "Rules/UserRules.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree::rules {

namespace {
struct Index {
  DenseMap<unsigned, const ScalarRule *> ByOpcode;
  DenseMap<unsigned, const ScalarRule *> ByIntrinsic;
  StringMap<const ScalarRule *> ByName;

  Index() {
    for (std::span<const ScalarRule> Table : scalarRuleTables())
      for (const ScalarRule &Rule : Table) {
        if (Rule.Opcode)
          ByOpcode[Rule.Opcode] = &Rule;
        for (unsigned ID : Rule.Intrinsics)
          if (ID)
            ByIntrinsic[ID] = &Rule;
        for (std::string_view Name : Rule.Library)
          if (!Name.empty())
            ByName[StringRef(Name.data(), Name.size())] = &Rule;
      }
  }
};
} // namespace

static const Index &index() {
  static const Index Rules;
  return Rules;
}

const ScalarRule *libraryRule(StringRef Name, const Type &Ty) {
  const StringMap<const ScalarRule *> &ByName = index().ByName;
  StringRef Base = Name;
  if (Base.consume_front("__") && !Base.consume_back("_finite"))
    return nullptr;
  // Double first: the last letter of erf is no suffix. Where long double is double, sinl takes double.
  if (Ty.isDoubleTy())
    if (const ScalarRule *Rule = ByName.lookup(Base))
      return Rule;
  bool Suffixed =
      Ty.isFloatTy() ? Base.consume_back("f") : Base.consume_back("l") || Base.consume_back("f128");
  return Suffixed ? ByName.lookup(Base) : nullptr;
}

/// Floating result and arguments of one type, as many as \p Rule has.
static bool fits(const ScalarRule &Rule, const CallBase &Call) {
  Type *Ty = Call.getType();
  if (!Ty->isFPOrFPVectorTy() || isa<ScalableVectorType>(Ty) || Call.arg_size() != Rule.Arity + Rule.HasInt)
    return false;
  for (unsigned I = 0; I < Rule.Arity; ++I)
    if (Call.getArgOperand(I)->getType() != Ty)
      return false;
  return !Rule.HasInt || Call.getArgOperand(Rule.Arity)->getType()->isIntOrIntVectorTy();
}

static const ScalarRule *callRule(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || Callee->hasFnAttribute(InactiveMark) || userRule(*Callee))
    return nullptr;
  if (Attribute Like = Callee->getFnAttribute(LikeMark); Like.isValid()) {
    const ScalarRule *Rule = libraryRule(Like.getValueAsString(), *Call.getType());
    return Rule && fits(*Rule, Call) ? Rule : nullptr;
  }
  if (!Callee->isDeclaration())
    return nullptr;
  const ScalarRule *Rule = Callee->isIntrinsic() ? index().ByIntrinsic.lookup(Callee->getIntrinsicID())
                                                 : libraryRule(Callee->getName(), *Call.getType());
  return Rule && fits(*Rule, Call) ? Rule : nullptr;
}

const ScalarRule *scalarRule(const Instruction &I) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return callRule(*Call);
  if (!I.getType()->isFPOrFPVectorTy() || isa<ScalableVectorType>(I.getType()))
    return nullptr;
  return index().ByOpcode.lookup(I.getOpcode());
}

bool needsStrongZero(const ScalarRule &Rule, unsigned Argument, const Instruction &I) {
  if (!Rule.strongZero(Argument))
    return false;
  if (I.getOpcode() != Instruction::FDiv && I.getOpcode() != Instruction::FRem)
    return true;
  const auto *Divisor = dyn_cast<Constant>(I.getOperand(1));
  if (const auto *Vector = Divisor && Divisor->getType()->isVectorTy() ? Divisor->getSplatValue() : nullptr)
    Divisor = Vector;
  const auto *Number = dyn_cast_or_null<ConstantFP>(Divisor);
  // A denormal divisor has an infinite reciprocal.
  return !Number || !Number->getValueAPF().isNormal();
}

} // namespace tapefree::rules
