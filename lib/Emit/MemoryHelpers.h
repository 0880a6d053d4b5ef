// MemoryHelpers: small generated functions that move typed bytes between shadows, one for each pattern of types. They are
// internal to the module and get inlined.
#pragma once
#include "Analysis/Types/MemoryTypes.h"
#include "llvm/IR/IRBuilder.h"

namespace tapefree {

/// Adjoint of `memcpy(to, from, bytes)`: for each float of the pattern, from += to and to = 0. `From` null: to = 0 only.
/// `MayOverlap`: of memmove, whose reverse must visit the elements from the right end.
void emitReverseCopy(llvm::IRBuilderBase &B, const AccessPattern &P, llvm::Value *To, llvm::Value *From,
                     llvm::Value *Bytes, bool MayOverlap);
/// Copies the fields of the pattern that are not floats.
void emitCopyPointers(llvm::IRBuilderBase &B, const AccessPattern &P, llvm::Value *To, llvm::Value *From,
                      llvm::Value *Bytes, bool MayOverlap);
/// Sets the bytes of the pattern's floats (or of all its other fields) to `Byte`.
void emitSetFields(llvm::IRBuilderBase &B, const AccessPattern &P, llvm::Value *To, llvm::Value *Byte, llvm::Value *Bytes,
                   bool Floats);

} // namespace tapefree
