#include "Analysis/Lanes/Lanes.h"
#include "Rules/UserRules.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace tapefree {

static constexpr const char *Given[] = {"one interleaved shadow", "separate shadows"};
static constexpr const char *InMemory[] = {"an interleaved shadow, found in memory",
                                           "separate shadows, found in memory"};
static constexpr const char *MaybeNone =
    "no shadow at all, which only separate shadows can tell when the program runs";
static constexpr const char *ToRule =
    "separate shadows, which is what the registered derivative of a function that it is given to takes";

Type *differentialType(Type *T, LaneLayout L, unsigned Width) {
  if (Width == 1 || T->isVoidTy())
    return T;
  if (auto *ST = dyn_cast<StructType>(T)) {
    SmallVector<Type *, 4> Elements;
    for (Type *E : ST->elements())
      Elements.push_back(differentialType(E, L, Width));
    return StructType::get(T->getContext(), Elements, ST->isPacked());
  }
  if (auto *AT = dyn_cast<ArrayType>(T))
    return ArrayType::get(differentialType(AT->getElementType(), L, Width), AT->getNumElements());
  if (T->isPointerTy() && L == LaneLayout::Interleaved)
    return T;
  if (auto *VT = dyn_cast<FixedVectorType>(T))
    return FixedVectorType::get(VT->getElementType(), VT->getNumElements() * Width);
  return FixedVectorType::get(T, Width);
}

Lanes::Lanes(const Function &F, const Activity &Act, const LaneSignature &S) : F(F), Act(Act), S(S) {
  if (wide())
    solve();
}

/// Whether the value is a pointer (or holds one) whose shadow has a layout. Constants take any.
bool Lanes::follows(const Value *V) const {
  return holdsPointer(V->getType()) && !isa<Constant>(V) && Act.hasShadow(V);
}

void Lanes::join(const Value *A, const Value *B) {
  if ((A == memory() || follows(A)) && (B == memory() || follows(B)))
    Classes.unionSets(A, B);
}

void Lanes::joinOperands(const Instruction &I) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return join(Store->getValueOperand(), memory());
  if (auto *Ret = dyn_cast<ReturnInst>(&I)) {
    if (Ret->getReturnValue())
      join(Ret->getReturnValue(), memory());
    return;
  }
  if (!follows(&I))
    return;
  Classes.insert(&I);
  if (isa<LoadInst>(I) || (isa<CallBase>(I) && callsVisibleBody(cast<CallBase>(I))))
    return join(&I, memory());
  if (roundsPointer(I))
    return join(&I, I.getOperand(0));
  if (isa<GetElementPtrInst, CastInst, FreezeInst, SelectInst, PHINode, ExtractValueInst, InsertValueInst>(I))
    for (const Use &U : I.operands())
      join(&I, U.get());
}

void Lanes::demand(const Value *V, LaneLayout L, const char *Why) {
  auto [It, New] = Demands.try_emplace(Classes.getLeaderValue(V), Demand{L, Why});
  if (!New && It->second.Layout != L)
    Conflicts.push_back({V, It->second.Why, Why});
}

