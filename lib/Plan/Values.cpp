// The fate of each value that the reverse sweep reads. Values inside loops form a graph: an edge from each
// operand to what is recomputed from it. Sources are values that can be neither recomputed nor reloaded,
// sinks those that derivatives and control read; a minimum cut, weighted by bytes times trips, is what has to
// be kept.
#include "Plan/MinCut.h"
#include "Plan/Plan.h"
#include "Rules/Lookup.h"
#include "Rules/UserRules.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tapefree {

Type *typeOf(ValueRef R, const Lanes &L) {
  if (R.K == ValueRef::Tape) {
    if (std::optional<rules::UserRule> Rule = rules::gradientRule(*cast<CallBase>(R.V)))
      return Rule->Tape;
    return PointerType::getUnqual(R.V->getContext());
  }
  return R.K == ValueRef::Shadow ? L.differentialType(R.V) : R.V->getType();
}

const Loop *levelOf(ValueRef R, const LoopInfo &LI) {
  auto *I = dyn_cast<Instruction>(R.V);
  return I ? LI.getLoopFor(I->getParent()) : nullptr;
}

namespace {
class ValuePlanner {
public:
  ValuePlanner(Plan &Out, const Facts &F) : Out(Out), F(F) {}
  void run(ArrayRef<ValueRef> Needed);

private:
  ValueRef canonical(ValueRef R) const;
  bool available(ValueRef R) const;
  bool describe(ValueRef R, ValuePlan &VP);
  bool describeLoad(const LoadInst &Load, ValueRef R, ValuePlan &VP);
  bool describePhi(const PHINode &Phi, ValueRef R, ValuePlan &VP);
  bool describePath(const PHINode &Phi, ValueRef R, ValuePlan &VP);
  uint64_t weight(ValueRef R) const;
  unsigned vertex(ValueRef R);

  Plan &Out;
  const Facts &F;
  MinCut Graph;
  MapVector<ValueRef, unsigned> Vertices;
  DenseMap<ValueRef, ValuePlan> Descriptions;
  SmallVector<ValueRef, 32> Todo;
};
} // namespace

/// Memory without a derivative has its primal address for a shadow.
ValueRef ValuePlanner::canonical(ValueRef R) const {
  if (R.K == ValueRef::Shadow && !F.Act.hasShadow(R.V))
    R.K = ValueRef::Primal;
  return R;
}

bool ValuePlanner::available(ValueRef R) const {
  if (isa<Constant, Argument, MetadataAsValue>(R.V))
    return true;
  auto *A = dyn_cast<AllocaInst>(R.V);
  return A && A->isStaticAlloca();
}

bool computedAgain(const Instruction &I) {
  if (isa<BinaryOperator, UnaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst, ExtractElementInst,
          InsertElementInst, ShuffleVectorInst, ExtractValueInst, InsertValueInst, FreezeInst>(I))
    return true;
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && !Call->isInlineAsm() && Call->doesNotAccessMemory() && Call->doesNotThrow() &&
         (rules::scalarRule(I) || isa<IntrinsicInst>(Call)) && !Call->isConvergent();
}

bool ValuePlanner::describeLoad(const LoadInst &Load, ValueRef R, ValuePlan &VP) {
  VP.Why = F.Over.after(Load);
  if (VP.Why)
    return R.K == ValueRef::Primal && describeForward(Load, F, VP);
  VP.F = Fate::Reload;
  VP.Operands.push_back(canonical({Load.getPointerOperand(), R.K}));
  return true;
}

/// A merge phi is had again by taking the same branches again: only what lies on the way that was taken is
/// computed.
bool ValuePlanner::describePath(const PHINode &Phi, ValueRef R, ValuePlan &VP) {
  auto It = F.P.Merges.find(Phi.getParent());
  if (It == F.P.Merges.end() || It->second[0].Kind != PathChoice::Test)
    return false;
  for (const PathChoice &C : It->second)
    if (C.Kind == PathChoice::Test)
      VP.Operands.push_back({cast<BranchInst>(C.Block->getTerminator())->getCondition(), ValueRef::Primal});
  for (const Use &U : Phi.incoming_values())
    VP.Operands.push_back(canonical({U.get(), R.K}));
  VP.F = Fate::Recompute;
  VP.Form = RecomputeForm::Path;
  return true;
}

