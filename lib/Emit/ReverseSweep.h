// ReverseSweep: the blocks of the primal in the opposite order. A block's reverse goes on to the reverse of
// the predecessor that control came from; each loop becomes a loop that counts its iterations down to 0:
//
//   exit:  counter = back edges taken; goto preheader'      header':  counter == 0 ? goto before' :
//   --counter, goto latch'
#pragma once
#include "Emit/ReverseOps.h"

namespace tapefree {

class ReverseSweep {
public:
  ReverseSweep(Emission &E, KeptStore &Kept)
      : E(E), Kept(Kept), Values(E, Kept, Loops), Adj(E), Ops(E, Values, Adj) {}
  /// Emits everything; control enters at the block returned. `Seed`: adjoint of the returned value, or null.
  /// `Finish` is where the sweep ends.
  llvm::BasicBlock *run(llvm::Value *Seed, llvm::BasicBlock *Finish);
  /// The derivative of an out argument, at the end of the sweep.
  llvm::Value *argument(llvm::IRBuilderBase &B, const llvm::Argument &A) {
    // Users expect 0 where nothing was added.
    return addAdjoints(B, Adj.take(B, &A), Adj.zero(&A));
  }

private:
  void makeBlocks();
  void makeLoops();
  void fillPreheaders();
  void reverseBlock(const llvm::BasicBlock *B, const BlockPlan &BP);
  void leaveHeader(llvm::IRBuilder<> &B, const llvm::BasicBlock *Header);
  void leaveMerge(llvm::IRBuilder<> &B, const llvm::BasicBlock *Merge);
  llvm::BasicBlock *emitChoice(const llvm::BasicBlock *Merge, const PathTree &Tree, unsigned N,
                               llvm::BasicBlock *Parent);
  void leaveTo(llvm::IRBuilder<> &B, const llvm::BasicBlock *From, const llvm::BasicBlock *Pred);
  void addIncoming(llvm::IRBuilder<> &B, const llvm::BasicBlock *To, const llvm::BasicBlock *Pred);
  llvm::BasicBlock *begin(const llvm::Loop *L, const llvm::BasicBlock *Where);
  llvm::BasicBlock *newBlock(const llvm::Twine &Name);

  Emission &E;
  KeptStore &Kept;
  llvm::DenseMap<const llvm::Loop *, ReverseLoop> Loops;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> Blocks;
  llvm::DenseMap<const llvm::PHINode *, llvm::Value *> PhiAdjoints; // taken at the block being left
  Lookup Values;
  Adjoints Adj;
  ReverseOps Ops;
};

} // namespace tapefree
