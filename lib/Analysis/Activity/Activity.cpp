#include "Analysis/Activity/Activity.h"
#include "Rules/CallEffects.h"
#include "Rules/Lookup.h"
#include "Rules/UserRules.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace tapefree {

bool holdsFloat(const Type *T) {
  if (T->isFPOrFPVectorTy())
    return true;
  return isa<StructType, ArrayType>(T) && any_of(T->subtypes(), [](const Type *E) { return holdsFloat(E); });
}

bool holdsPointer(const Type *T) {
  if (T->isPtrOrPtrVectorTy())
    return true;
  return isa<StructType, ArrayType>(T) &&
         any_of(T->subtypes(), [](const Type *E) { return holdsPointer(E); });
}

bool callsVisibleBody(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee || rules::isRegistered(*Callee))
    return false;
  return (!Callee->isDeclaration() && !rules::isOpaque(Callee->getName())) || rules::userRule(*Callee);
}

bool isAllocation(const Value *V) {
  auto *Call = dyn_cast<CallBase>(V);
  if (!Call || callsVisibleBody(*Call))
    return false;
  rules::CallKind K = rules::callEffect(*Call).Kind;
  return K == rules::CallKind::Allocate || K == rules::CallKind::AllocateZeroed;
}

bool roundsPointer(const Instruction &I) {
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && Call->getIntrinsicID() == Intrinsic::ptrmask && !I.getType()->isVectorTy();
}

bool CallSignature::active() const {
  return ReturnActive || any_of(Args, [](ArgActivity A) { return A != ArgActivity::Const; });
}

static PointerState joined(PointerState A, PointerState B) {
  if (A == B || B == PointerState::Neutral)
    return A;
  return A == PointerState::Neutral ? B : PointerState::Mixed;
}

Activity::Activity(Function &F, ArrayRef<ArgActivity> ArgActivities, bool ReturnActive,
                   const MemoryTypes &Types)
    : F(F), Args(ArgActivities), ReturnActive(ReturnActive), Types(Types) {
  for (Argument &A : F.args()) {
    ArgActivity Kind = Args[A.getArgNo()];
    if (A.getType()->isPtrOrPtrVectorTy())
      Pointers[&A] = Kind == ArgActivity::Const      ? PointerState::Const
                     : Kind == ArgActivity::DupMaybe ? PointerState::Mixed
                                                     : PointerState::Active;
    else if (Kind != ArgActivity::Const)
      Varied.insert(&A);
  }
  for (Instruction &I : instructions(F))
    if (isa<AllocaInst>(I) || isAllocation(&I))
      Locals[&I];
  for (bool Last : {false, true}) {
    Settled = Last;
    do {
      Changed = false;
      forwardSweep();
      backwardSweep();
    } while (Changed);
  }
}

ArrayRef<const Value *> Activity::objects(const Value *Pointer) const {
  auto [It, New] = ObjectCache.try_emplace(Pointer);
  if (New) {
    SmallVector<const Value *, 4> Found;
    getUnderlyingObjects(Pointer, Found, nullptr, 0);
    ObjectCache[Pointer].assign(Found.begin(), Found.end());
  }
  return ObjectCache[Pointer];
}

Activity::Object *Activity::local(const Value *O) {
  auto It = Locals.find(O);
  return It == Locals.end() ? nullptr : &It->second;
}

const Activity::Object *Activity::local(const Value *O) const {
  auto It = Locals.find(O);
  return It == Locals.end() ? nullptr : &It->second;
}

bool Activity::markVaried(const Value *V) {
  if (isa<Constant>(V) || !Varied.insert(V).second)
    return false;
  return Changed = true;
}

void Activity::markUseful(const Value *V) {
  if (!isa<Constant>(V) && holdsFloat(V->getType()) && Useful.insert(V).second)
    Changed = true;
}

void Activity::join(const Value *V, PointerState S) {
  PointerState &Slot = Pointers[V];
  PointerState Next = joined(Slot, S);
  Changed |= Next != Slot;
  Slot = Next;
}

PointerState Activity::pointer(const Value *V) const {
  if (auto *C = dyn_cast<Constant>(V))
    return C->isNullValue() || isa<UndefValue>(C) ? PointerState::Neutral : PointerState::Const;
  auto It = Locals.find(V);
  if (It != Locals.end())
    // Neutral as long as no shadow is needed: it becomes Active when one is, and nothing may have been joined
    // as Const.
    return It->second.Shadowed ? PointerState::Active : PointerState::Neutral;
  return Pointers.lookup(V);
}