bool ValuePlanner::describePhi(const PHINode &Phi, ValueRef R, ValuePlan &VP) {
  const Loop *L = F.LI.getLoopFor(Phi.getParent());
  if (!L || L->getHeader() != Phi.getParent())
    return Phi.getNumIncomingValues() > 1 && describePath(Phi, R, VP);
  if (F.P.Counts.find(L->getHeader())->second.Counter == &Phi) {
    VP.F = Fate::Recompute;
    VP.Form = RecomputeForm::Counter;
    return true;
  }
  auto Steps = F.P.Recurrences.find(&Phi);
  if (Steps == F.P.Recurrences.end())
    return false;
  VP.F = Fate::Recompute;
  VP.Form = RecomputeForm::Recurrence;
  VP.Operands.push_back(canonical({Phi.getIncomingValueForBlock(L->getLoopPreheader()), R.K}));
  for (Value *Step : Steps->second)
    VP.Operands.push_back({Step, ValueRef::Primal});
  return true;
}

/// Fills in how `R` is had again without keeping it; false if it cannot be.
bool ValuePlanner::describe(ValueRef R, ValuePlan &VP) {
  if (available(R)) {
    VP.F = Fate::Available;
    return true;
  }
  auto &I = cast<Instruction>(*R.V);
  if (!F.LI.getLoopFor(I.getParent())) {
    VP.F = Fate::Slot;
    return true;
  }
  VP.F = Fate::Keep;
  if (R.K == ValueRef::Tape)
    return false;
  if (auto *Load = dyn_cast<LoadInst>(&I))
    return describeLoad(*Load, R, VP);
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return describePhi(*Phi, R, VP);
  if (!computedAgain(I))
    return false;
  VP.F = Fate::Recompute;
  for (const Use &U : I.operands()) {
    if (auto *Call = dyn_cast<CallBase>(&I); Call && Call->isCallee(&U))
      continue;
    // The shadow of an address has shadows of addresses for operands, and the primal's indices and
    // conditions.
    bool Pointer = holdsPointer(U->getType());
    VP.Operands.push_back(canonical({U.get(), Pointer ? R.K : ValueRef::Primal}));
  }
  return true;
}

uint64_t ValuePlanner::weight(ValueRef R) const {
  uint64_t W = F.P.F->getDataLayout().getTypeStoreSize(typeOf(R, F.L));
  for (const Loop *L = levelOf(R, F.LI); L; L = L->getParentLoop()) {
    unsigned Trips = F.SE.getSmallConstantTripCount(L);
    W = SaturatingMultiply<uint64_t>(W, Trips ? Trips : 100);
  }
  return W;
}

unsigned ValuePlanner::vertex(ValueRef R) {
  auto [It, New] = Vertices.insert({R, 0u});
  if (New) {
    It->second = Graph.addVertex(weight(R));
    Todo.push_back(R);
  }
  return It->second;
}

void ValuePlanner::run(ArrayRef<ValueRef> Needed) {
  SmallVector<ValueRef, 32> Roots;
  for (ValueRef R : Needed)
    Roots.push_back(canonical(R));
  for (ValueRef R : Roots)
    Graph.markSink(vertex(R));
  while (!Todo.empty()) {
    ValueRef R = Todo.pop_back_val();
    unsigned V = Vertices.find(R)->second;
    ValuePlan VP;
    if (!describe(R, VP))
      Graph.markSource(V);
    for (ValueRef O : VP.Operands)
      Graph.addEdge(vertex(O), V);
    Descriptions[R] = std::move(VP);
  }
  std::vector<bool> Cut = Graph.solve();

  // Only what the sweep reaches from its needs without crossing the cut is part of the plan.
  SmallVector<ValueRef, 32> Visit(Roots.rbegin(), Roots.rend());
  while (!Visit.empty()) {
    ValueRef R = Visit.pop_back_val();
    auto [It, New] = Out.Values.insert({R, ValuePlan()});
    if (!New)
      continue;
    ValuePlan VP = Descriptions[R];
    if (Cut[Vertices.find(R)->second]) {
      VP.F = Fate::Keep;
      VP.Operands.clear();
    }
    It->second = VP;
    for (ValueRef O : reverse(VP.Operands))
      Visit.push_back(O);
  }
  for (ValueRef R : Roots)
    Out.Values[R].Needed = true;
}

void planValues(Plan &Out, const Facts &F, ArrayRef<ValueRef> Needed) { ValuePlanner(Out, F).run(Needed); }

} // namespace tapefree
