// Finds the cause of each kept value: the value itself, or, where the cut lies behind it, the first of the
// values that it is computed from that can be neither computed nor read again.
#include "Explain/Explanation.h"
#include "Prepare/Checkpoint.h"
#include "Rules/Lookup.h"
#include "Rules/UserRules.h"
#include "Support/Diag.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace tapefree {

StringRef name(Cause C) {
  static constexpr StringRef Texts[] = {
#define CAUSE(Id, Why, Edit) #Id,
#include "Explain/Causes.def"
#undef CAUSE
  };
  return Texts[unsigned(C)];
}

static StringRef whyText(Cause C) {
  static constexpr StringRef Texts[] = {
#define CAUSE(Id, Why, Edit) Why,
#include "Explain/Causes.def"
#undef CAUSE
  };
  return Texts[unsigned(C)];
}

static StringRef editText(Cause C) {
  static constexpr StringRef Texts[] = {
#define CAUSE(Id, Why, Edit) Edit,
#include "Explain/Causes.def"
#undef CAUSE
  };
  return Texts[unsigned(C)];
}

namespace {
struct Found {
  Cause C;
  const Instruction *At; // what can be neither computed nor read again
  Overwrite Why;         // of a load
};

class CauseFinder {
public:
  CauseFinder(const Facts &F, Names &N) : F(F), N(N) {}
  std::optional<Found> find(ValueRef R);

private:
  std::optional<Found> ofLoad(const LoadInst &Load);
  std::optional<Found> ofPhi(const PHINode &Phi);
  std::optional<Found> ofOperands(const Instruction &I);

  const Facts &F;
  Names &N;
  SmallPtrSet<const Value *, 32> Seen;
};
} // namespace

std::optional<Found> CauseFinder::ofOperands(const Instruction &I) {
  for (const Use &U : I.operands())
    if (auto C = find({U.get(), ValueRef::Primal}))
      return C;
  return std::nullopt;
}

std::optional<Found> CauseFinder::ofLoad(const LoadInst &Load) {
  Overwrite Why = F.Over.after(Load);
  if (!Why)
    return find({Load.getPointerOperand(), ValueRef::Primal});
  switch (Why.Kind) {
  case OverwriteKind::Call:
    return Found{Why.By->use_empty() ? Cause::CallWritesOnly : Cause::CallWrites, &Load, Why};
  case OverwriteKind::Caller:
    return Found{Cause::CallerWrites, &Load, Why};
  case OverwriteKind::Free:
  case OverwriteKind::LifetimeEnd:
    return Found{Cause::Released, &Load, Why};
  case OverwriteKind::Volatile:
    return Found{Cause::Unrepeatable, &Load, Why};
  default:
    break;
  }
  // Memory of this function's own cannot be handed in twice: it has to grow by a dimension.
  const Value *Object = getUnderlyingObject(Load.getPointerOperand());
  if (isa<AllocaInst>(Object) || isAllocation(Object))
    return Found{Cause::Scratch, &Load, Why};
  if (Why.Exact)
    return Found{Cause::InPlace, &Load, Why};
  const Value *Written = getPointerOperand(Why.By);
  if (auto *M = dyn_cast_or_null<MemIntrinsic>(Why.By))
    Written = M->getRawDest();
  auto Read = N.buffer(Load.getPointerOperand()), Into = Written ? N.buffer(Written) : std::nullopt;
  bool Apart = !Why.SameObject && (!Read || !Into || Read != Into);
  return Found{Apart ? Cause::MayOverlap : Cause::MayOverlapInside, &Load, Why};
}

static bool asksForSize(const Instruction &I) {
  auto *Call = dyn_cast<CallBase>(&I);
  return Call && Call->getCalledFunction() && Call->getCalledFunction()->getName() == "malloc_usable_size";
}

/// Whether `V` is, or lies in, what a realloc became (Lower.cpp): an allocation at the line of a question for
/// a size.
static bool isReallocated(const Value *V) {
  auto *I = dyn_cast<Instruction>(getUnderlyingObject(V));
  if (!I || !isAllocation(I) || !I->getFunction()->hasFnAttribute(ReallocMark))
    return false;
  return any_of(*I->getParent(),
                [&](const Instruction &J) { return asksForSize(J) && J.getDebugLoc() == I->getDebugLoc(); });
}

