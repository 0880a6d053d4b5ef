// Plan: everything that the reverse sweep will do, decided before any instruction is emitted. Plain data that
// prints.
//
// Each primal or shadow value that the reverse sweep reads has one fate:
//   Available  a constant, an argument, a local array: still there
//   Slot       defined outside all loops: held in a register or on the stack (in the frame of a split
//   function) Recompute  computed again from other planned values Reload     loaded again from memory that
//   nothing overwrote Keep       stored by the forward sweep in an array, one element for each iteration of
//   its loop
#pragma once
#include "Analysis/Activity/Activity.h"
#include "Analysis/Lanes/Lanes.h"
#include "Analysis/Memory/LastStores.h"
#include "Analysis/Memory/Overwrites.h"
#include "Analysis/Types/MemoryTypes.h"
#include "Prepare/Prepare.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

namespace tapefree {

/// A value of the primal, its shadow, or the record that a split call returned.
struct ValueRef {
  enum Kind : uint8_t { Primal, Shadow, Tape };
  const llvm::Value *V = nullptr;
  Kind K = Primal;
  bool operator==(const ValueRef &O) const { return V == O.V && K == O.K; }
  bool operator<(const ValueRef &O) const { return V != O.V ? V < O.V : K < O.K; }
};

enum class Fate : uint8_t { Available, Slot, Recompute, Reload, Keep };

/// How a recomputed value is built.
enum class RecomputeForm : uint8_t {
  Clone,      // the instruction again, on looked-up operands
  Counter,    // the loop's own counter in the reverse sweep
  Recurrence, // start + step * counter [+ second step * counter * (counter - 1) / 2]
  Path,       // a merge phi: its path tree is walked again
  Forward     // a load of what an earlier loop stored: the stored value is computed again
};

struct ValuePlan {
  Fate F = Fate::Available;
  RecomputeForm Form = RecomputeForm::Clone;
  llvm::SmallVector<ValueRef, 3> Operands; // what Recompute and Reload read
  // Forward: the store, and which iteration of its loop wrote what iteration k of the load's loop reads:
  // Shift + Scale k.
  const llvm::StoreInst *From = nullptr;
  int64_t Shift = 0, Scale = 1;
  bool Needed = false; // read directly by a derivative or by control (not only by a recompute)
  Overwrite Why;       // Keep of a load: what overwrites the location
};

/// A kept array: one element for each iteration of the loop.
struct KeptArray {
  ValueRef Value;
  llvm::Type *Element = nullptr;
  uint64_t Bytes = 0; // of one element
  // Values of branches that exclude each other in one iteration share one array.
  llvm::SmallVector<std::pair<ValueRef, llvm::Type *>, 1> Sharing;
  bool holds(ValueRef R) const {
    return Value == R || llvm::any_of(Sharing, [&](const auto &S) { return S.first == R; });
  }
};

struct LoopPlan {
  enum SizeKind : uint8_t {
    Nothing, // keeps nothing
    Stack,   // a constant number of rows, small enough for the stack
    Exact,   // one heap block, sized before the outermost loop
    Growing  // sized while it runs: only the run knows the number of iterations
  };
  const llvm::Loop *L = nullptr;
  bool HasWork = false;  // has anything to reverse; otherwise the reverse sweep passes it by
  bool BodyOnly = false; // rows are written only where the header did not leave
  SizeKind Size = Nothing;
  llvm::Value *TotalRows = nullptr; // Exact: i64 in the outermost preheader
  uint64_t StackRows = 0;           // Stack: the constant number of rows
  llvm::SmallVector<KeptArray, 4> Kept;
  uint64_t RowBytes = 0;
  // Where the reverse sweep enters the loop: (exit block, exiting block) pairs.
  llvm::SmallVector<std::pair<const llvm::BasicBlock *, const llvm::BasicBlock *>, 2> Entries;
};

/// From where the reverse sweep of a block goes on.
struct BlockPlan {
  enum KindT : uint8_t { Start, Goto, Header, Merge } Kind = Start;
  const llvm::BasicBlock *Target = nullptr; // Goto
};

/// The analyses of one prepared function, for one assignment of activities. Read-only for the plan.
struct Facts {
  const Prepared &P;
  llvm::DominatorTree &DT;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  const MemoryTypes &Types;
  const Activity &Act;
  const Lanes &L;
  Overwrites &Over;
  const LastStores &Last;

