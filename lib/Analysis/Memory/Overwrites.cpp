#include "Analysis/Memory/Overwrites.h"
#include "Analysis/Memory/IterationDistance.h"
#include "Analysis/Memory/ScopeFacts.h"
#include "Analysis/Memory/SweepOrder.h"
#include "Analysis/Memory/Writers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/CaptureTracking.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tapefree {

/// Pairs of a load and a writer looked at per load, and per function. Beyond them the answer is
/// "overwritten".
static constexpr unsigned MaxPairsPerRead = 1u << 14;
static constexpr unsigned MaxPairs = 1u << 21;

StringRef name(OverwriteKind Kind) {
  switch (Kind) {
  case OverwriteKind::None:
    return "nothing";
  case OverwriteKind::Store:
    return "store";
  case OverwriteKind::MemoryIntrinsic:
    return "memory intrinsic";
  case OverwriteKind::Call:
    return "call";
  case OverwriteKind::Free:
    return "free";
  case OverwriteKind::LifetimeEnd:
    return "end of lifetime";
  case OverwriteKind::Caller:
    return "the caller";
  case OverwriteKind::Volatile:
    return "volatile or atomic access";
  }
  llvm_unreachable("no such kind");
}

void Overwrite::print(raw_ostream &OS) const {
  if (Kind == OverwriteKind::None) {
    OS << "reload";
    return;
  }
  OS << "overwritten by " << name(Kind);
  if (const DebugLoc &Loc = By->getDebugLoc())
    OS << " (line " << Loc.getLine() << ')';
  OS << (Exact ? " exactly" : " maybe");
}

class Overwrites::Impl {
public:
  Impl(Function &F, AAResults &AA, DominatorTree &DT, LoopInfo &LI, ScalarEvolution &SE,
       const TargetLibraryInfo &TLI, OverwriteOptions Options,
       function_ref<bool(const CallBase &)> CallIsHarmless)
      : Options(Options), AA(AA), DT(DT), LI(LI), SameIteration(AA), AnyIteration(AA), Order(F, LI),
        Scopes(F, LI), Distance(SE, LI, DT), Writers(F, AA, TLI, Order, Options, CallIsHarmless) {
    AnyIteration.enableCrossIterationMode();
  }

  Overwrite after(const LoadInst &Load);
  Overwrite after(const Instruction &At, const MemoryLocation &Loc);
  bool mayFollowReadsOf(const CallBase &Call);

  const OverwriteOptions Options;

private:
  struct Read {
    const Instruction &At;
    MemoryLocation Loc;
    const Value *Object;
    Objects From;
  };
  Meeting judge(const Read &R, const Writer &W);
  Meeting judge(const Read &R, const Writer &W, const Pairing &P);
  Meeting judgeWithoutLoops(const Read &R, const Writer &W);
  bool mayWrite(const Read &R, const Writer &W, const Pairing &P, bool PtrIsFixed, bool &Must);
  bool isAnotherObject(const Read &R, const Writer &W, const Pairing &P) const;
  bool isThreadLocal(const Read &R) const;
  static bool isOutOfReach(const Read &R);

  AAResults &AA;
  DominatorTree &DT;
  LoopInfo &LI;
  /// The same analyses, asked about two accesses in the same iteration of all loops, and in any two
  /// iterations.
  BatchAAResults SameIteration, AnyIteration;
  SweepOrder Order;
  ScopeFacts Scopes;
  IterationDistance Distance;
  WriterIndex Writers;
  DenseMap<const LoadInst *, Overwrite> Known;
  unsigned PairsLeft = MaxPairs;
};

Overwrite Overwrites::Impl::after(const LoadInst &Load) {
  auto It = Known.find(&Load);
  if (It != Known.end())
    return It->second;
  Overwrite Result;
  // Even a relaxed atomic load says that another thread may write at any time.
  if (Load.isVolatile() || Load.isAtomic())
    Result = {OverwriteKind::Volatile, &Load, /*Exact=*/false, /*SameObject=*/true};
  else if (!Load.hasMetadata(LLVMContext::MD_invariant_load))
    Result = after(Load, MemoryLocation::get(&Load));
  return Known[&Load] = Result;
}

