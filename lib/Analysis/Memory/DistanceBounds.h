/// \file
/// Between which bounds does the distance of two addresses lie, given what trip counts and conditions say?
///
///   for (i = 0; i < n; ++i)
///     for (j = 0; j < i; ++j)         8n*between + 8j' - 8j, with between >= 1 and 0 <= j <= i - 1 <= n - 2,
///       ... a[i * n + j] ...          is at least 8n - 8(n - 2) = 16
///
/// Bounds are symbolic: they are compared after everything that cancels has done so. The part of
/// IterationDistance that knows about loops and conditions; internal to it.
#pragma once
#include "Analysis/Memory/IterationDistance.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class Type;
}

namespace tapefree {

/// Coefficient * unknown, the unknown between Lo and Hi; a null bound is none.
struct Term {
  const llvm::SCEV *Coefficient, *Lo, *Hi;
  bool OfWrite;            ///< an unknown of the write rather than of the read
  bool IsIteration = true; ///< the unknown is the number of an iteration
};

/// Rest + OfLater * k + OfBetween * between + Terms, where k is the iteration of Pairing::Later in which the
/// read runs, and the write runs `between` iterations later. An address has no OfBetween.
struct Sum {
  const llvm::SCEV *Rest, *OfLater, *OfBetween;
  llvm::SmallVector<Term, 6> Terms;
};

class DistanceBounds {
public:
  DistanceBounds(llvm::ScalarEvolution &SE, const llvm::LoopInfo &LI, const llvm::DominatorTree &DT,
                 const Access &Read, const Access &Write, const Pairing &P, llvm::Type *IndexTy);

  /// Has the expression one value in all runs of the pairing?
  bool fixed(const llvm::SCEV *S) const;

  /// The number of the last iteration of \p L, counted from 0, in which \p BB runs; null if unknown.
  const llvm::SCEV *lastIteration(const llvm::Loop *L, const llvm::BasicBlock *BB);

  /// The largest value of a bound over the iterations that the pairing leaves open; null if unknown.
  const llvm::SCEV *widest(const llvm::SCEV *S, unsigned Depth = 0);

  /// Equal to \p S, written such that trip counts and strides cancel.
  const llvm::SCEV *tidy(const llvm::SCEV *S);

  /// A stride that cannot wrap around the address space for want of time.
  bool isTame(const llvm::SCEV *S);

  /// Is \p D never within (-WriteBytes, ReadBytes)? Sizes that are unknown are null.
  bool apart(const Sum &D, const llvm::SCEV *ReadBytes, const llvm::SCEV *WriteBytes);
  /// Is that so of its remainder modulo a divisor of the coefficients (fields of array elements), or modulo a
  /// symbolic stride (columns of a matrix)?
  bool apartModulo(const Sum &D, const llvm::SCEV *ReadBytes, const llvm::SCEV *WriteBytes);

private:
  bool isPositive(const llvm::SCEV *S);
  int sign(const llvm::SCEV *S);
  const llvm::SCEV *bound(const Sum &D, bool Lower);
  std::optional<int64_t> atLeast(const llvm::SCEV *S, unsigned Depth = 0);
  bool provenAtLeast(const llvm::SCEV *S, const llvm::SCEV *Bytes);
  bool apartModuloConstant(const Sum &D, int64_t ReadBytes, int64_t WriteBytes);
  const llvm::SCEV *modulo(const llvm::SCEV *S, const llvm::SCEV *Stride);
  void collectTripCounts();

  const llvm::SCEV *constant(int64_t V);
  const llvm::SCEV *extend(const llvm::SCEV *S);

  llvm::ScalarEvolution &SE;
  const llvm::LoopInfo &LI;
  const llvm::DominatorTree &DT;
  const Access &Read, &Write;
  const Pairing &P;
  llvm::Type *IndexTy;
  /// At least 1 because the accesses run at all.
  llvm::SmallPtrSet<const llvm::SCEV *, 4> Positive;
  /// How often a loop around one of the accesses runs, where it always runs to its end.
  llvm::SmallSetVector<const llvm::SCEV *, 4> TripCounts;
};

} // namespace tapefree
