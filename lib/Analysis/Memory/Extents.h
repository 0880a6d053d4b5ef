// Extents: which address range does a function touch behind each of the buffers that it is given?
//
//   for (i = 0; i < n; ++i) y[i] = f(x[i]);        x: [x, x + 8 n)    y: [y, y + 8 n)
//
// Where two ranges can be written down in terms of what is known at entry, whether the buffers overlap can be
// tested when the program runs, and values need not be kept only because they might. Of other accesses the
// range is known only inside of loops:
//
//   for (i...) for (k = start[i]; k < start[i + 1]; ++k) s += val[k] * x[col[k]];
//
// val + 8 [start[i], start[i + 1]) in each iteration of the outer loop, x + 8 col[k] in each of the inner
// one. A walk over these addresses, before the function runs, tells the range (Emit/RangeWalk.h).
#pragma once
#include "Analysis/Memory/DisjointBuffers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include <set>

namespace llvm {
class Loop;
class LoopInfo;
class SCEV;
class SCEVExpander;
class ScalarEvolution;
} // namespace llvm

namespace tapefree {

/// Whether the value can be had before anything is written: arguments, constants, and what the entry block
/// computes from them and from memory as it was when the function was called.
bool knownAtEntry(const llvm::Value *V, const llvm::Function &F, llvm::MemorySSA &MSSA);

/// Byte offsets from the buffer's own address, as expressions of values known at entry.
struct Extent {
  const llvm::SCEV *Low = nullptr, *High = nullptr; // High: one past the last byte
  bool Written = false;
  unsigned Stage =
      0; // 0: at entry; otherwise which walk tells it, together with Low and High if there are any
};

/// Accesses whose range has to be walked: it is known where control enters `Inner`, or only at the access
/// itself if that is null.
struct WalkedAccess {
  const llvm::Instruction *I;
  const llvm::Value *Pointer, *Base;
  const llvm::Loop *Inner;
  const llvm::SCEV *Low, *High; // byte offsets from the base, as in Extent
  bool Write;
  uint64_t Bytes; // of one access
};

class Extents : public DisjointBuffers {
public:
  Extents(llvm::Function &F, llvm::LoopInfo &LI, llvm::ScalarEvolution &SE, llvm::MemorySSA &MSSA);
  /// Buffers (arguments, pointers loaded at entry) with the range of all accesses that have one, in order of
  /// appearance.
  const llvm::MapVector<const llvm::Value *, Extent> &buffers() const { return Buffers; }
  /// Whether an access of so many bytes of `Buffer` through `Pointer` lies in its range: some others
  /// (gathers, say) may not.
  bool covers(const llvm::Value *Buffer, const llvm::Value *Pointer, uint64_t Bytes) const {
    if (!Unbounded.contains(Buffer))
      return true;
    auto It = Covered.find(Pointer);
    return It != Covered.end() && Bytes <= It->second;
  }

  bool coversAll(const llvm::Value *Buffer) const { return !Unbounded.contains(Buffer); }

  /// The accesses to walk, of buffers that have none of another kind without a range.
  llvm::ArrayRef<WalkedAccess> walks() const { return Walks; }
  /// The walks of the buffer are done in stage `Stage`.
  void walked(const llvm::Value *Buffer, unsigned Stage);
  bool knownAtEntry(const llvm::Value *V) const { return tapefree::knownAtEntry(V, F, MSSA); }
  /// Whether all that the function writes is in a range, or local to it.
  bool knowsAllWrites() const;
  /// Forgets buffers.
  void drop(llvm::function_ref<bool(const llvm::Value *)> Which) {
    for (auto &[Buffer, E] : Buffers)
      UntestedWrites |= E.Written && Which(Buffer);
    Buffers.remove_if([&](const auto &B) { return Which(B.first); });
    llvm::erase_if(Walks, [&](const WalkedAccess &W) { return Which(W.Base); });
  }

  unsigned size() const override { return unsigned(Buffers.size()); }
  std::optional<unsigned> bufferOf(const llvm::Value *Pointer) const override;
  bool shadowsApart(unsigned, unsigned) const override { return true; } // tested as well

private:
  void access(const llvm::Instruction &I, const llvm::Value *Pointer, const llvm::SCEV *Bytes, bool Write);
  bool expressible(const llvm::SCEV *S) const;
  bool ranges(const llvm::Instruction &I, const llvm::Value *Pointer, const llvm::Value *Base,
              const llvm::SCEV *Bytes, bool Write);
  bool walk(const llvm::Instruction &I, const llvm::Value *Pointer, const llvm::Value *Base,
            const llvm::SCEV *Bytes, bool Write);
  bool walkFrom(WalkedAccess W, const llvm::SCEV *Offset, const llvm::SCEV *Bytes);
  const llvm::SCEV *bound(const llvm::SCEV *S, bool Upper);

  llvm::Function &F;
  llvm::LoopInfo &LI;
  llvm::ScalarEvolution &SE;
  llvm::MemorySSA &MSSA;
  llvm::MapVector<const llvm::Value *, Extent> Buffers;
  llvm::SmallPtrSet<const llvm::Value *, 8> Unbounded; // buffers with accesses out of known range
  // Pointers of accesses in the ranges, with the most bytes that surely are, and of accesses out of them.
  llvm::DenseMap<const llvm::Value *, uint64_t> Covered;
  llvm::SmallPtrSet<const llvm::Value *, 32> Outside;
  llvm::SmallVector<WalkedAccess, 8> Walks;
  llvm::SmallPtrSet<const llvm::Value *, 8> Unwalkable; // buffers with accesses out of any range
  llvm::SmallVector<const llvm::Value *, 8> OutsideWrites;
  bool UntestedWrites = false;        // to buffers that are forgotten
  const llvm::Loop *Within = nullptr; // bounds are wanted where control enters it; null: at entry
};

/// Alias facts that hold if the tests at entry pass: two different bounded buffers do not overlap.
class AssumedDisjoint : public llvm::AAResultBase {
public:
  explicit AssumedDisjoint(const Extents &E) : E(E) {}
  llvm::AliasResult alias(const llvm::MemoryLocation &A, const llvm::MemoryLocation &B, llvm::AAQueryInfo &Q,
                          const llvm::Instruction *);

private:
  const Extents &E;
};

} // namespace tapefree
