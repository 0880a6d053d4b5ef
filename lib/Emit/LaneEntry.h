// LaneEntry: the door of a batched derivative. Inside, lanes are vectors; across the call they travel in
// memory, since caller and callee need not agree on how vectors are passed.
#pragma once
#include "llvm/IR/Function.h"

namespace tapefree {

/// A function like `Inner`, with an address of N lanes for each vector parameter, and with the results
/// written, in the layout of a C struct of them (lanes as arrays), to a last parameter: `ptr`. It returns
/// nothing.
llvm::Function *emitLaneEntry(llvm::Function &Inner);
/// Gives `To` the target of `From`: vectors then travel between the two as both expect.
void copyTarget(llvm::Function &To, const llvm::Function &From);
/// The type of what it writes; null if `Inner` returns nothing.
llvm::StructType *laneResults(const llvm::Function &Inner);

} // namespace tapefree
