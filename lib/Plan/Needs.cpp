// What the reverse of each instruction reads. One function for each family of instructions; the formulas of
// scalar operations answer for themselves. Emit/ReverseOps.cpp has the same families in the same order and
// may read only what is announced here: looking up anything else is reported as an internal error.
#include "Analysis/Types/Explain.h"
#include "Plan/Plan.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "Rules/UserRules.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace tapefree {

/// Whether an access of shadowed memory moves floating data (or may, where nothing is known of the bytes).
static bool movesFloats(const Instruction &I, const Facts &F) {
  AccessPattern P = F.Types.pattern(I);
  return P.hasFloat() || P.hasConflict() || P.unknownBytes();
}

bool hasReverseWork(const Instruction &I, const Facts &F) {
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    const Value *V = Store->getValueOperand();
    if (!F.Act.hasShadow(Store->getPointerOperand()) || V->getType()->isPtrOrPtrVectorTy())
      return false;
    if (holdsFloat(V->getType()))
      return true;
    AccessPattern P = F.Types.pattern(I);
    return P.hasFloat() || P.hasConflict() || P.unknownBytes();
  }
  if (auto *Mem = dyn_cast<MemIntrinsic>(&I))
    return F.Act.hasShadow(Mem->getRawDest()) && movesFloats(I, F);
  auto *Call = dyn_cast<CallBase>(&I);
  if (Call && callsVisibleBody(*Call))
    return F.Act.signature(*Call).active();
  if (Call && Call->getIntrinsicID() == Intrinsic::masked_store)
    return holdsFloat(Call->getArgOperand(0)->getType()) && F.Act.hasShadow(Call->getArgOperand(1));
  return F.Act.isActive(&I);
}

/// The shadow of an address; where only the run knows whether there is one, the address itself to compare
/// with.
static void needShadow(const Value *Address, const Facts &F, NeedSink Need) {
  Need({Address, ValueRef::Shadow});
  if (F.Act.pointer(Address) == PointerState::Mixed)
    Need({Address, ValueRef::Primal});
}

static bool needFormula(const Instruction &I, const rules::ScalarRule &Rule, const Facts &F, NeedSink Need) {
  for (unsigned A = 0; A < Rule.Arity; ++A) {
    if (!Rule.isActive(A) || !F.Act.isActive(I.getOperand(A)))
      continue;
    rules::Needs N = rules::needs(Rule.Partial[A]);
    for (unsigned K = 0; K < Rule.Arity; ++K)
      if (N.Arg[K])
        Need({I.getOperand(K), ValueRef::Primal});
    if (N.IntArg)
      Need({I.getOperand(Rule.Arity), ValueRef::Primal});
    if (N.Result)
      Need({&I, ValueRef::Primal});
  }
  return true;
}

static bool needMemory(const MemIntrinsic &I, const Facts &F, NeedSink Need, Diag &D) {
  auto *Copy = dyn_cast<MemTransferInst>(&I);
  // The types of the bytes must be known before floats among them can be moved back.
  if (Copy && !checkCopiedTypes(I, F.Types, D))
    return false;
  if (!Copy && F.L.wide() && !checkSetTypes(I, F.Types, D))
    return false;
  needShadow(I.getRawDest(), F, Need);
  if (Copy && F.Act.hasShadow(Copy->getRawSource()))
    needShadow(Copy->getRawSource(), F, Need);
  Need({I.getLength(), ValueRef::Primal});
  return true;
}

static bool refuseCall(const CallBase &Call, Diag &D) {
  D.error(Call, "no derivative is known for the call of " + calleeName(Call) +
                    ", which is given differentiated data: make its body visible here, or keep "
                    "differentiated values out of it");
  return false;
}

/// Memory is as it was at the call when the gradient of a rule reads it, or there is a tape for what is not.
static bool checkReads(const CallBase &Call, const rules::UserRule &Rule, unsigned Number, const Facts &F,
                       Diag &D) {
  const Value *Pointer = Call.getArgOperand(Number);
  if (Rule.Augmented || !Pointer->getType()->isPointerTy() || isa<ConstantPointerNull, UndefValue>(Pointer))
    return true;
  Overwrite By = F.Over.after(Call, MemoryLocation::getBeforeOrAfter(Pointer));
  if (!By)
    return true;
  D.error(Call,
          "the registered gradient of " + calleeName(Call) + " may read the memory behind argument " +
              Twine(Number + 1) + " in the reverse sweep, and " +
              (By.Kind == OverwriteKind::Caller ? "what calls this function"
               : By.By                          ? describeLine(*By.By)
                                                : std::string("something")) +
              " may have overwritten it by then: give the rule an augmented function, which leaves what is "
              "needed on a tape, or declare the parameter of the gradient not_read (tapefree/rule.hpp)");
  return false;
}

