// What stands in the way of a workspace, as errors at the call that gives one or asks for its size.
#pragma once
#include "Plan/Plan.h"

namespace tapefree {

/// A derivative that would take memory from the heap for what it keeps, workspace or not. False after an
/// error.
bool checkWorkspace(const Facts &F, const llvm::CallBase &Call, Diag &D);
/// Arrays whose size only the run knows: no number can be given before. False after an error.
bool checkSizes(const Facts &F, const Plan &P, const llvm::CallBase &Call, Diag &D);
/// What the arrays of `Nest` keep depends on `Unknown`, which only the run knows.
void refuseSize(const Facts &F, const llvm::Loop *Nest, const llvm::Instruction *Unknown,
                const llvm::CallBase &Call, Diag &D);

} // namespace tapefree
