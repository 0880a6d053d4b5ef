// Where does a pointer point, and what has been seen there? The state of the type solver.
//
// A pointer designates a Place: an offset in a memory class, plus any multiple of some strides. Classes form
// a union-find forest with offsets: two classes merge when one pointer may designate either (phi, select, two
// stores into one slot). Evidence is a Fact: "at this place lies a scalar of this kind". A pointer fact owns
// a Cell: the place that pointers stored there designate. An integer register is a class too, so that a
// double that travels as an i64 is typed by the same means.
//
// Everything only grows towards a fixed point, each step is linear in the facts of one class.
#pragma once
#include "Analysis/Types/MemoryTypes.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <deque>
#include <map>

namespace tapefree {

/// Offsets k * Step, 0 <= k < Count; any k when Count is 0.
struct Stride {
  uint64_t Step;
  uint64_t Count;
  bool operator==(const Stride &) const = default;
};
using Strides = llvm::SmallVector<Stride, 2>; // descending steps

struct Place {
  unsigned Class = ~0u;
  int64_t Off = 0;
  int64_t Lo = 0; ///< no element that is meant lies below; the place before its first variable index
  Strides S;
  bool operator==(const Place &) const = default;
  Place plus(int64_t D) const {
    Place R = *this;
    R.Off += D;
    if (S.empty())
      R.Lo = R.Off;
    return R;
  }
};

/// How good a fact is. A hint (a declared type, a compiler's constant) counts only where no access speaks.
enum class Level : uint8_t { Access, Hint };

/// How an element is supposed: by a walk of unknown length, Dist bytes from the element that it starts at,
/// with this step, inside rows of Row bytes (0: the walk is in no row). An element that is accessed is firm.
struct Softness {
  uint64_t Step = 0, Row = 0, Dist = 0;
  bool firm() const { return Step == 0; }
};

struct Fact {
  int64_t Off, Lo;
  uint64_t Size;
  Strides S;
  ScalarKind Kind;
  Level Lvl;
  Softness Soft; ///< where it is not firm, a firmer fact wins
  unsigned Cell;
  const llvm::Instruction *Why;
};

constexpr unsigned NoCell = ~0u;

/// Calls Found with the offset and the softness of each element of F that meets [Lo, Lo + Size).
void forEachElement(const Fact &F, int64_t Lo, int64_t Size,
                    llvm::function_ref<void(int64_t, Softness)> Found);
/// The same for one offset of each residue modulo Period that F's elements have.
void forEachResidue(const Fact &F, uint64_t Period, llvm::function_ref<void(int64_t, Softness)> Found);

uint64_t gcdOf(const Strides &S, uint64_t Start = 0);
int64_t floorMod(int64_t A, uint64_t M);
/// Adds a stride, keeping the set small, sorted and free of multiples that another stride implies.
void addStride(Strides &S, Stride New);

class Graph {
public:
  unsigned makeClass();
  /// Expresses P in the root of its class.
  Place root(Place P);
  /// Makes Dst designate all that Src designates as well; merges their classes.
  void join(Place &Dst, Place Src);
  /// Merges the classes so that A and B are the same byte. Offsets of one class are left as they are.
  void unifyAt(const Place &A, const Place &B);
  /// Where the pointer stored at P designates.
  Place pointee(const Place &P, uint64_t PtrSize, Level L, const llvm::Instruction *Why);
  /// A pointer to Target is stored at P.
  void storePointer(const Place &P, uint64_t PtrSize, const Place &Target, const llvm::Instruction *Why);
  void addFact(const Place &P, uint64_t Size, ScalarKind K, Level L, const llvm::Instruction *Why,
               Softness Soft = {}, unsigned Cell = NoCell);
  /// The Len bytes from A and those from B are equal; no Len: unknown many.
  void link(const Place &A, const Place &B, std::optional<uint64_t> Len);

  const std::vector<Fact> &facts(unsigned Root) const { return Classes[Root].Facts; }
  bool overflowed(unsigned Root) const { return Classes[Root].Overflow; }
  /// From now on a copy of unknown length spreads each fact over an array, so that copies in a circle end.
  void widen() { Widen = true; }
  /// Facts looked at so far, a measure of the time spent.
  uint64_t work() const { return Work; }
  bool takeChanged() { return std::exchange(Changed, false); }

private:
  struct Class {
    unsigned Parent;
    int64_t Delta = 0; ///< byte x is byte x + Delta of Parent
    bool Overflow = false;
    std::vector<Fact> Facts;
    std::map<int64_t, llvm::SmallVector<unsigned, 1>> Exact; ///< facts without strides, by offset
    llvm::SmallVector<unsigned, 4> Strided;                  ///< indexes of facts with strides
    std::map<int64_t, unsigned> ExactPointers;               ///< offset to fact
  };
  struct Cell {
    unsigned Parent;
    Place Target;
  };

  unsigned findCell(unsigned C);
  unsigned cellAt(const Place &P, uint64_t PtrSize, Level L, const llvm::Instruction *Why);
  unsigned makeCell();
  void mergeCells(unsigned A, unsigned B);
  void merge(unsigned From, int64_t Delta, unsigned Into);
  void drain();
  void insert(unsigned Root, Fact F);
  void linkOneWay(const Place &A, const Place &B, std::optional<uint64_t> Len, bool SelfShift);

  std::deque<Class> Classes; ///< facts stay where they are while classes are made
  std::vector<Cell> Cells;
  /// Merging cells merges classes, which merges cells: a queue keeps that off the stack.
  std::vector<std::pair<unsigned, unsigned>> PendingCells;
  bool Draining = false;
  bool Changed = false;
  bool Widen = false;
  uint64_t Work = 0;
};

/// The places of P with short bounded strides written out.
llvm::SmallVector<Place, 4> expandShort(const Place &P);

} // namespace tapefree
