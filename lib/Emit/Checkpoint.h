// Checkpoint: the derivative of a loop whose steps are run again (Prepare/Checkpoint.h).
//
//   augmented   saves the state before the first step, and on the way to the last one before others, as many
//               as there are snapshots; else it runs the steps as they are
//   reverse     step by step, from the last to the first: goes back to the last snapshot before the step,
//   runs
//               the steps in between, with new snapshots in places that have become free, then the step with
//               a record, and its reverse
//
// Where snapshots are taken is the binomial schedule of Griewank and Walther. With s snapshots and at most r
// runs of each step one comes over C(s + r, s) steps, and l steps that need r runs are halved such that both
// parts need no more: m steps up to the next snapshot, then l - m with one snapshot less.
//
// The record is one block: the arguments, what is known of the state, the steps at which the snapshots were
// taken, the snapshots, and last the state behind the loop, which the reverse sweep puts back when it is
// done.
#pragma once
#include "Analysis/Memory/StepState.h"
#include "Emit/Gradient.h"

namespace tapefree {

/// Attribute of derivatives that run steps again. Differentiated again, they would be loops over copies of
/// memory whose types nobody knows.
inline constexpr llvm::StringLiteral CheckpointedMark = "tapefree.checkpointed";

/// The function of the schedule: (steps, snapshots, that at their beginning included) -> steps up to the
/// next snapshot; of at least two of either.
llvm::Function *binomialSplit(llvm::Module &M);

/// Makes of `State`, a copy of a function of steps with a parameter for an address, a function that writes
/// there what is known of the state when the loop begins.
void emitState(llvm::Function &State, const StepState &Known, llvm::ScalarEvolution &SE);

/// What the derivative of such a loop is made from.
struct StepFunctions {
  llvm::Function *Steps = nullptr; // Prepare/Checkpoint.h
  llvm::Function *State = nullptr;
  unsigned Buffers = 0;                  // of the state
  llvm::Function *One = nullptr;         // a step
  const SplitFunctions *Split = nullptr; // its derivative
  // Where the buffers of a step do not overlap, another derivative keeps less; null if there is none.
  const SplitFunctions *Apart = nullptr;
  llvm::Function *Test = nullptr; // (arguments of the derivative) -> whether they do not
};
void emitCheckpointed(const SplitFunctions &Into, const StepFunctions &F, const DerivativeSignature &S);

} // namespace tapefree
