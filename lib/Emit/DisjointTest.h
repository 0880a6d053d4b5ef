// DisjointTest: the run-time test that chooses between two bodies of a gradient.
#pragma once
#include "Analysis/Memory/Extents.h"
#include "Prepare/Prepare.h"
#include "llvm/IR/PassManager.h"

namespace tapefree {

/// `i1 f(arguments of the primal)`: whether the given pairs of buffers of `Known` are disjoint as far as the primal touches
/// them. Null if the ranges cannot be computed at entry after all.
llvm::Function *emitDisjointTest(const Prepared &P, const Extents &Known, const std::set<AssumedDisjoint::Pair> &Pairs,
                                 llvm::FunctionAnalysisManager &FAM);

/// A function of the gradients' type: `Fast` when the test passes, else `Safe`. `PrimalArguments`: for each parameter of the
/// gradient, whether it is one of the primal (and not a shadow or a seed).
llvm::Function *emitChoice(llvm::Function &Test, llvm::Function &Fast, llvm::Function &Safe,
                           llvm::ArrayRef<bool> PrimalArguments);

} // namespace tapefree
