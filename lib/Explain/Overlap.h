// What a program says at run time when two buffers overlap that must not.
#pragma once
#include "Explain/Names.h"

namespace tapefree {

/// What a message calls a buffer: 'x', 'w->z1', or, without names, "argument 2".
std::string bufferName(Names &Known, const llvm::Value *Root);
/// What the program says, with the line end, when buffers `X` and `Y` turn out to overlap. `Rule`: what they
/// must not do so for.
std::string overlapText(llvm::StringRef X, llvm::StringRef Y, bool Shadows, llvm::StringRef Function,
                        const llvm::CallBase &Call, llvm::StringRef Rule);

} // namespace tapefree
