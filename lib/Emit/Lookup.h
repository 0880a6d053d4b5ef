// Lookup: values of the primal in the reverse sweep, as the plan says they are had.
#pragma once
#include "Emit/Emission.h"
#include "Emit/KeptStore.h"

namespace tapefree {

/// The blocks of the reverse sweep that belong to one loop.
struct ReverseLoop {
  llvm::BasicBlock *Preheader = nullptr; // runs once before the reverse of the loop; outer values are looked up here
  llvm::BasicBlock *PreheaderEnd = nullptr; // its last block, once lookups have put branches into it
  llvm::BasicBlock *Dispatch = nullptr;  // chooses where an iteration begins, if there are several places
  llvm::AllocaInst *Counter = nullptr;   // the iteration being reversed: counts down to 0
  llvm::AllocaInst *Selector = nullptr;  // with Dispatch: which place
  llvm::SmallVector<const llvm::BasicBlock *, 4> Begins; // with Dispatch: the places, by selector value
};

class Lookup {
public:
  Lookup(Emission &E, KeptStore &Kept, llvm::DenseMap<const llvm::Loop *, ReverseLoop> &Loops)
      : E(E), Kept(Kept), Loops(Loops) {}
  /// The planned value at the end of B's block, which reverses `Original`.
  llvm::Value *get(llvm::IRBuilderBase &B, ValueRef R, const llvm::BasicBlock *Original);
  /// Values found in `Parent` are good in `Child` as well: it runs only after it, in the same iteration.
  void inherit(llvm::BasicBlock *Child, llvm::BasicBlock *Parent) { Parents[Child] = Parent; }
  llvm::Value *counter(llvm::IRBuilderBase &B, const llvm::Loop *L);

private:
  llvm::Value *at(llvm::IRBuilderBase &B, ValueRef R, const llvm::Loop *Site);
  llvm::Value *build(llvm::IRBuilderBase &B, ValueRef R, const ValuePlan &VP, const llvm::Loop *Site);
  llvm::Value *buildForward(llvm::IRBuilderBase &B, const llvm::Value *V, const llvm::Loop *From, llvm::Value *K,
                            const llvm::Loop *Site, llvm::DenseMap<const llvm::Value *, llvm::Value *> &Done);
  llvm::Value *buildPath(llvm::IRBuilderBase &B, ValueRef R, const llvm::Loop *Site);
  llvm::Value *available(llvm::IRBuilderBase &B, ValueRef R);
  ValueRef canonical(ValueRef R) const;
  llvm::Value *known(llvm::BasicBlock *Block, ValueRef R);

  Emission &E;
  KeptStore &Kept;
  llvm::DenseMap<const llvm::Loop *, ReverseLoop> &Loops;
  llvm::DenseMap<llvm::BasicBlock *, llvm::DenseMap<ValueRef, llvm::Value *>> Memo;
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> Parents;
};

} // namespace tapefree
