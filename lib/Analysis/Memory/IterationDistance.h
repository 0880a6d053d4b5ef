/// \file
/// Can a write reach the location that a load read, when they run in *different iterations*?
///
///   for (i = 1; i < n; ++i)
///     a[i] = f(a[i - 1]);      // load a + 8i - 8, write a + 8i
///
/// With k the load's iteration and k' > k the write's: distance = (a + 8k') - (a + 8k - 8) = 8(k' - k) + 8
/// >= 16. It is at least the 8 bytes loaded, so no later write meets the location. For a[i + 1] the distance
/// is 8(k' - k) - 8, which is 0 in the next iteration: it does meet.
///
/// In general both addresses are written as sums over the loops around them (ScalarEvolution),
///   distance = R + sum of coefficient * unknown,
/// where R has the same value for both, and each unknown is an iteration number or, for the loop of which the
/// write runs a later iteration, the number of iterations in between, which is at least 1. Bounding each
/// unknown by trip counts bounds the distance; that it is never within (-bytes written, bytes read) is what
/// is proved, from its bounds or from its remainder modulo a common divisor of the coefficients (fields of
/// array elements).
#pragma once
#include "llvm/Analysis/MemoryLocation.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class Loop;
class LoopInfo;
class SCEV;
class ScalarEvolution;
} // namespace llvm

namespace tapefree {

/// Which runs of a load and a write are compared: those in the same iteration of Same (and the loops around
/// it), and, unless Later is null, of which the write runs in a later iteration of Later, a child of Same.
struct Pairing {
  const llvm::Loop *Same = nullptr;
  const llvm::Loop *Later = nullptr;
};

/// Does \p V have one value in all runs of the pairing? An instruction has one in each iteration of its loop.
bool isFixed(const llvm::Value *V, const Pairing &P, const llvm::LoopInfo &LI);

enum class Meeting { Never, Maybe, Surely };

struct Access {
  const llvm::Value *Ptr;
  const llvm::BasicBlock *BB;
  llvm::LocationSize Size;             ///< what is read or written, at most; or
  const llvm::Value *Length = nullptr; ///< for a write, its number of bytes where that is not constant
};

class IterationDistance {
public:
  IterationDistance(llvm::ScalarEvolution &SE, const llvm::LoopInfo &LI, const llvm::DominatorTree &DT)
      : SE(SE), LI(LI), DT(DT) {}

  Meeting meet(const Access &Read, const Access &Write, const Pairing &P) const;

  /// Can \p L run a second iteration at all?
  bool mayRepeat(const llvm::Loop *L) const;

private:
  llvm::ScalarEvolution &SE;
  const llvm::LoopInfo &LI;
  const llvm::DominatorTree &DT;
};

} // namespace tapefree
