// What to say where memory is moved or set and its types are not told, or are told in two ways.
#pragma once
#include "Analysis/Types/MemoryTypes.h"
#include "Support/Diag.h"

namespace tapefree {

/// Each byte of a copy that may belong to a floating number must be known to do so or not; reports it
/// otherwise.
bool checkCopiedTypes(const llvm::Instruction &Copy, const MemoryTypes &Types, Diag &D);
/// The same for a memset that goes on past what is known of its memory, where it matters how.
bool checkSetTypes(const llvm::Instruction &Set, const MemoryTypes &Types, Diag &D);

} // namespace tapefree