/// Gives shadows to all local objects behind `Pointer`. Where it was loaded, these are any whose address was
/// stored.
void Activity::shadowObjects(const Value *Pointer) {
  auto Shadow = [&](const Value *O) {
    if (Object *L = local(O); L && !L->Shadowed)
      L->Shadowed = Changed = true;
  };
  for (const Value *O : objects(Pointer)) {
    Shadow(O);
    if (Settled && !isa<Constant>(O) && !local(O) && pointer(O) == PointerState::Neutral)
      for (const Value *E : Escaped)
        Shadow(E);
  }
}

/// Whether a pointer was found in a local object, and so may be the address of another one.
bool Activity::mayLeadToLocals(const Value *Pointer) const {
  SmallPtrSet<const Value *, 8> Seen;
  SmallVector<const Value *, 8> Todo = {Pointer};
  while (!Todo.empty()) {
    auto *Load = dyn_cast<LoadInst>(Todo.pop_back_val());
    if (!Load || !Seen.insert(Load).second)
      continue;
    for (const Value *O : objects(Load->getPointerOperand())) {
      if (local(O))
        return true;
      Todo.push_back(O);
    }
  }
  return false;
}

/// Others read the memory behind `Pointer`, and what the pointers stored there lead to; where `Written`, they
/// also write.
void Activity::expose(const Value *Pointer, bool Written) {
  auto Open = [&](Object &L) {
    Changed |= !L.Useful || !L.Shadowed || (Written && !L.Varied);
    L.Useful = L.Shadowed = true;
    L.Varied |= Written;
  };
  for (const Value *O : objects(Pointer)) {
    Object *L = local(O);
    if (!L) {
      if (mayLeadToLocals(O))
        for (const Value *E : Escaped)
          Open(*local(E));
      continue;
    }
    Open(*L);
    if (L->HoldsPointers) // which ones is not followed: any whose address was stored
      for (const Value *E : Escaped)
        Open(*local(E));
  }
}

void Activity::joinContent(const Value *Address, PointerState S) {
  for (const Value *O : objects(Address)) {
    if (Object *L = local(O); L && !L->HoldsPointers)
      L->HoldsPointers = Changed = true;
    PointerState &Slot = local(O) ? local(O)->Content : OutsideContent;
    if (!local(O) && pointer(Address) == PointerState::Const)
      continue;
    PointerState Next = joined(Slot, S);
    Changed |= Next != Slot;
    Slot = Next;
  }
}

/// Whether pointers that are stored at `Address` are taken for ones with a shadow when they are loaded.
bool Activity::holdsShadows(const Value *Address) const {
  return any_of(objects(Address), [&](const Value *O) {
    const Object *L = local(O);
    return L && L->Content == PointerState::Active;
  });
}

void Activity::variedMemory(const Value *Pointer) {
  for (const Value *O : objects(Pointer)) {
    if (Object *L = local(O)) {
      Changed |= !L->Varied;
      L->Varied = true;
    } else if (!EscapedVaried && isa<LoadInst, CallBase>(O)) {
      EscapedVaried = Changed = true; // a loaded pointer may designate any local whose address was stored
    }
  }
}

bool Activity::memoryVaried(const Value *Pointer) const {
  PointerState S = pointer(Pointer);
  for (const Value *O : objects(Pointer)) {
    if (const Object *L = local(O)) {
      if (L->Varied || (EscapedVaried && Escaped.contains(O)))
        return true;
    } else if (S == PointerState::Active || S == PointerState::Mixed) {
      return true;
    }
  }
  return false;
}

void Activity::usefulMemory(const Value *Pointer) {
  for (const Value *O : objects(Pointer)) {
    if (Object *L = local(O)) {
      Changed |= !L->Useful;
      L->Useful = true;
    } else if (isa<LoadInst, CallBase>(O)) {
      for (const Value *E : Escaped)
        if (Object *L = local(E); L && !L->Useful)
          L->Useful = Changed = true;
    }
  }
}

bool Activity::memoryUseful(const Value *Pointer) {
  PointerState S = pointer(Pointer);
  for (const Value *O : objects(Pointer)) {
    if (Object *L = local(O)) {
      if (L->Useful)
        return true;
    } else if (S == PointerState::Active || S == PointerState::Mixed) {
      return true;
    }
  }
  return false;
}

void Activity::forwardSweep() {
  for (Instruction &I : instructions(F))
    forward(I);
  // An object needs a shadow when derivatives can stay in it between a store and a load.
  for (auto &[V, O] : Locals)
    if (!O.Shadowed && ((O.Varied && O.Useful) || O.Content == PointerState::Active ||
                        O.Content == PointerState::Mixed || (EscapedVaried && Escaped.contains(V))))
      O.Shadowed = Changed = true;
}

