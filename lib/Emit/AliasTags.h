// AliasTags: what the emitter knows of overlaps, told to the optimiser as no-alias scopes on loads and
// stores.
//
// Always: shadow memory does not overlap primal memory (the contract of every derivative), and kept arrays
// are nobody else's. In a body that runs only after a test at entry: neither do the tested buffers overlap
// each other, nor their shadows; likewise in one whose caller promises so.
#pragma once
#include "Analysis/Lanes/Lanes.h"
#include "Analysis/Memory/DisjointBuffers.h"
#include "llvm/IR/IRBuilder.h"

namespace tapefree {

enum class MemoryRole : uint8_t { Primal, Shadow, Kept };

class AliasTags {
public:
  /// `Apart`: buffers that are known to be disjoint in this body, or null.
  AliasTags(llvm::Function &Derivative, const DisjointBuffers *Apart, const Lanes &L);
  /// Marks a load or store of memory in `Role`; `FrozenPointer` is the frozen primal's address for the access
  /// (null for kept memory).
  void tag(llvm::Instruction &Access, MemoryRole Role, const llvm::Value *FrozenPointer);
  /// Declares the scopes at the function's entry, so that inlining and loops around a call keep calls apart.
  void declare();

private:
  unsigned scopeOf(MemoryRole Role, const llvm::Value *FrozenPointer) const;

  llvm::Function &F;
  const DisjointBuffers *Apart;
  const Lanes &L;
  // 0 primal, 1 shadow, 2 kept: accesses whose buffer is none of `Apart`; then primal and shadow of each of
  // these.
  llvm::SmallVector<llvm::MDNode *, 16> Scopes;
};

} // namespace tapefree
