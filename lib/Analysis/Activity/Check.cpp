// Active data that goes where no derivative can follow is an error, in both modes: never a term that is
// dropped.
#include "Analysis/Activity/Activity.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "Rules/UserRules.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace tapefree {

/// Whether nothing at all is known of a call.
static bool unknown(const CallBase &Call) {
  Intrinsic::ID ID = Call.getIntrinsicID();
  return !callsVisibleBody(Call) && !rules::scalarRule(Call) && !isa<MemIntrinsic>(Call) &&
         !Call.doesNotAccessMemory() && ID != Intrinsic::masked_load && ID != Intrinsic::masked_store &&
         rules::callEffect(Call).Kind == rules::CallKind::Unknown;
}

/// Whether a const argument is only written: a log for the caller, through which no derivative can come back.
bool Activity::neverRead(const Value *Object) const {
  if (!isa<Argument>(Object))
    return false;
  for (const Instruction &I : instructions(F)) {
    const Value *From = nullptr;
    if (auto *Load = dyn_cast<LoadInst>(&I))
      From = Load->getPointerOperand();
    else if (auto *Copy = dyn_cast<MemTransferInst>(&I))
      From = Copy->getRawSource();
    else if (auto *Call = dyn_cast<CallBase>(&I);
             Call && (callsVisibleBody(*Call) ||
                      (unknown(*Call) && !isa<IntrinsicInst>(Call) && any_of(Call->args(), [](const Use &U) {
                         return U->getType()->isPtrOrPtrVectorTy();
                       }))))
      return false;
    if (!From)
      continue;
    SmallVector<const Value *, 4> Objects;
    getUnderlyingObjects(From, Objects, nullptr, 0);
    for (const Value *O : Objects)
      if (O == Object || !isa<Argument, AllocaInst, GlobalVariable>(O))
        return false;
  }
  return true;
}

/// A global that the program declares to be inactive: derivatives end there.
static bool isInactiveGlobal(const Value *Object) {
  auto *G = dyn_cast<GlobalVariable>(Object);
  return G && G->hasAttribute(rules::InactiveMark);
}

/// The same as a store of active data into const memory, for copies.
void Activity::checkCopy(const MemTransferInst &Copy, Diag &D) const {
  const Value *Object = getUnderlyingObject(Copy.getRawDest(), 0);
  if (pointer(Copy.getRawDest()) != PointerState::Const || isa<AllocaInst>(Object) || isAllocation(Object) ||
      neverRead(Object) || isInactiveGlobal(Object) || !memoryVaried(Copy.getRawSource()))
    return;
  AccessPattern P = Types.pattern(Copy);
  if (P.hasFloat() || P.Fields.empty())
    D.error(Copy, "a value that depends on a differentiated input is stored in memory that was passed as "
                  "const: pass that "
                  "buffer as dup with a shadow (zeroed), so that its derivative can pass through");
}

/// Whether memory behind `Pointer`, or what is linked to it, holds values that depend on a differentiated
/// input. That they are not read by what is visible means nothing where another reads them, or puts the
/// memory where it is read (a node of std::list).
bool Activity::reachesVaried(const Value *Pointer) const {
  auto Linked = [&] {
    return any_of(Escaped, [&](const Value *E) { return EscapedVaried || local(E)->Varied; });
  };
  return any_of(objects(Pointer), [&](const Value *O) {
    if (const Object *L = local(O))
      return L->Varied || (L->HoldsPointers && Linked());
    return mayLeadToLocals(O) && Linked();
  });
}

/// A call that is neither visible nor known must not be given anything that carries a derivative.
void Activity::checkCall(const CallBase &Call, Diag &D) const {
  if (callsVisibleBody(Call)) {
    if (Call.getCalledFunction()->isVarArg() && signature(Call).active())
      D.error(Call,
              calleeName(Call) +
                  " takes variable arguments and is given differentiated data, which cannot be followed "
                  "there: give it fixed parameters");
    return;
  }
  if (!unknown(Call))
    return;
  bool Given = any_of(Call.args(), [&](const Use &U) {
    return U->getType()->isPtrOrPtrVectorTy() ? hasShadow(U.get()) || reachesVaried(U.get())
                                              : holdsFloat(U->getType()) && isVaried(U.get());
  });
  if (Given)
    D.error(Call, "the call of " + calleeName(Call) +
                      " is given differentiated data, and neither its body nor a derivative is "
                      "known: make its body visible here, or keep differentiated values out of it");
}

bool Activity::check(Diag &D) const {
  unsigned Before = D.errors();
  for (const Instruction &I : instructions(F)) {
    if (auto *Store = dyn_cast<StoreInst>(&I)) {
      const Value *V = Store->getValueOperand();
      if (Varied.contains(V) && holdsFloat(V->getType()) &&
          pointer(Store->getPointerOperand()) == PointerState::Const) {
        const Value *Object = getUnderlyingObject(Store->getPointerOperand(), 0);
        if (isa<AllocaInst>(Object) || isAllocation(Object) || neverRead(Object) || isInactiveGlobal(Object))
          continue;
        D.error(
            I,
            isa<GlobalVariable>(Object)
                ? "a value that depends on a differentiated input is stored in the global variable '" +
                      demangle(Object->getName()) +
                      "', which has no shadow: pass that memory as a dup argument instead"
                : std::string(
                      "a value that depends on a differentiated input is stored in memory that was passed as "
                      "const: pass that buffer as dup with a shadow (zeroed), so that its derivative can "
                      "pass through"));
      }
    } else if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
      checkCopy(*Copy, D);
    } else if (auto *Call = dyn_cast<CallBase>(&I)) {
      checkCall(*Call, D);
    } else if (auto *Cast = dyn_cast<BitCastInst>(&I)) {
      if (Varied.contains(Cast) && Useful.contains(Cast) && holdsFloat(I.getType()) &&
          !holdsFloat(Cast->getSrcTy()))
        D.error(I, "a differentiated floating value is made from the bits of an integer here, and bit "
                   "manipulation has no "
                   "derivative: use fabs, copysign or a cast instead");
    }
  }
  return D.errors() == Before;
}

} // namespace tapefree
