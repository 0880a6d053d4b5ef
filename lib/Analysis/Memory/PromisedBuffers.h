// PromisedBuffers: what the caller's promise of the alias policy `disjoint` is about.
//
//   double f(const double *x, struct work *w)    x, w, w->z and w->table are four buffers, reached in four
//   ways: { w->z[i] = x[i]; ... w->table[i][j] ... }   parameters, and pointers found in memory as it was at
//   entry.
//
// What w->table[i] leads to is no buffer of its own: the way to it changes with i. Neither is a buffer known
// by the way if its pointer may be mixed with another one's (c ? x : y), or goes to a call that stays a call:
// nothing is assumed of these. So what is assumed can be observed: every access of a promised buffer is an
// instruction that the forward sweep may record.
#pragma once
#include "Analysis/Memory/DisjointBuffers.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class MemorySSA;
} // namespace llvm

namespace tapefree {

struct PromisedAccess {
  const llvm::Instruction *I;
  const llvm::Value *Pointer;
  unsigned Buffer;
  bool Write;
  uint64_t Bytes;                      // of a load or store
  const llvm::Value *Length = nullptr; // of a memory intrinsic
};

class PromisedBuffers : public DisjointBuffers {
public:
  PromisedBuffers(llvm::Function &F, llvm::MemorySSA &MSSA,
                  llvm::function_ref<bool(const llvm::Value *)> Excluded);
  unsigned size() const override { return unsigned(Roots.size()); }
  std::optional<unsigned> bufferOf(const llvm::Value *Pointer) const override;
  bool shadowsApart(unsigned A, unsigned B) const override { return promised(A, B); }

  /// The pointers by which the buffer is reached: an argument, a global variable, or loads of one place that
  /// is not written.
  llvm::ArrayRef<const llvm::Value *> roots(unsigned Buffer) const { return Roots[Buffer]; }
  /// Whether the promise speaks of the two: one of them is written.
  bool promised(unsigned A, unsigned B) const { return A != B && (Written[A] || Written[B]); }
  llvm::ArrayRef<PromisedAccess> accesses() const { return Accesses; }

private:
  bool isRoot(const llvm::Value *V);

  llvm::MemorySSA &MSSA;
  llvm::DenseMap<const llvm::Value *, bool> Known; // whether it is a root
  llvm::SmallVector<llvm::SmallVector<const llvm::Value *, 1>, 8> Roots;
  llvm::SmallVector<bool, 8> Written;
  llvm::DenseMap<const llvm::Value *, unsigned> Numbers; // root -> buffer
  llvm::SmallVector<PromisedAccess, 16> Accesses;
};

/// Alias facts that hold if the caller keeps the promise.
class PromisedDisjoint : public llvm::AAResultBase {
public:
  explicit PromisedDisjoint(const PromisedBuffers &P) : P(P) {}
  llvm::AliasResult alias(const llvm::MemoryLocation &A, const llvm::MemoryLocation &B, llvm::AAQueryInfo &Q,
                          const llvm::Instruction *);

private:
  const PromisedBuffers &P;
};

} // namespace tapefree