  /// For a call that stays a call, with a sweep forward and one back.
  CallSignature splitSignature(const llvm::CallBase &Call) const {
    CallSignature S = L.signature(Call);
    S.Overwritten = Over.mayFollowReadsOf(Call);
    return S;
  }
};

/// A hundred iterations for each loop of a nest of this depth.
inline uint64_t assumedRuns(unsigned Depth) {
  uint64_t Runs = 1;
  while (Depth--)
    Runs = llvm::SaturatingMultiply<uint64_t>(Runs, 100);
  return Runs;
}

struct Plan {
  llvm::MapVector<ValueRef, ValuePlan> Values;
  llvm::MapVector<const llvm::Loop *, LoopPlan> Loops; // outer loops first
  llvm::MapVector<const llvm::BasicBlock *, BlockPlan>
      Blocks; // visited by the reverse sweep, in the order of its visit
  llvm::DenseSet<const llvm::BasicBlock *> Work;
  // Allocations that the primal frees: the reverse sweep frees them (with their shadows) at their own place
  // instead.
  llvm::SmallSetVector<const llvm::Value *, 4> FreedAllocations;
  llvm::DenseSet<const llvm::Instruction *> DelayedFrees;

  const ValuePlan &of(ValueRef R) const { return Values.find(R)->second; }
  bool keepsOnHeap() const;
  /// Bytes on the heap, as far as plans are compared by it: every loop is taken to run a hundred times.
  uint64_t heapWeight() const;
  bool keeps() const { return keptValues() != 0; }
  unsigned keptValues() const;
  void print(llvm::raw_ostream &OS, const Facts &F) const;
};

/// Plans the reverse sweep. False after an error.
bool buildPlan(Plan &Out, const Facts &F, Diag &D);

// The steps, one file each.
void planFlow(Plan &Out, const Facts &F);           // Flow.cpp
bool planFrees(Plan &Out, const Facts &F, Diag &D); // Frees.cpp
/// What the reverse of `I` reads; the mirror of Emit/ReverseOps.cpp. False if the instruction cannot be
/// differentiated.
using NeedSink = llvm::function_ref<void(ValueRef)>;
bool reverseNeeds(const llvm::Instruction &I, const Facts &F, NeedSink Need, Diag &D); // Needs.cpp
/// Whether the reverse sweep has anything to do for `I`.
bool hasReverseWork(const llvm::Instruction &I, const Facts &F);             // Needs.cpp
void planValues(Plan &Out, const Facts &F, llvm::ArrayRef<ValueRef> Needed); // Values.cpp
void planLayout(Plan &Out, const Facts &F);                                  // Layout.cpp
/// Whether an instruction gives the same result whenever it is computed again from the same operands, loads
/// excepted.
bool computedAgain(const llvm::Instruction &I); // Values.cpp
/// Finds the store in an earlier loop of the same iteration that wrote what `Load` reads. Fills in From,
/// Shift and Scale, and the operands from outside that loop; false when there is no such store or its value
/// cannot be computed again.
bool describeForward(const llvm::LoadInst &Load, const Facts &F, ValuePlan &VP); // Forwarding.cpp

/// The loops that hold `B` but not `From`, outermost first.
llvm::SmallVector<const llvm::Loop *, 4> loopsEntered(const llvm::BasicBlock *B, const llvm::BasicBlock *From,
                                                      const llvm::LoopInfo &LI);
/// Where the reverse sweep lands when it goes back from `From` to `Pred`: before the outermost loop on the
/// way that has nothing to reverse, else `Pred` itself.
const llvm::BasicBlock *landing(const Plan &P, const llvm::LoopInfo &LI, const llvm::BasicBlock *Pred,
                                const llvm::BasicBlock *From);

/// The type of a planned value.
llvm::Type *typeOf(ValueRef R, const Lanes &L);
/// The loop whose iterations give the value different instances; null outside all loops.
const llvm::Loop *levelOf(ValueRef R, const llvm::LoopInfo &LI);

} // namespace tapefree

template <> struct llvm::DenseMapInfo<tapefree::ValueRef> {
  using Ptr = DenseMapInfo<const Value *>;
  static tapefree::ValueRef getEmptyKey() { return {Ptr::getEmptyKey(), tapefree::ValueRef::Primal}; }
  static tapefree::ValueRef getTombstoneKey() { return {Ptr::getTombstoneKey(), tapefree::ValueRef::Primal}; }
  static unsigned getHashValue(const tapefree::ValueRef &R) { return Ptr::getHashValue(R.V) * 3 + R.K; }
  static bool isEqual(const tapefree::ValueRef &A, const tapefree::ValueRef &B) { return A == B; }
};
