// KeptStore: the arrays of kept values, from their allocation before the outermost loop to their release in
// reverse.
//
// Every loop that keeps something has a cursor: the number of its iterations so far, over all of its runs. An
// iteration writes its row at `base + counter`, where base is the cursor at the start of this run; the
// reverse sweep moves the cursor back by the run's length and reads the same rows.
#pragma once
#include "Emit/Emission.h"

namespace tapefree {

/// The bytes that the exactly sized arrays of a loop nest take, at a place before its outermost loop. `Map`:
/// from the frozen primal. Null where the nest has none.
llvm::Value *nestBytes(llvm::IRBuilderBase &B, const Plan &P, const llvm::Loop *Outermost,
                       const llvm::ValueToValueMapTy &Map);

class KeptStore {
public:
  explicit KeptStore(Emission &E) : E(E) {}
  /// Allocates and fills the arrays in the forward sweep. Call when all shadows and slots exist.
  void storeForward();
  /// The value in the forward sweep that `R` stands for.
  llvm::Value *forwardValue(ValueRef R) const;

  /// Reverse sweep: a run of `L` with `BackEdges` taken back edges begins; emitted before its first
  /// iteration.
  void beginReverse(llvm::IRBuilderBase &B, const llvm::Loop *L, llvm::Value *BackEdges);
  /// Reverse sweep: the row of iteration `Counter`.
  llvm::Value *load(llvm::IRBuilderBase &B, ValueRef R, const llvm::Loop *L, llvm::Value *Counter);
  /// Reverse sweep: the outermost loop `L` is done, and so are the arrays of its nest.
  void release(llvm::IRBuilderBase &B, const llvm::Loop *L);
  /// An exception leaves the derivative: releases whatever there is by now.
  void releaseAll(llvm::IRBuilderBase &B);

private:
  struct Store {
    const LoopPlan *LP = nullptr;
    StorageSlot Cursor, Block, Capacity;      // Capacity: rows, for growing stores
    llvm::SmallVector<StorageSlot, 4> Arrays; // Exact: one pointer for each kept value
    StorageSlot Stack;                        // Stack: all rows; Growing: the first rows
    llvm::AllocaInst *ForwardBase = nullptr, *ReverseBase = nullptr;
    uint64_t FirstRows = 0; // Growing: rows that Stack holds
  };
  void allocateNest(const llvm::Loop *Outermost);
  void enterLoop(Store &S);
  void storeValue(Store &S, unsigned Index, ValueRef R, llvm::Type *Element);
  llvm::Value *firstBlock(llvm::IRBuilderBase &B, const Store &S) const;
  void growHere(Store &S, llvm::Instruction *At, llvm::Value *Needed);
  llvm::Value *address(llvm::IRBuilderBase &B, Store &S, unsigned Index, llvm::Value *Row);

  Emission &E;
  llvm::MapVector<const llvm::Loop *, Store> Stores;
  llvm::MapVector<const llvm::Loop *, StorageSlot> NestBlocks; // by outermost loop
};

} // namespace tapefree
