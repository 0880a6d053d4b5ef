// Unwinding: exceptions that leave a derivative in the middle of it.
//
// Each call out of which an exception may come leads to a landing pad, which runs what the primal does then
// (its exit: Prepare/Exits.h) and releases what the derivative holds: kept arrays, blocks whose release waits
// for the reverse sweep, the records of calls that are done. Where there is nothing to do, the call stays a
// call.
#pragma once
#include "Emit/Emission.h"
#include "Emit/KeptStore.h"

namespace tapefree {

/// Finds the calls of one derivative out of which an exception may come, and has exits release the shadows of
/// what they release.
struct LeavingFinder {
  const Activity &Act;
  const Lanes &L;
  llvm::function_ref<llvm::Value *(const llvm::Value *)> Primal; // of a value of the frozen primal
  llvm::function_ref<llvm::Value *(llvm::IRBuilderBase &, const llvm::Value *)> Shadow;
  /// The form of an exit that takes shadows; null if there is none, without an error of its own in batches.
  llvm::function_ref<llvm::Function *(llvm::Function &, const CallSignature &)> Shadowed;
  Diag &D;

  /// `I` is a call of the frozen primal, `Copy` what stands for it. Calls that have been replaced go to
  /// `Dead`. False after an error.
  bool add(const llvm::CallBase &I, llvm::CallInst &Copy, llvm::SmallVectorImpl<LeavingCall> &Leaving,
           llvm::SmallVectorImpl<llvm::Instruction *> &Dead) const;

private:
  CallSignature signature(const llvm::Function &Exit, llvm::ArrayRef<const llvm::Value *> Args,
                          bool Exception) const;
};
/// Makes invokes of calls where there is something to do. `Release`: what to do in any case, or null.
void guardCalls(llvm::Function &G, llvm::ArrayRef<LeavingCall> Calls,
                llvm::function_ref<void(llvm::IRBuilderBase &)> Release);
/// Takes the bundles away that say what happens to an exception: only the frozen primal has them.
void dropUnwindBundles(llvm::Function &G);

/// The blocks that a derivative in reverse mode holds during its forward sweep, beside the kept arrays.
class Pending {
public:
  Pending(Emission &E, KeptStore &Kept);
  /// Whether an exception may come behind an instruction of the frozen primal.
  bool leftBehind(const llvm::Instruction &I) const;
  /// From here on, an exception releases `Block`, by a call of `Release`. `At`: where that is in the frozen
  /// primal.
  void remember(llvm::IRBuilderBase &B, const llvm::Instruction &At, llvm::Value *Block,
                llvm::FunctionCallee Release);
  /// No exception can come any more.
  void forget(llvm::IRBuilderBase &B);
  /// Releases all that is there, but not the record of a split function.
  void release(llvm::IRBuilderBase &B);

private:
  Emission &E;
  KeptStore &Kept;
  llvm::DenseSet<const llvm::BasicBlock *> Before; // blocks whose end leads to a call that may throw
  struct Block {
    StorageSlot Slot;
    llvm::FunctionCallee Release;
  };
  llvm::SmallVector<Block, 8> Blocks;                // outside of loops
  llvm::MapVector<llvm::Value *, StorageSlot> Lists; // in loops, by what releases them
};

} // namespace tapefree
