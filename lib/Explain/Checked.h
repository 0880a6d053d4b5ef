// The remark on gradients that test at run time whether buffers overlap.
#pragma once
#include "Explain/Names.h"
#include "Plan/Plan.h"

namespace tapefree {

/// What a message calls a buffer: 'x', 'w->z1', or, without names, "argument 2".
std::string bufferName(Names &Known, const llvm::Value *Root);
/// What the program says, with the line end, when buffers `X` and `Y` turn out to overlap. `Rule`: what they
/// must not do so for.
std::string overlapText(llvm::StringRef X, llvm::StringRef Y, bool Shadows, llvm::StringRef Function,
                        const llvm::CallBase &Call, llvm::StringRef Rule);

/// `Fast`: the plan of the body that runs when the tested buffers are disjoint.
void remarkChecked(const Facts &F, const Plan &Fast, llvm::StringRef Name, size_t Buffers);

} // namespace tapefree