Overwrite Overwrites::Impl::after(const Instruction &At, const MemoryLocation &Loc) {
  if (!Order.isReachable(At.getParent()) || AA.pointsToConstantMemory(Loc))
    return {};
  Read R{At, Loc, getUnderlyingObject(Loc.Ptr), Objects(Loc.Ptr)};
  Overwrite Worst;
  unsigned Left = MaxPairsPerRead;
  for (const Writer *W : Writers.candidates(R.From)) {
    bool SameObject = W->Object == R.Object;
    // Once there is a culprit only an exact one can replace it, and that writes to the same object.
    if (Worst && !SameObject)
      continue;
    if (!Left || !PairsLeft)
      return Worst ? Worst : Overwrite{W->Kind, W->I, /*Exact=*/false, SameObject};
    --Left;
    --PairsLeft;
    Meeting M = judge(R, *W);
    if (M == Meeting::Surely)
      return {W->Kind, W->I, /*Exact=*/true, /*SameObject=*/true};
    if (M == Meeting::Maybe && !Worst)
      Worst = {W->Kind, W->I, /*Exact=*/false, SameObject};
  }
  if (!Worst && Options.CallerWrites && !isOutOfReach(R))
    return {OverwriteKind::Caller, &At, /*Exact=*/false, /*SameObject=*/false};
  return Worst;
}

/// Whether no caller can write what is read: it belongs to this call of the function alone.
bool Overwrites::Impl::isOutOfReach(const Read &R) {
  return all_of(R.From.list(), [](const Value *O) {
    return isa<AllocaInst>(O) || (isNoAliasCall(O) && !PointerMayBeCaptured(O, /*ReturnCaptures=*/true));
  });
}

/// Of a writer's address only the object counts: where it lies in it may differ between the iterations of
/// loops around both, and scopes of restrict may begin inside of them.
bool Overwrites::Impl::mayFollowReadsOf(const CallBase &Call) {
  if (Options.CallerWrites)
    return true;
  const Instruction *Next = isa<InvokeInst>(Call) ? Call.getParent()->getTerminator() : Call.getNextNode();
  return any_of(Writers.all(), [&](const Writer &W) {
    // Calls leave by one way or another: all that may run behind their block may run behind them.
    if (!isPotentiallyReachable(Next, W.I, nullptr, &DT, &LI) ||
        (W.I == &Call && !LI.getLoopFor(Call.getParent())))
      return false;
    if (W.Kind == OverwriteKind::Volatile)
      return true;
    if (!W.Loc.Ptr)
      return isModSet(AA.getModRefInfo(W.I, &Call));
    MemoryLocation Object = MemoryLocation::getBeforeOrAfter(W.Object);
    Object.AATags.TBAA = W.Loc.AATags.TBAA;
    return isRefSet(AA.getModRefInfo(&Call, Object));
  });
}

/// The worst over all ways in which \p W can run after the read: in the same iteration of all loops around
/// both, or in a later one of one of these loops, whatever the iterations of the loops inside it.
Meeting Overwrites::Impl::judge(const Read &R, const Writer &W) {
  if (Order.irreducible())
    return judgeWithoutLoops(R, W);
  const BasicBlock *From = R.At.getParent(), *To = W.I->getParent();
  const Loop *Common = LI.getLoopFor(From);
  while (Common && !Common->contains(To))
    Common = Common->getParentLoop();

  bool Follows =
      From != To ? Order.mayFollow(From, To)
      // A memcpy reads before it writes, but may not overlap; others may write what they have read.
      : &R.At == W.I ? !isa<AnyMemCpyInst>(W.I)
                     : R.At.comesBefore(W.I);
  if (!Follows && !Common)
    return Meeting::Never;

  // Most pairs are apart for a reason that holds in all iterations.
  bool Must = false;
  Pairing Any;
  if (!mayWrite(R, W, Any, isFixed(R.Loc.Ptr, Any, LI), Must))
    return Meeting::Never;

  Meeting Worst = Follows ? judge(R, W, {Common, nullptr}) : Meeting::Never;
  for (const Loop *L = Common; L && Worst != Meeting::Surely; L = L->getParentLoop())
    if (Distance.mayRepeat(L))
      Worst = std::max(Worst, judge(R, W, {L->getParentLoop(), L}));
  return Worst;
}

