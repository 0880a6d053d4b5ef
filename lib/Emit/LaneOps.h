// LaneOps: operations on differentials (tangents, adjoints, shadow pointers) of N lanes at once. At width 1
// each is the plain instruction. Whether an address is one for all lanes or one for each is seen from its
// type.
#pragma once
#include "Analysis/Lanes/Lanes.h"
#include "llvm/IR/IRBuilder.h"

namespace tapefree {

class LaneOps {
public:
  explicit LaneOps(const Lanes &L) : L(L) {}
  const Lanes &lanes() const { return L; }

  /// The same value in every lane: a partial derivative, or pointers that have no shadows. `Layout`: of
  /// pointers in it.
  llvm::Value *broadcast(llvm::IRBuilderBase &B, llvm::Value *V,
                         LaneLayout Layout = LaneLayout::Interleaved) const;
  /// The differential of pointer-making instruction `I` (pointer arithmetic, select, freeze, aggregates),
  /// loads and phis excepted. `Operand` gives differentials of pointer operands in I's layout, and the
  /// primal's values of all others.
  llvm::Value *pointer(llvm::IRBuilderBase &B, const llvm::Instruction &I,
                       llvm::function_ref<llvm::Value *(const llvm::Value *)> Operand) const;
  /// Moves a shadow pointer by as many of its bytes as correspond to `Bytes` of the primal.
  llvm::Value *advance(llvm::IRBuilderBase &B, llvm::Value *Pointer, llvm::Value *Bytes,
                       const llvm::Twine &Name = "") const;
  /// Called on each memory access that is made.
  using Tagger = llvm::function_ref<void(llvm::Instruction &)>;
  /// Loads the differential of a value of type `T`; `Content`: layout of pointers in it.
  llvm::Value *load(llvm::IRBuilderBase &B, llvm::Type *T, llvm::Value *Address, llvm::Align A,
                    LaneLayout Content, Tagger Tag, const llvm::Twine &Name = "") const;
  void store(llvm::IRBuilderBase &B, llvm::Type *T, llvm::Value *V, llvm::Value *Address, llvm::Align A,
             Tagger Tag) const;
  /// An element of a primal vector's differential, in which the lanes of each element are adjacent.
  llvm::Value *extractElement(llvm::IRBuilderBase &B, llvm::Value *Vector, llvm::Value *Index) const;
  llvm::Value *insertElement(llvm::IRBuilderBase &B, llvm::Value *Vector, llvm::Value *Element,
                             llvm::Value *Index) const;
  /// As many bytes as the differentials of `Bytes` primal bytes take.
  llvm::Value *bytes(llvm::IRBuilderBase &B, llvm::Value *Bytes) const;
  uint64_t bytes(uint64_t Bytes) const { return Bytes * L.width(); }
  /// Shadow pointers into one block with room for N copies of `Bytes` bytes.
  llvm::Value *spread(llvm::IRBuilderBase &B, llvm::Value *Block, llvm::Value *Bytes,
                      LaneLayout Layout) const;
  /// The address in the first lane: that of the block which spread() took.
  llvm::Value *first(llvm::IRBuilderBase &B, llvm::Value *Pointer) const;

private:
  llvm::Value *access(llvm::IRBuilderBase &B, llvm::Type *T, llvm::Value *Stored, llvm::Value *Address,
                      llvm::Align A, LaneLayout Content, Tagger Tag) const;
  llvm::Value *field(llvm::IRBuilderBase &B, llvm::Value *Address, uint64_t Offset) const;

  const Lanes &L;
};

} // namespace tapefree
