// Retype: integer loads and stores that only move bytes of floats and pointers become accesses of those types.
//
//   %b = load i64, ptr %p     ->    %d = load double, ptr %p ; %b = bitcast double %d to i64
//   store i64 %b, ptr %q      ->    %e = bitcast i64 %b to double ; store double %e, ptr %q
//
// Small copies arrive as integers (calling conventions, memcpy of eight bytes); derivatives follow floats.
#pragma once

namespace llvm {
class Function;
}

namespace tapefree {

/// Rewrites such accesses in place wherever MemoryTypes knows every byte. True if anything changed.
bool retypeCopies(llvm::Function &F);

} // namespace tapefree
