// ForwardSweep: the primal again, with shadow pointers beside pointers, kept values stored, frees left out,
// and calls that stay calls replaced by their augmented forms.
#pragma once
#include "Emit/Emission.h"
#include "Emit/KeptStore.h"
#include "Emit/Unwinding.h"

namespace tapefree {

class ForwardSweep {
public:
  ForwardSweep(Emission &E, KeptStore &Kept, Pending &Held) : E(E), Kept(Kept), Held(Held) {}
  /// `E.Map` already holds the clone of the frozen primal inside `E.Forward`. False after an error.
  bool run();

private:
  void makeShadows();
  void makeShadow(llvm::Instruction &I);
  llvm::Value *shadowOf(llvm::IRBuilderBase &B, const llvm::Value *V, LaneLayout Layout);
  llvm::Value *shadowAddress(llvm::IRBuilderBase &B, const llvm::Value *Pointer);
  void storePointer(llvm::StoreInst &Store);
  void moveMemory(llvm::MemIntrinsic &Mem);
  bool callAugmented(llvm::CallBase &Call);
  void storeSlots();
  void rememberBlock(const llvm::Instruction &At, const llvm::Value *Block, llvm::FunctionCallee Release);
  void rememberPending();
  bool findLeaving();
  llvm::Instruction *after(const llvm::Instruction &I);
  llvm::Value *spare();

  Emission &E;
  KeptStore &Kept;
  Pending &Held;
  llvm::SmallVector<llvm::Instruction *, 8> Dead;
  llvm::DenseMap<const llvm::Instruction *, llvm::CallInst *>
      Augmented; // what stands in place of a split call
  llvm::AllocaInst *Spare = nullptr;
};

} // namespace tapefree
