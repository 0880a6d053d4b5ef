/// \file
/// Which instructions may write memory at all, and which of them come into question for one read?
///
/// Writers whose addresses are based on known objects (allocas, restrict arguments, globals, allocations) are
/// listed by object, so that a read of another known object never looks at them.
#pragma once
#include "Analysis/Memory/Overwrites.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/MemoryLocation.h"

namespace tapefree {
class SweepOrder;

/// The objects that a pointer may be based on, in any iteration.
class Objects {
public:
  explicit Objects(const llvm::Value *Ptr);
  llvm::ArrayRef<const llvm::Value *> list() const { return List; }
  /// All of them are identified: objects that differ then have no byte in common.
  bool identified() const { return Identified; }
  /// C's errno, which a libm call may write that is otherwise harmless.
  bool mayBeErrno() const { return MayBeErrno; }

private:
  llvm::SmallVector<const llvm::Value *, 2> List;
  bool Identified = true, MayBeErrno = false;
};

struct Writer {
  const llvm::Instruction *I;
  OverwriteKind Kind;
  /// What it writes, at most; without pointer: to be asked of alias analysis (calls) or anything (Volatile).
  llvm::MemoryLocation Loc;
  /// The number of bytes, where that is not constant.
  const llvm::Value *Length = nullptr;
  /// What Loc.Ptr is based on, as far as that is one value; null without Loc.Ptr.
  const llvm::Value *Object = nullptr;
};

class WriterIndex {
public:
  WriterIndex(const llvm::Function &F, llvm::AAResults &AA, const llvm::TargetLibraryInfo &TLI,
              const SweepOrder &Order, OverwriteOptions Options,
              llvm::function_ref<bool(const llvm::CallBase &)> CallIsHarmless);

  /// Those that may write a byte of one of \p From, in program order.
  llvm::SmallVector<const Writer *, 0> candidates(const Objects &From) const;
  llvm::ArrayRef<Writer> all() const { return All; }

private:
  void add(const llvm::Instruction &I);
  void addCall(const llvm::CallBase &Call);
  void add(Writer W) { All.push_back(W); }

  llvm::AAResults &AA;
  const llvm::TargetLibraryInfo &TLI;
  OverwriteOptions Options;
  llvm::function_ref<bool(const llvm::CallBase &)> CallIsHarmless;

  llvm::SmallVector<Writer, 0> All; ///< in program order
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<unsigned, 4>> ByObject;
  llvm::SmallVector<unsigned, 0> Anywhere;  ///< based on no known object
  llvm::SmallVector<Writer, 0> OnlyOfErrno; ///< calls that write nothing else
};

} // namespace tapefree