/// A rule of the user's is given the arguments of the call again, and its tape.
static bool needRule(const CallBase &Call, const rules::UserRule &Rule, const Facts &F, NeedSink Need,
                     Diag &D) {
  for (const Use &U : Call.args()) {
    unsigned Number = Call.getArgOperandNo(&U);
    if (!(Rule.Unread >> Number & 1)) {
      if (!checkReads(Call, Rule, Number, F, D))
        return false;
      Need({U.get(), ValueRef::Primal});
    }
    if (U->getType()->isPointerTy() && F.Act.hasShadow(U.get()))
      needShadow(U.get(), F, Need);
  }
  if (Rule.Tape)
    Need({&Call, ValueRef::Tape});
  return true;
}

static bool needCall(const CallBase &Call, const Facts &F, NeedSink Need, Diag &D) {
  if (callsVisibleBody(Call)) {
    if (std::string Obstacle = rules::ruleObstacle(Call, /*Reverse=*/true, F.L.width()); !Obstacle.empty()) {
      D.error(Call, Obstacle);
      return false;
    }
    if (std::optional<rules::UserRule> Rule = rules::gradientRule(Call))
      return needRule(Call, *Rule, F, Need, D);
    Need({&Call, ValueRef::Tape});
    return true;
  }
  switch (Call.getIntrinsicID()) {
  case Intrinsic::vector_reduce_fadd:
    return true;
  case Intrinsic::masked_load:
    needShadow(Call.getArgOperand(0), F, Need);
    Need({Call.getArgOperand(1), ValueRef::Primal});
    return true;
  case Intrinsic::masked_store:
    needShadow(Call.getArgOperand(1), F, Need);
    Need({Call.getArgOperand(2), ValueRef::Primal});
    return true;
  default:
    return refuseCall(Call, D);
  }
}

bool reverseNeeds(const Instruction &I, const Facts &F, NeedSink Need, Diag &D) {
  if (!hasReverseWork(I, F))
    return true;
  if (const rules::ScalarRule *Rule = rules::scalarRule(I))
    return needFormula(I, *Rule, F, Need);
  if (auto *Mem = dyn_cast<MemIntrinsic>(&I))
    return needMemory(*Mem, F, Need, D);
  if (auto *Call = dyn_cast<CallBase>(&I))
    return needCall(*Call, F, Need, D);
  switch (I.getOpcode()) {
  case Instruction::Load:
    if (cast<LoadInst>(I).isAtomic())
      break;
    needShadow(cast<LoadInst>(I).getPointerOperand(), F, Need);
    return true;
  case Instruction::Store: {
    auto &Store = cast<StoreInst>(I);
    if (Store.isAtomic())
      break;
    if (!holdsFloat(Store.getValueOperand()->getType()) && F.Act.isVaried(Store.getValueOperand())) {
      D.error(I, "a differentiated floating value is stored here as an integer, and its type cannot be told: "
                 "copy it as the "
                 "floating type it has");
      return false;
    }
    needShadow(Store.getPointerOperand(), F, Need);
    return true;
  }
  case Instruction::Select:
    Need({cast<SelectInst>(I).getCondition(), ValueRef::Primal});
    return true;
  case Instruction::ExtractElement:
    Need({I.getOperand(1), ValueRef::Primal});
    return true;
  case Instruction::InsertElement:
    Need({I.getOperand(2), ValueRef::Primal});
    return true;
  case Instruction::PHI:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::Freeze:
  case Instruction::ShuffleVector:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
    return true;
  case Instruction::BitCast:
    if (holdsFloat(I.getOperand(0)->getType()) &&
        I.getOperand(0)->getType()->getScalarType() == I.getType()->getScalarType())
      return true;
    break;
  default:
    break;
  }
  D.error(I, Twine("differentiated data passes through an operation that has no derivative here (") +
                 I.getOpcodeName() + "): keep differentiated values out of it");
  return false;
}

} // namespace tapefree