Meeting Overwrites::Impl::judge(const Read &R, const Writer &W, const Pairing &P) {
  if (W.Kind == OverwriteKind::Volatile)
    return isThreadLocal(R) ? Meeting::Never : Meeting::Maybe;
  // A store of the very value that was read changes nothing.
  if (const auto *S = dyn_cast<StoreInst>(W.I))
    if (!P.Later && S->getValueOperand() == &R.At && S->getPointerOperand() == R.Loc.Ptr)
      return Meeting::Never;
  bool Must = false;
  if (!mayWrite(R, W, P, isFixed(R.Loc.Ptr, P, LI), Must) || isAnotherObject(R, W, P))
    return Meeting::Never;
  if (Must)
    return Meeting::Surely;
  if (!W.Loc.Ptr)
    return Meeting::Maybe;
  return Distance.meet({R.Loc.Ptr, R.At.getParent(), R.Loc.Size},
                       {W.Loc.Ptr, W.I->getParent(), W.Loc.Size, W.Length}, P);
}

/// In an irreducible cycle there are no iterations to speak of: everything may follow everything, and of no
/// scope can be told to hold.
Meeting Overwrites::Impl::judgeWithoutLoops(const Read &R, const Writer &W) {
  if (W.Kind == OverwriteKind::Volatile)
    return isThreadLocal(R) ? Meeting::Never : Meeting::Maybe;
  bool Must = false;
  return mayWrite(R, W, {}, /*PtrIsFixed=*/false, Must) ? Meeting::Maybe : Meeting::Never;
}

/// What alias analysis says. Its plain answers are about the values of both pointers at one time: here, when
/// the write runs. That is what is asked for only if the read's pointer still has the value it was read with.
bool Overwrites::Impl::mayWrite(const Read &R, const Writer &W, const Pairing &P, bool PtrIsFixed,
                                bool &Must) {
  if (W.Kind == OverwriteKind::Volatile)
    return true;
  BatchAAResults &Oracle = PtrIsFixed ? SameIteration : AnyIteration;
  const Loop *Around = LI.getLoopFor(R.At.getParent());
  MemoryLocation Loc = R.Loc;
  bool Irreducible = Order.irreducible();
  if (Irreducible)
    Loc.AATags.Scope = Loc.AATags.NoAlias = nullptr;
  else
    Loc.AATags = Scopes.holding(Loc.AATags, P.Same, Around);
  if (!W.Loc.Ptr)
    return isModSet(Oracle.getModRefInfo(W.I, Loc));
  MemoryLocation To = W.Loc;
  if (!Irreducible)
    To.AATags = Scopes.holding(To.AATags, P.Same, Around);
  AliasResult A = Oracle.alias(Loc, To);
  Must = A == AliasResult::MustAlias && Loc.Size.isPrecise() && To.Size == Loc.Size;
  return A != AliasResult::NoAlias;
}

/// An allocation inside the loop makes a new object each time, and the old one is not freed before its use in
/// reverse: a write to this iteration's object leaves that of an earlier iteration alone.
bool Overwrites::Impl::isAnotherObject(const Read &R, const Writer &W, const Pairing &P) const {
  const auto *Allocation = dyn_cast<CallBase>(R.Object);
  return P.Later && Allocation && isNoAliasCall(Allocation) && P.Later->contains(Allocation->getParent()) &&
         W.Object == R.Object;
}

bool Overwrites::Impl::isThreadLocal(const Read &R) const {
  return all_of(R.From.list(), [](const Value *O) {
    return isIdentifiedFunctionLocal(O) && !isa<Argument>(O) &&
           !PointerMayBeCaptured(O, /*ReturnCaptures=*/false);
  });
}

Overwrites::Overwrites(Function &F, AAResults &AA, DominatorTree &DT, LoopInfo &LI, ScalarEvolution &SE,
                       const TargetLibraryInfo &TLI, OverwriteOptions Options,
                       function_ref<bool(const CallBase &)> CallIsHarmless)
    : I(std::make_unique<Impl>(F, AA, DT, LI, SE, TLI, Options, CallIsHarmless)) {}
Overwrites::Overwrites(Overwrites &&) = default;
Overwrites::~Overwrites() = default;

Overwrite Overwrites::after(const LoadInst &Load) { return I->after(Load); }
bool Overwrites::mayFollowReadsOf(const CallBase &Call) const { return I->mayFollowReadsOf(Call); }
const OverwriteOptions &Overwrites::options() const { return I->Options; }
Overwrite Overwrites::after(const Instruction &At, const MemoryLocation &Loc) { return I->after(At, Loc); }

} // namespace tapefree
