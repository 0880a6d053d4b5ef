// Emission: what the parts of the emitter share about one derivative: its functions, and where values of the
// frozen primal live in the forward sweep. Data only; each part (ForwardSweep, Lookup, ReverseSweep, ...) is
// a class of its own.
#pragma once
#include "Emit/AliasTags.h"
#include "Emit/KeptMemory.h"
#include "Emit/LaneOps.h"
#include "Plan/Plan.h"
#include "Rules/CallEffects.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace tapefree {

/// The two functions of a call that stays a call: the forward sweep returns a record, the reverse sweep
/// consumes it. Of a function with a rule of the user's see Emit/UserRule.h.
struct SplitFunctions {
  llvm::Function *Augmented =
      nullptr; // (arguments with shadows) -> { record, [result], [shadow of the result] }
  llvm::Function *Reverse = nullptr; // (record, [seed]) -> { derivatives of the out arguments }
  /// (record) -> void: gives the record up where an exception comes before the reverse sweep. None if none
  /// can.
  llvm::Function *Discard = nullptr;
};
/// Gives the split derivative of a function for an assignment of activities; null after an error. Of an exit
/// (Prepare/Exits.h), which does not come back, it has the augmented form alone.
using SplitProvider = llvm::function_ref<const SplitFunctions *(llvm::Function &, const CallSignature &)>;

/// A piece of storage that the forward sweep writes and the reverse sweep reads: an alloca where both are one
/// function, a field of the heap record where they are two.
struct StorageSlot {
  llvm::AllocaInst *Local = nullptr;
  uint64_t Offset = 0; // in the record, when Local is null
  llvm::Type *T = nullptr;
};

class Frame {
public:
  /// One function: slots are allocas in its entry block.
  explicit Frame(llvm::Function &Both) : Forward(&Both), Reverse(&Both) {}
  /// Two functions: the record is allocated by `Forward` and passed to `Reverse`.
  Frame(llvm::Function &Forward, llvm::Function &Reverse, llvm::Value *ForwardRecord,
        llvm::Value *ReverseRecord)
      : Forward(&Forward), Reverse(&Reverse), ForwardRecord(ForwardRecord), ReverseRecord(ReverseRecord) {}
  bool split() const { return Forward != Reverse; }
  /// The function that gives a record up, and finds it in its only argument.
  void setDiscard(llvm::Function &F) { Discard = &F; }
  StorageSlot make(llvm::Type *T, const llvm::Twine &Name);
  StorageSlot makeBytes(uint64_t Bytes, llvm::Align A, const llvm::Twine &Name);
  llvm::Value *address(llvm::IRBuilderBase &B, const StorageSlot &S) const;
  llvm::Value *load(llvm::IRBuilderBase &B, const StorageSlot &S, const llvm::Twine &Name = "") const;
  void store(llvm::IRBuilderBase &B, llvm::Value *V, const StorageSlot &S) const;
  uint64_t recordBytes() const { return Size; }

private:
  llvm::Align align(const StorageSlot &S) const;

  llvm::Function *Forward, *Reverse, *Discard = nullptr;
  llvm::Value *ForwardRecord = nullptr, *ReverseRecord = nullptr;
  uint64_t Size = 0;
};

/// A call in a derivative out of which an exception may come.
struct LeavingCall {
  llvm::CallInst *Call = nullptr;
  llvm::Function *Exit = nullptr; // what the primal does with the exception; null: nothing
  bool CatchesAll = false;
  llvm::SmallVector<llvm::Value *, 8> ExitArgs; // behind the exception
};

struct Emission {
  Emission(const Facts &F, const Plan &P, llvm::ArrayRef<ArgActivity> Args, bool ReturnActive,
           llvm::Function &Forward, llvm::Function &Reverse, const DisjointBuffers *Apart,
           SplitProvider Split, Diag &D)
      : F(F), P(P), Args(Args), ReturnActive(ReturnActive), Forward(&Forward), Reverse(&Reverse), Ops(F.L),
        Split(Split), D(D), ForwardTags(Forward, Apart, F.L), OwnReverseTags(Reverse, Apart, F.L) {}

  const Facts &F;
  const Plan &P;
  llvm::ArrayRef<ArgActivity> Args;
  bool ReturnActive;
  llvm::Function *Forward, *Reverse; // the same function when combined
  LaneOps Ops;
  Frame *Slots = nullptr;
  Workspace Area;              // where kept arrays lie that are not on the stack; none: on the heap
  llvm::ValueToValueMapTy Map; // frozen primal -> forward sweep
  llvm::DenseMap<const llvm::Value *, llvm::Value *>
      Shadows; // pointer of the frozen primal -> its shadow, forward sweep
  llvm::DenseMap<const llvm::Value *, llvm::Value *> Tapes; // split call -> its record, forward sweep
  llvm::DenseMap<ValueRef, StorageSlot> ValueSlots; // Fate::Slot, and arguments and locals of split functions
  llvm::SmallVector<LeavingCall, 8> Leaving;        // of the forward sweep
  llvm::Instruction *Start = nullptr; // where the primal's code begins in the forward sweep, behind all slots
  bool Guarded = false;               // exceptions may leave this derivative, or its callers: Unwinding.h
  SplitProvider Split;
  Diag &D;

  AliasTags ForwardTags, OwnReverseTags;
  AliasTags &reverseTags() { return Forward == Reverse ? ForwardTags : OwnReverseTags; }

  /// The line of an instruction of the frozen primal, as a location in the reverse sweep: an outer
  /// derivative, which differentiates that sweep, reports it.
  llvm::DebugLoc reverseLocation(const llvm::Instruction &I) const;
  llvm::Module &module() const { return *Forward->getParent(); }
};

/// Shadow memory like what the frozen primal's allocation `Original` makes, from the same allocator and all
/// zero: derivatives start from nothing. `Copy` is the allocation in the derivative, before `At`.
llvm::Value *allocateShadow(const llvm::CallBase &Original, llvm::CallBase &Copy, const LaneOps &Ops,
                            llvm::Instruction *At);
/// Allocation or release of a block that the derivative releases exactly once (Prepare.h: PairedMark).
void markPaired(llvm::Value *Call);
/// What releases blocks of an allocator.
llvm::FunctionCallee releaseFunction(llvm::Module &M, rules::AllocFamily Family);
/// What releases the block that a call allocates or releases.
llvm::FunctionCallee releaseFunction(const llvm::CallBase &Call);
/// What is promised of the primal's own arguments and effects does not hold for a function that works on
/// shadows as well.
void dropPrimalPromises(llvm::Function &F);
/// An instruction again, with other operands.
llvm::Value *cloneWith(const llvm::Instruction &I, llvm::IRBuilderBase &B,
                       llvm::function_ref<llvm::Value *(const llvm::Value *)> Operand);
/// Where an access through a pointer that may or may not have a shadow goes: to `Spare` when it has none.
llvm::Value *guardedAddress(llvm::IRBuilderBase &B, llvm::Value *Primal, llvm::Value *Shadow,
                            llvm::Value *Spare);
/// Sum of two adjoints of any type with floating scalars in it.
llvm::Value *addAdjoints(llvm::IRBuilderBase &B, llvm::Value *A, llvm::Value *X);
/// What cleared shadows hold: 0.0.
llvm::Constant *zeroAdjoint(llvm::Type *T);
/// The additive identity, for sums that are not in memory: -0.0 + x is x for every x and folds away, 0.0 + x
/// is not.
llvm::Constant *nothingYet(llvm::Type *T);

} // namespace tapefree
