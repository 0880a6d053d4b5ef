// LaneChunks: batches wider than a few registers. The derivative is emitted with vectors of all N lanes; here
// the code between two places where lanes come together is put into a loop over chunks of lanes, so that code
// does not grow with N.
#pragma once
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/IR/Function.h"

namespace tapefree {

/// Batches up to this width are straight code.
constexpr unsigned StraightLanes = 8;

/// Rewrites all operations of `F` on vectors of `Width` lanes, if these are more than StraightLanes.
void chunkLanes(llvm::Function &F, unsigned Width, llvm::AAResults &AA);

} // namespace tapefree
