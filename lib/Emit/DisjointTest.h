// DisjointTest: the run-time test that chooses between two bodies of a gradient.
#pragma once
#include "Analysis/Lanes/Lanes.h"
#include "Analysis/Memory/Extents.h"
#include "Emit/PromiseCheck.h"
#include "Emit/RangeWalk.h"
#include "Prepare/Prepare.h"
#include "llvm/IR/PassManager.h"

namespace tapefree {

/// `i1 f(parameters of the gradient)`: whether the buffers of `Known` are disjoint as far as the primal
/// touches them, where one of two is written, and so are their shadows. Each of `Walks` runs when what is
/// known without it is disjoint. Null if the ranges cannot be computed at entry after all.
/// `Message`: where given, an overlap ends the program with it, and the function always returns true.
llvm::Function *emitDisjointTest(const Prepared &P, const Activity &Act, const Lanes &L, const Extents &Known,
                                 llvm::ArrayRef<RangeWalk> Walks, llvm::ArrayRef<ArgActivity> Args,
                                 llvm::FunctionType *GradientType, llvm::FunctionAnalysisManager &FAM,
                                 OverlapMessage Message = nullptr);

/// A function of the gradients' type: `Fast` when the test passes, else `Safe`. Without `Safe` the test
/// itself ends the program.
llvm::Function *emitChoice(llvm::Function &Test, llvm::Function &Fast, llvm::Function *Safe);

} // namespace tapefree
