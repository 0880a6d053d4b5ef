// RangeWalk: the ranges of buffers whose addresses are known only inside of loops, found before the function
// runs.
//
// A walk is the primal without its effects, and without everything on which no address depends: what is left
// are loops over index arrays and counters. It keeps the smallest and the largest address of each buffer.
//
//   for (i...) { low = min(low, 8 start[i]); high = max(high, 8 start[i + 1]); }
//
// What a walk reads must be what the primal will read: index arrays that are not written, of which the tests
// so far have told that nothing that is written overlaps them. So there are stages: a later one may read the
// buffers whose ranges the earlier ones have found.
//
// Where an address depends on one element of an index array and on nothing else (x + 8 col[k]), the walk goes
// once over all of the array between its ends, in place of all loops: that is one vectorised loop, and reads
// nothing that is not in the array. The caller sees to it that the array is not much larger than the part of
// it that is used.
#pragma once
#include "Analysis/Memory/Extents.h"
#include "Prepare/Prepare.h"
#include "llvm/IR/PassManager.h"

namespace tapefree {

/// One stage: `void f(arguments of the primal, i64 *ends, for each of Scanned: its lowest and highest
/// offset)` writes the lowest and the highest offset of each buffer, and how many bytes were counted on the
/// way.
struct RangeWalk {
  llvm::Function *F = nullptr;
  // Buffers of the frozen primal: those whose ends are found, and index arrays that are gone over.
  llvm::SmallVector<const llvm::Value *, 4> Buffers, Scanned;
  unsigned Depth = 0; // of its deepest loop
};

/// Emits the walks that can be had, and enters their buffers into `Known`.
/// `Exact`: no walk goes over a whole index array, so that the ranges are those of the primal and no larger:
/// for tests whose failure ends the program.
llvm::SmallVector<RangeWalk, 2> emitRangeWalks(const Prepared &P, Extents &Known,
                                               llvm::FunctionAnalysisManager &FAM, bool Exact = false);

} // namespace tapefree