void Activity::forwardCall(CallBase &Call) {
  if (callsVisibleBody(Call)) {
    bool AnyActive = any_of(Call.args(), [&](const Use &U) {
      return Varied.contains(U.get()) ||
             (U->getType()->isPointerTy() &&
              (hasShadow(U.get()) || memoryVaried(U.get()) || reachesVaried(U.get())));
    });
    for (const Use &U : Call.args())
      if (AnyActive && U->getType()->isPointerTy())
        expose(U.get(), /*Written=*/true); // the callee may store and load through it
    if (AnyActive && holdsFloat(Call.getType()))
      markVaried(&Call);
    // What the callee made has a shadow; it may also return a pointer without one, such as a global's
    // address.
    if (holdsPointer(Call.getType()))
      join(&Call, AnyActive ? PointerState::Mixed : PointerState::Const);
    return;
  }
  if (isAllocation(&Call))
    return;
  if (roundsPointer(Call))
    return join(&Call, pointer(Call.getArgOperand(0)));
  if (Call.getType()->isPointerTy())
    join(&Call, PointerState::Const);
  if (auto *Copy = dyn_cast<MemTransferInst>(&Call)) {
    if (memoryVaried(Copy->getRawSource()))
      variedMemory(Copy->getRawDest());
    if (none_of(Types.pattern(*Copy).Fields,
                [](const TypeField &T) { return T.Kind == ScalarKind::Pointer; }))
      return;
    for (const Value *O : objects(Copy->getRawSource())) {
      if (Object *L = local(O)) {
        joinContent(Copy->getRawDest(), L->Content);
        if (Settled && L->Content == PointerState::Neutral && L->HoldsPointers &&
            holdsShadows(Copy->getRawDest()))
          for (const Value *E : Escaped)
            shadowObjects(E);
      } else {
        joinContent(Copy->getRawDest(),
                    hasShadow(Copy->getRawSource()) ? OutsideContent : PointerState::Const);
      }
    }
    return;
  }
  if (rules::callEffect(Call).Kind == rules::CallKind::Declared)
    return;
  if (holdsFloat(Call.getType()) &&
      any_of(Call.args(), [&](const Use &U) { return Varied.contains(U.get()) && holdsFloat(U->getType()); }))
    markVaried(&Call);
}

void Activity::forward(Instruction &I) {
  if (auto *Call = dyn_cast<CallBase>(&I))
    return forwardCall(*Call);
  if (auto *Load = dyn_cast<LoadInst>(&I)) {
    const Value *Address = Load->getPointerOperand();
    if (holdsPointer(I.getType())) {
      PointerState From = pointer(Address), Content = PointerState::Neutral;
      for (const Value *O : objects(Address))
        Content = joined(Content, local(O) ? local(O)->Content
                                  : From == PointerState::Const || From == PointerState::Neutral
                                      ? From // what leads to memory without a shadow
                                      : OutsideContent);
      join(&I, From == PointerState::Mixed ? PointerState::Mixed : Content);
    }
    if (!I.getType()->isPtrOrPtrVectorTy() && memoryVaried(Address)) {
      // An integer may hold the bits of a float: then it is followed like one.
      AccessPattern P;
      if (!holdsFloat(I.getType()))
        P = Types.pattern(I);
      if (holdsFloat(I.getType()) || P.hasFloat() || P.unknownBytes())
        markVaried(&I);
    }
    return;
  }
  if (auto *Store = dyn_cast<StoreInst>(&I)) {
    const Value *V = Store->getValueOperand(), *Address = Store->getPointerOperand();
    if (V->getType()->isPtrOrPtrVectorTy()) {
      for (const Value *O : objects(V))
        if (local(O) && Escaped.insert(O).second)
          Changed = true;
      joinContent(Address, pointer(V));
      if (holdsShadows(Address))
        shadowObjects(V);
      // Outside, whoever reads the pointer takes it for one with a shadow.
      if (hasShadow(Address) && any_of(objects(Address), [&](const Value *O) { return !local(O); }))
        expose(V, /*Written=*/true);
    } else if (Varied.contains(V)) {
      variedMemory(Address);
    }
    return;
  }
  if (auto *Insert = dyn_cast<InsertValueInst>(&I);
      Insert && holdsPointer(Insert->getInsertedValueOperand()->getType()))
    for (const Value *O : objects(Insert->getInsertedValueOperand()))
      if (local(O) && Escaped.insert(O).second)
        Changed = true;
  if (holdsPointer(I.getType()) && !isa<AllocaInst>(I)) {
    if (isa<PHINode, SelectInst>(I)) {
      unsigned First = isa<SelectInst>(I) ? 1 : 0;
      bool Any = false;
      for (const Use &U : drop_begin(I.operands(), First))
        Any |= hasShadow(U.get());
      for (const Use &U : drop_begin(I.operands(), First)) {
        if (Any)
          shadowObjects(U.get());
        join(&I, pointer(U.get()));
      }
    } else if (isa<IntToPtrInst>(I)) {
      join(&I, PointerState::Const);
    } else {
      for (const Use &U : I.operands())
        if (holdsPointer(U->getType()))
          join(&I, pointer(U.get()));
    }
    if (I.getType()->isPtrOrPtrVectorTy())
      return;
  }
  // Comparisons and conversions to numbers are constant almost everywhere; all else passes derivatives on,
  // also the bits of floats that travel in integers.
  if (isa<CmpInst, FPToSIInst, FPToUIInst, SIToFPInst, UIToFPInst, PtrToIntInst>(I) ||
      I.getType()->isVoidTy())
    return;
  unsigned First = isa<SelectInst>(I) ? 1 : 0;
  for (const Use &U : drop_begin(I.operands(), First))
    if (Varied.contains(U.get()))
      markVaried(&I);
}

