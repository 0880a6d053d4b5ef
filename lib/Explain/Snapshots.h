// Snapshots: what a loop whose steps are run again keeps, and how often they are, as a remark.
#pragma once
#include "Analysis/Memory/StepState.h"
#include "Explain/Remarks.h"

namespace tapefree {

/// `State`: the copy of the function of steps that `Known` speaks of, still with its loop.
void remarkSnapshots(llvm::Function &State, const StepState &Known, llvm::ScalarEvolution &SE,
                     const GradientName &G);

} // namespace tapefree