void Lanes::solve() {
  Classes.insert(memory());
  for (const Argument &A : F.args())
    if (follows(&A))
      Classes.insert(&A);
  for (const Instruction &I : instructions(F))
    joinOperands(I);
  demand(memory(), inMemory(), InMemory[unsigned(inMemory())]);
  for (const Argument &A : F.args())
    if (follows(&A))
      demand(&A, S.arg(A.getArgNo()), Given[unsigned(S.arg(A.getArgNo()))]);
  // The test for "no shadow" compares a shadow with its primal: that survives pointer arithmetic only where
  // offsets are equal.
  auto MayHaveNone = [&](const Value *V) {
    if (follows(V) && V->getType()->isPointerTy() && Act.pointer(V) == PointerState::Mixed)
      demand(V, LaneLayout::Separate, MaybeNone);
  };
  for (const Argument &A : F.args())
    MayHaveNone(&A);
  for (const Instruction &I : instructions(F)) {
    MayHaveNone(&I);
    if (auto *Call = dyn_cast<CallBase>(&I); Call && rules::userRule(*Call))
      for (const Use &U : Call->args())
        if (follows(U.get()))
          demand(U.get(), LaneLayout::Separate, ToRule);
    // Across calls pointers mix with those in memory.
    if (auto *Call = dyn_cast<CallBase>(&I);
        Call && callsVisibleBody(*Call) && inMemory() == LaneLayout::Separate)
      for (const Use &U : Call->args())
        if (follows(U.get()))
          demand(U.get(), LaneLayout::Separate, InMemory[unsigned(LaneLayout::Separate)]);
    // An interleaved buffer of the caller holds one pointer per field, not one for each lane.
    auto *Load = dyn_cast<LoadInst>(&I);
    if (!Load || !follows(Load) || inMemory() == LaneLayout::Interleaved ||
        !follows(Load->getPointerOperand()))
      continue;
    auto It = Demands.find(Classes.getLeaderValue(Load->getPointerOperand()));
    if (It != Demands.end() && It->second.Layout == LaneLayout::Interleaved)
      Conflicts.push_back({Load, It->second.Why, InMemory[unsigned(inMemory())], true});
  }
}

LaneLayout Lanes::of(const Value *V) const {
  if (!wide() || !follows(V) || !Classes.contains(V))
    return LaneLayout::Interleaved;
  auto It = Demands.find(Classes.getLeaderValue(V));
  return It == Demands.end() ? LaneLayout::Interleaved : It->second.Layout;
}

CallSignature Lanes::signature(const CallBase &Call) const {
  CallSignature Of = Act.signature(Call);
  if (!wide())
    return Of;
  Of.Lanes.Width = S.Width;
  Of.Lanes.InMemory = inMemory();
  for (auto [A, U] : zip(Of.Args, Call.args())) {
    LaneLayout L = of(U.get());
    // A pointer that may have no shadow here has a layout in which that can be told there.
    Of.Lanes.Args.push_back(A == ArgActivity::DupMaybe ? LaneLayout::Separate : L);
  }
  return Of;
}

/// Vectors of the primal are taken apart (Prepare/Scalarise.cpp) except where they cross calls.
static bool inLanes(const Instruction &I) {
  if (isa<ExtractElementInst>(I))
    return isa<ConstantInt>(I.getOperand(1));
  if (!I.getType()->isVectorTy())
    return true;
  if (isa<InsertElementInst>(I))
    return isa<ConstantInt>(I.getOperand(2));
  return isa<CallBase>(I) && callsVisibleBody(cast<CallBase>(I));
}

bool Lanes::check(Diag &D) const {
  if (!wide())
    return true;
  unsigned Before = D.errors();
  const Instruction &Start = *F.getEntryBlock().getTerminator();
  for (const Conflict &C : Conflicts) {
    auto *I = dyn_cast<Instruction>(C.Where);
    D.error(I ? *I : Start,
            Twine("in this batch one pointer leads to ") + C.One + ", or to " + C.Other +
                ": give all buffers that it can point to the same layout (dup and dupv, or dupi)");
    return false;
  }
  for (const Instruction &I : instructions(F)) {
    bool Carries = Act.isActive(&I) || (holdsPointer(I.getType()) && Act.hasShadow(&I));
    bool Stores =
        isa<StoreInst>(I) && I.getOperand(0)->getType()->isVectorTy() && Act.hasShadow(I.getOperand(1));
    if (Stores || (Carries && !inLanes(I)))
      D.error(I, "a vector instruction with differentiated data cannot be differentiated in a batch: write "
                 "it as a loop over "
                 "its elements");
    else if (Carries && isa<IntToPtrInst>(I))
      D.error(
          I,
          "a pointer is made from an integer here, and its shadows in a batch cannot be: keep it a pointer");
    if (D.errors() != Before)
      return false;
  }
  return true;
}

} // namespace tapefree
