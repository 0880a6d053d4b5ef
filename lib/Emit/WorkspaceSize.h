// WorkspaceSize: the function that says, before a gradient runs, how many bytes it will keep in a workspace.
//
// It is the slice of the primal that leads to the sizes of the kept arrays: what these depend on, and the
// branches that decide whether their loops run. All else is left out. So it writes nothing, and reads memory
// only where nothing before in the primal may have written; anything else that a size depends on is an
// obstacle.
#pragma once
#include "Emit/Gradient.h"

namespace llvm {
class MemorySSA;
} // namespace llvm

namespace tapefree {

/// Why a size is not known before the run: what the arrays of `Nest` depend on.
struct SizeObstacle {
  const llvm::Loop *Nest = nullptr;
  const llvm::Instruction *Unknown = nullptr;
};

/// (parameters of the gradient) -> { i64 }, for a plan without growing arrays. Null with an obstacle.
llvm::Function *emitWorkspaceSize(const Facts &F, const Plan &P, const DerivativeSignature &S,
                                  llvm::MemorySSA &Memory, SizeObstacle &Obstacle, const llvm::Twine &Name);

} // namespace tapefree
