// LastStores: which stores of a loop matter only in its last iteration?
//
//   for (k = 0; k < n; ++k) c[i] += a[k];        // the sum is in a register; c[i] is stored in every
//   iteration
//
// The address stays the same and nothing else in the loop touches the location, so the loop could as well
// store once, behind it. The reverse sweep does so: it takes the seed once, in front of the reversed loop,
// and not in every iteration of it.
#pragma once
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class AAResults;
class DominatorTree;
class LoopInfo;
class StoreInst;
} // namespace llvm

namespace tapefree {

class LastStores {
public:
  /// `AA` must speak of different iterations as well: no scopes of `restrict` that begin inside a loop.
  LastStores(const llvm::DominatorTree &DT, const llvm::LoopInfo &LI, llvm::AAResults &AA);
  /// Whether of all that `S` stores in one run of its loop only what the last iteration stores can be seen.
  bool contains(const llvm::StoreInst &S) const { return Stores.contains(&S); }

private:
  llvm::SmallPtrSet<const llvm::StoreInst *, 8> Stores;
};

} // namespace tapefree