std::optional<Found> CauseFinder::ofPhi(const PHINode &Phi) {
  if (N.countedBy(&Phi))
    return Found{Cause::Trips, &Phi, {}};
  if (N.isSelector(&Phi))
    return Found{Cause::Path, &Phi, {}};
  const Loop *L = F.LI.getLoopFor(Phi.getParent());
  if (L->getHeader() == Phi.getParent()) {
    if (F.P.Counts.find(L->getHeader())->second.Counter == &Phi)
      return std::nullopt;
    if (F.P.Recurrences.contains(&Phi)) // has a formula of its own, from where it starts
      return find({Phi.getIncomingValueForBlock(L->getLoopPreheader()), ValueRef::Primal});
    const Value *Next = Phi.getIncomingValueForBlock(L->getLoopLatch());
    return Found{isReallocated(Next) ? Cause::Reallocated : Cause::Carried, &Phi, {}};
  }
  if (Phi.getNumIncomingValues() == 1)
    return Found{Cause::LoopResult, &Phi, {}};
  // Where conditions tell the ways apart, the value is had again by taking the branches again: a condition,
  // or what comes along a way, is what is missing.
  auto It = F.P.Merges.find(Phi.getParent());
  if (It != F.P.Merges.end() && It->second[0].Kind == PathChoice::Test) {
    for (const PathChoice &C : It->second)
      if (C.Kind == PathChoice::Test)
        if (auto Missing =
                find({cast<BranchInst>(C.Block->getTerminator())->getCondition(), ValueRef::Primal}))
          return Missing;
    return ofOperands(Phi);
  }
  return Found{Cause::Branches, &Phi, {}};
}

/// What a call leaves in a block of its own; the tape of a user's rule is a plain value.
static bool isRecord(ValueRef R) {
  return R.K == ValueRef::Tape && !rules::gradientRule(*cast<CallBase>(R.V));
}

/// Of what a call that stays a call leaves.
static Cause recordCause(const Instruction &Call) {
  const Function *Callee = cast<CallBase>(Call).getCalledFunction();
  if (rules::gradientRule(cast<CallBase>(Call)))
    return Cause::RuleTape;
  return Callee && Callee->hasFnAttribute(StepsMark) ? Cause::Snapshots : Cause::CallRecord;
}

std::optional<Found> CauseFinder::find(ValueRef R) {
  auto *I = dyn_cast<Instruction>(R.V);
  if (!I || !F.LI.getLoopFor(I->getParent()) || !Seen.insert(I).second)
    return std::nullopt;
  if (R.K == ValueRef::Tape)
    return Found{recordCause(*I), I, {}};
  if (auto *Load = dyn_cast<LoadInst>(I))
    return ofLoad(*Load);
  if (auto *Phi = dyn_cast<PHINode>(I))
    return ofPhi(*Phi);
  if (isAllocation(I) || isa<AllocaInst>(I))
    return Found{isReallocated(I) ? Cause::Reallocated : Cause::Allocation, I, {}};
  if (asksForSize(*I) && I->getFunction()->hasFnAttribute(ReallocMark))
    return Found{Cause::Reallocated, I, {}};
  if (auto *Call = dyn_cast<CallBase>(I)) {
    if (Call->doesNotAccessMemory() && (rules::scalarRule(*Call) || isa<IntrinsicInst>(Call)))
      return ofOperands(*Call);
    return Found{Cause::CallResult, I, {}};
  }
  return ofOperands(*I);
}

//===--- Texts
//----------------------------------------------------------------------------------------------------===//

static std::string quoted(const std::optional<std::string> &Name, const Twine &Otherwise) {
  return Name ? "'" + *Name + "'" : Otherwise.str();
}

