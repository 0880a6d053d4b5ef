// The statement that marks a loop whose steps are to be run again (Prepare/Checkpoint.h).
#pragma once
#include "llvm/ADT/StringRef.h"

namespace tapefree {

inline constexpr llvm::StringLiteral CheckpointName = "__tapefree_checkpoint";

} // namespace tapefree
