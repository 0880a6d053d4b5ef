/// \file
/// Which block may run after which *in the same iteration of every loop around both*?
///
///   for (i) {            a: load
///     a; b;              b after a: yes.  a after b: no, only an iteration later, which is the
///   }                    business of IterationDistance
///
/// The control flow without back edges is a DAG; its transitive closure is kept as one bit vector per block.
#pragma once
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Function;
class Loop;
class LoopInfo;
} // namespace llvm

namespace tapefree {

class SweepOrder {
public:
  SweepOrder(const llvm::Function &F, const llvm::LoopInfo &LI);

  /// May \p To run after \p From has been left, without a new iteration of a loop that contains both?
  /// Meaningless when the function is irreducible().
  bool mayFollow(const llvm::BasicBlock *From, const llvm::BasicBlock *To) const;

  /// Number of the block in an order in which every block comes before those that may follow it.
  /// Blocks that cannot be reached have none.
  bool isReachable(const llvm::BasicBlock *BB) const { return Number.contains(BB); }
  unsigned number(const llvm::BasicBlock *BB) const { return Number.lookup(BB); }

  /// A cycle that is not a natural loop: "iteration" has no meaning then, so no answer here does either.
  bool irreducible() const { return Irreducible; }

private:
  using Blocks = llvm::SmallVector<const llvm::BasicBlock *, 4>;
  void successors(const llvm::BasicBlock *BB, const llvm::LoopInfo &LI, Blocks &Out) const;
  const Blocks &exits(const llvm::Loop *L);

  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Number;
  llvm::DenseMap<const llvm::Loop *, Blocks> Exits;
  /// Indexed by number; empty in functions of so many blocks that the closure would be too large.
  llvm::SmallVector<llvm::BitVector, 0> Reach;
  bool Irreducible = false;
};

} // namespace tapefree