static std::string calleeOf(const Instruction *I) {
  auto *Call = dyn_cast_or_null<CallBase>(I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  if (!Callee)
    return "a function reached through a pointer";
  return Callee->isIntrinsic() ? "a compiler built-in" : "'" + userName(*Callee) + "'";
}

static std::string writeText(const Instruction &By, Names &N) {
  if (isa<MemSetInst>(By))
    return "the fill of " + quoted(N.place(By), "memory");
  if (isa<MemIntrinsic>(By))
    return "the copy to " + quoted(N.place(By), "memory");
  if (!getLoadStorePointerOperand(&By))
    return "the write";
  return "the store to " + quoted(N.place(By), "memory");
}

/// What a note at the line of the cause calls it.
static std::string causeName(const Found &C, Names &N) {
  switch (C.C) {
  case Cause::MayOverlap:
  case Cause::MayOverlapInside:
  case Cause::InPlace:
  case Cause::Scratch:
    return C.Why.By ? writeText(*C.Why.By, N) : "";
  case Cause::CallWrites:
  case Cause::CallWritesOnly:
  case Cause::CallResult:
  case Cause::CallRecord:
  case Cause::RuleTape:
    return "the call of " + calleeOf(C.Why.By ? C.Why.By : C.At);
  case Cause::CallerWrites:
    return "the read";
  case Cause::Released:
    return "the release";
  case Cause::LoopResult:
  case Cause::Trips:
  case Cause::Snapshots:
    return "the loop";
  case Cause::Branches:
  case Cause::Path:
    return "the condition";
  case Cause::Allocation:
  case Cause::Reallocated:
    return "the allocation";
  case Cause::Carried:
  case Cause::Unrepeatable:
  case Cause::Other:
    return "";
  }
  llvm_unreachable("a cause that is none");
}

/// Replaces each $word of a text.
static std::string fillIn(StringRef Text, function_ref<std::string(StringRef)> Word) {
  std::string Out;
  while (!Text.empty()) {
    auto [Before, After] = Text.split('$');
    Out += Before;
    Text = After;
    if (Text.empty())
      break;
    StringRef Key = Text.take_while(isAlpha);
    Out += Word(Key);
    Text = Text.drop_front(Key.size());
  }
  return Out;
}

static DebugLoc causeLine(const Found &C, const Facts &F, Names &N) {
  if (C.Why.By)
    return userLine(C.Why.By->getDebugLoc());
  if (C.C == Cause::LoopResult)
    if (const Loop *L = F.LI.getLoopFor(cast<PHINode>(C.At)->getIncomingBlock(0)))
      return N.loopLine(*L);
  return N.line(C.At);
}

static void writeTexts(Explanation &E, const Found &C, Names &N) {
  auto *Load = dyn_cast<LoadInst>(C.At);
  auto Variable = [&]() -> std::string {
    auto Name = N.expression(E.Value.V);
    return Name && all_of(*Name, [](char X) { return isAlnum(X) || X == '_'; }) ? *Name : "a";
  };
  auto Word = [&](StringRef Key) -> std::string {
    if (Key == "place")
      return Load ? quoted(N.place(*Load), C.At == E.Value.V ? "it" : "the value loaded") : "it";
    if (Key == "buffer")
      return quoted(Load ? N.buffer(Load->getPointerOperand()) : std::nullopt,
                    "the pointer read through" + Names::atLine(N.line(C.At), E.Line));
    if (Key == "write")
      return C.Why.By ? writeText(*C.Why.By, N) + Names::atLine(E.CauseLine, E.Line) : "something";
    if (Key == "into") {
      const Value *Written = C.Why.By ? getPointerOperand(C.Why.By) : nullptr;
      if (auto *M = dyn_cast_or_null<MemIntrinsic>(C.Why.By))
        Written = M->getRawDest();
      return quoted(Written ? N.buffer(Written) : std::nullopt,
                    "the pointer written through" + Names::atLine(E.CauseLine, E.Line));
    }
    if (Key == "at")
      return Names::atLine(E.CauseLine, E.Line);
    if (Key == "callee")
      return calleeOf(C.Why.By ? C.Why.By : C.At);
    return Variable();
  };
  E.Because = fillIn(whyText(C.C), Word);
  E.Edit = fillIn(editText(C.C), Word);
  // The kept value is a result of what is overwritten: say which link is missing.
  if (C.At != E.Value.V && Load)
    E.Because = "it is computed from " + Word("place") + ", and " + E.Because;
}

static Explanation explain(ValueRef R, const Facts &F, Names &N) {
  Explanation E;
  E.Value = R;
  E.Line = N.line(R.V);
  E.Calls = inlinedCalls(E.Line);
  E.Name = N.describe(R);
  Found C = CauseFinder(F, N).find(R).value_or(Found{Cause::Other, cast<Instruction>(R.V), {}});
  E.Why = C.C;
  E.CauseLine = causeLine(C, F, N);
  E.CauseName = causeName(C, N);
  writeTexts(E, C, N);
  return E;
}

static Explanation explainKept(ValueRef R, const KeptArray &K, const LoopPlan &LP, const Facts &F, Names &N) {
  Explanation E = explain(R, F, N);
  E.RowBytes = K.Bytes;
  ByteCount Count = countBytes(LP, K.Bytes, F, N, E.Line);
  E.Bytes = std::move(Count.Text);
  E.Total = std::move(Count.Total);
  bool Record = isRecord(R);
  E.OnHeap = LP.Size != LoopPlan::Stack || Record;
  E.Place = LP.Size == LoopPlan::Stack   ? "on the stack"
            : LP.Size == LoopPlan::Exact ? "in one heap block"
                                         : "in a heap block that grows";
  if (Record)
    E.Place += ", and what each record keeps in a block of its own";
  return E;
}

SmallVector<Explanation, 4> explainPlan(const Facts &F, const Plan &P) {
  SmallVector<Explanation, 4> All;
  Names N(F);
  for (const auto &[R, VP] : P.Values)
    if (isRecord(R) && VP.F == Fate::Slot) {
      Explanation E = explain(R, F, N);
      E.Why = recordCause(*cast<Instruction>(R.V));
      E.CauseLine = E.Line;
      E.CauseName.clear(); // the value is the call
      writeTexts(E, {E.Why, cast<Instruction>(R.V), {}}, N);
      E.Bytes = E.Why == Cause::Snapshots ? "as many bytes as the remark on that loop says"
                                          : "as many bytes as that call keeps";
      E.Place = "in a heap block of its own";
      E.OnHeap = true;
      All.push_back(std::move(E));
    }
  for (const auto &[L, LP] : P.Loops)
    for (const KeptArray &K : LP.Kept) {
      Explanation First = explainKept(K.Value, K, LP, F, N);
      std::string Name = First.Name;
      DebugLoc Line = First.Line;
      All.push_back(std::move(First));
      for (const auto &[Value, Element] : K.Sharing) {
        Explanation E = explainKept(Value, K, LP, F, N);
        // Counted once: one iteration writes only one of them.
        E.Total = Polynomial(0);
        E.Place += ", shared with " + Name + Names::atLine(Line, E.Line);
        All.push_back(std::move(E));
      }
    }
  return All;
}

} // namespace tapefree