void Activity::backwardSweep() {
  for (Instruction &I : instructions(F))
    backward(I);
  for (BasicBlock &B : F) // reverse order inside blocks makes the fixpoint quick
    for (Instruction &I : reverse(B))
      if (Useful.contains(&I) && !isa<LoadInst>(I) &&
          !(isa<CallBase>(I) && callsVisibleBody(cast<CallBase>(I))))
        for (const Use &U : I.operands())
          markUseful(U.get());
}

/// Memory that is returned belongs to the caller, who reads and writes it as memory with a derivative.
void Activity::returned(const Value *V) {
  if (auto *Insert = dyn_cast<InsertValueInst>(V)) {
    returned(Insert->getAggregateOperand());
    returned(Insert->getInsertedValueOperand());
  } else if (V->getType()->isPointerTy()) {
    usefulMemory(V);
    expose(V, /*Written=*/false);
  }
}

void Activity::backward(Instruction &I) {
  if (auto *Ret = dyn_cast<ReturnInst>(&I)) {
    const Value *V = Ret->getReturnValue();
    if (ReturnActive && V)
      markUseful(V);
    if (V && holdsPointer(V->getType()))
      returned(V);
  } else if (auto *Store = dyn_cast<StoreInst>(&I)) {
    if (memoryUseful(Store->getPointerOperand()))
      markUseful(Store->getValueOperand());
  } else if (auto *Load = dyn_cast<LoadInst>(&I)) {
    if (Useful.contains(Load) || (Varied.contains(Load) && Load->getType()->isIntOrIntVectorTy()))
      usefulMemory(Load->getPointerOperand());
  } else if (auto *Copy = dyn_cast<MemTransferInst>(&I)) {
    if (memoryUseful(Copy->getRawDest()))
      usefulMemory(Copy->getRawSource());
  } else if (auto *Call = dyn_cast<CallBase>(&I); Call && callsVisibleBody(*Call)) {
    // What goes in may come out as the memory that a returned pointer leads to.
    if (Useful.contains(Call) || (holdsPointer(Call->getType()) && hasShadow(Call)) ||
        any_of(Call->args(), [&](const Use &U) { return U->getType()->isPointerTy() && hasShadow(U.get()); }))
      for (const Use &U : Call->args())
        markUseful(U.get());
  }
}

bool Activity::isActive(const Value *V) const {
  return Varied.contains(V) && Useful.contains(V) && holdsFloat(V->getType());
}

CallSignature Activity::signature(const CallBase &Call) const {
  CallSignature S;
  for (const Use &U : Call.args()) {
    Type *T = U->getType();
    if (T->isPointerTy())
      S.Args.push_back(!hasShadow(U.get())                       ? ArgActivity::Const
                       : pointer(U.get()) == PointerState::Mixed ? ArgActivity::DupMaybe
                                                                 : ArgActivity::Dup);
    else
      S.Args.push_back(isActive(U.get()) ? ArgActivity::Out : ArgActivity::Const);
  }
  S.ReturnActive = isActive(&Call);
  return S;
}

void Activity::print(raw_ostream &OS) const {
  OS << "activity of " << F.getName() << "\n";
  auto State = [&](const Value *V) -> StringRef {
    if (V->getType()->isPtrOrPtrVectorTy())
      switch (pointer(V)) {
      case PointerState::Neutral:
      case PointerState::Const:
        return "const";
      case PointerState::Active:
        return "shadow";
      case PointerState::Mixed:
        return "shadow?";
      }
    return isActive(V) ? "active" : Varied.contains(V) && holdsFloat(V->getType()) ? "unused" : "const";
  };
  auto Line = [&](const Value &V) {
    if (!holdsFloat(V.getType()) && !V.getType()->isPtrOrPtrVectorTy())
      return;
    OS << "  ";
    V.printAsOperand(OS, false);
    OS << " : " << State(&V) << "\n";
  };
  for (const Argument &A : F.args())
    Line(A);
  for (const Instruction &I : instructions(F))
    Line(I);
}

} // namespace tapefree
