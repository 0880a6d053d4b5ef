// RangeWalk: the ranges of buffers whose addresses are known only inside of loops, found before the function runs.
//
// A walk is the primal without its effects, and without everything on which no address depends: what is left are loops
// over index arrays and counters. It keeps the smallest and the largest address of each buffer.
//
//   for (i...) { low = min(low, 8 start[i]); high = max(high, 8 start[i + 1]); }
//
// What a walk reads must be what the primal will read: index arrays that are not written, of which the tests so far
// have told that nothing that is written overlaps them. So there are stages: a later one may read the buffers whose
// ranges the earlier ones have found.
#pragma once
#include "Analysis/Memory/Extents.h"
#include "Prepare/Prepare.h"
#include "llvm/IR/PassManager.h"

namespace tapefree {

/// One stage: `void f(arguments of the primal, i64 *ends)` writes the lowest and the highest offset of each buffer.
struct RangeWalk {
  llvm::Function *F = nullptr;
  llvm::SmallVector<const llvm::Value *, 4> Buffers; // of the frozen primal
  unsigned Depth = 0;                                // of its deepest loop
};

/// Emits the walks that can be had, and enters their buffers into `Known`.
llvm::SmallVector<RangeWalk, 2> emitRangeWalks(const Prepared &P, Extents &Known,
                                               llvm::FunctionAnalysisManager &FAM);

} // namespace tapefree
