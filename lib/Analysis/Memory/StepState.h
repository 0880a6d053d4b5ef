// StepState: the memory that goes from step to step of a loop whose steps are to be run again.
//
//   for (t...) { for (i < n) k[i] = rate(u, i);  for (i < n) u[i] += dt * k[i]; }
//
// The steps write u and k, in [0, 8 n) of each. What a step finds in k nobody reads: it is scratch, of which
// only what the last step leaves has to be right. So u is saved when a snapshot is taken, and both before the
// steps are run again.
//
// A range must not be larger than its buffer, since it is copied. So it is put together from accesses that
// are made in every step, under conditions that are known before the loop; what is written at other times
// must lie in the range of those, or in an object whose size is known.
#pragma once
#include "Support/Diag.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class DominatorTree;
class Loop;
class LoopInfo;
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace tapefree {

/// Conditions that are known before the loop, and how they must turn out.
using Conditions = llvm::SmallVector<std::pair<llvm::Value *, bool>, 2>;

/// Byte offsets from a buffer's address, of which the access is made if the conditions hold.
struct StateRange {
  const llvm::SCEV *Low, *High;
  Conditions If;
  bool operator==(const StateRange &) const = default;
};

struct StateBuffer {
  llvm::SmallVector<StateRange, 2> Written;
  bool Carried = false; // a step may read what an earlier one left
};

class StepState {
public:
  /// `F`: a function of steps (Prepare/Checkpoint.h), `L`: their loop. Reports what cannot be known.
  StepState(llvm::Function &F, llvm::Loop &L, llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
            llvm::DominatorTree &DT, Diag &D);
  /// By the address of each buffer: an argument, or a global variable.
  const llvm::MapVector<llvm::Value *, StateBuffer> &buffers() const { return Buffers; }
  /// What is read of memory that an earlier step may have left. Where it overlaps with scratch, that is not
  /// scratch.
  llvm::ArrayRef<std::pair<llvm::Value *, StateRange>> reads() const { return Reads; }

private:
  struct Access {
    llvm::Instruction *I;
    llvm::Value *Pointer;
    const llvm::SCEV *Bytes;
    bool Write;
  };
  struct Place {
    llvm::Value *Base;
    const llvm::SCEV *Offset;
  };
  struct Sure { // made in every step, if the conditions hold, behind `From`
    Conditions If;
    llvm::BasicBlock *From;
  };
  void collect();
  void collectCall(llvm::CallBase &Call);
  bool staysInStep(llvm::CallBase &Allocation);
  bool places(const Access &A, llvm::SmallVectorImpl<Place> &Out);
  bool places(llvm::Value *Pointer, const llvm::SCEV *Offset, unsigned Depth,
              llvm::SmallVectorImpl<Place> &Out);
  bool knownBefore(const llvm::SCEV *S, bool InStep) const;
  bool knownBefore(const llvm::Value *Condition) const;
  std::optional<StateRange> range(const Access &A, const Place &P, bool InStep);
  bool exact(const Place &P);
  std::optional<StateRange> object(llvm::Value *Base) const;
  std::optional<Sure> surely(llvm::Instruction &I) const;
  bool climb(llvm::BasicBlock *&B, const llvm::BasicBlock *To, Conditions &If) const;
  bool reaches(llvm::BasicBlock *From, const llvm::BasicBlock *To) const;
  bool covers(const Access &W, const Access &R);
  bool within(const StateRange &Inner, const StateRange &Outer);
  void findWrites();
  void findReads();
  void refuse(const llvm::Instruction &I, const llvm::Twine &Why);

  llvm::Function &F;
  llvm::Loop &L;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::DominatorTree &DT;
  Diag &D;
  llvm::SmallVector<Access, 32> Accesses;
  llvm::MapVector<llvm::Value *, StateBuffer> Buffers;
  llvm::SmallVector<std::pair<llvm::Value *, StateRange>, 8> Reads;
  bool ReadsAnything = false, Refused = false;
};

/// What the user calls the buffer, in quotes, or "a buffer".
std::string stateName(const llvm::Value *Base);

} // namespace tapefree
