#include "Rules/UserRules.h"
#include "Support/Diag.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree::rules {

static constexpr char RuleMark[] = "tapefree.rule";
static constexpr char ReleasedBy[] = "tapefree.releasedby";

static Metadata *reference(Constant *C) { return C ? ConstantAsMetadata::get(C) : nullptr; }

template <class T> static T *referenced(const MDNode &N, unsigned Index) {
  return mdconst::dyn_extract_or_null<T>(N.getOperand(Index));
}

void setUserRule(Function &F, const UserRule &R) {
  LLVMContext &C = F.getContext();
  auto Number = [&](uint64_t V) { return reference(ConstantInt::get(Type::getInt64Ty(C), V)); };
  uint64_t Flags = uint64_t(R.PlainReverse) | uint64_t(R.PlainForward) << 1 | uint64_t(R.PerCall) << 2 |
                   uint64_t(R.GivesValue) << 3;
  F.setMetadata(RuleMark, MDNode::get(C, {reference(R.Augmented), reference(R.Gradient),
                                          reference(R.Derivative), Number(Flags), Number(R.Unread),
                                          reference(R.Tape ? PoisonValue::get(R.Tape) : nullptr)}));
}

std::optional<UserRule> userRule(const Function &F) {
  const MDNode *N = F.getMetadata(RuleMark);
  if (!N)
    return std::nullopt;
  uint64_t Flags = referenced<ConstantInt>(*N, 3)->getZExtValue();
  UserRule R;
  R.Augmented = referenced<Function>(*N, 0);
  R.Gradient = referenced<Function>(*N, 1);
  R.Derivative = referenced<Function>(*N, 2);
  R.PlainReverse = Flags & 1;
  R.PlainForward = Flags >> 1 & 1;
  R.PerCall = Flags >> 2 & 1;
  R.GivesValue = Flags >> 3 & 1;
  R.Unread = referenced<ConstantInt>(*N, 4)->getZExtValue();
  if (auto *Tape = referenced<PoisonValue>(*N, 5))
    R.Tape = Tape->getType();
  return R;
}

void clearUserRule(Function &F) {
  F.setMetadata(RuleMark, nullptr);
  F.setMetadata(ReleasedBy, nullptr);
}

std::optional<UserRule> userRule(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  return Callee ? userRule(*Callee) : std::nullopt;
}

std::optional<UserRule> gradientRule(const CallBase &Call) {
  std::optional<UserRule> R = userRule(Call);
  return R && R->Gradient ? R : std::nullopt;
}

bool isRegistered(const Function &F) {
  return F.hasFnAttribute(InactiveMark) || F.hasFnAttribute(LikeMark) || F.hasFnAttribute(AllocatorMark) ||
         F.hasFnAttribute(ReleaseMark);
}

std::string ruleObstacle(const CallBase &Call, bool Reverse, unsigned Width) {
  std::optional<UserRule> R = userRule(Call);
  if (!R)
    return {};
  const Function &F = *Call.getCalledFunction();
  std::string Name = calleeName(Call);
  if (!(Reverse ? R->Gradient : R->Derivative)) {
    if (!F.isDeclaration())
      return {};
    return Reverse
               ? Name +
                     " has a registered derivative, which serves forward mode, but no registered gradient, "
                     "and its body is not visible: register a gradient as well, or make the body visible"
               : Name +
                     " has a registered gradient, which serves reverse mode, but no registered derivative, "
                     "and its body is not visible: register a derivative as well, or make the body visible";
  }
  bool Pointers = any_of(F.args(), [](const Argument &A) { return A.getType()->isPointerTy(); });
  if (Width > 1 && Reverse && R->PerCall && (Pointers || (R->Tape && !R->Tape->isFloatingPointTy())))
    return "the registered gradient of " + Name +
           " has an augmented function that is given shadows, or leaves a pointer on its tape, so that one "
           "call "
           "of it serves one derivative, not those of a batch: use register_gradient of tapefree/rule.hpp, "
           "or "
           "one derivative at a time";
  if (Width > 1 && !Reverse && Pointers && (R->GivesValue || F.getReturnType()->isVoidTy()))
    return "the registered derivative of " + Name +
           " does what the function does to memory as well, and would do so for each derivative of a batch: "
           "use "
           "one derivative at a time";
  return {};
}

Function *releaseOf(const Function &Allocator) {
  const MDNode *N = Allocator.getMetadata(ReleasedBy);
  return N ? referenced<Function>(*N, 0) : nullptr;
}

void setRelease(Function &Allocator, Function &Release) {
  Allocator.setMetadata(ReleasedBy, MDNode::get(Allocator.getContext(), {reference(&Release)}));
}

} // namespace tapefree::rules
