// Prepare: clones a function with everything visible that it calls, and brings the clone to one canonical
// shape whatever the -O level of the input:
//   bodies inlined (recursion excepted), locals in SSA, redundant loads gone, invariants hoisted, one return
//   block, no unreachable or irreducible flow, loops in simplified LCSSA form with a 64-bit counter from 0
//   (`Counts`), and the number of iterations materialised before the loop wherever it can be computed there.
// The clone is then frozen: every later stage only reads it.
#pragma once
#include "Support/Diag.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/PassManager.h"
#include <memory>

namespace tapefree {

/// The metadata of a block that generated code makes and releases: wherever that is, each allocation with the
/// mark is released exactly once, by a call with the mark. So an outer derivative need not see which release
/// belongs to which allocation, and blocks may cross calls (the records of split functions) and lie in memory
/// (lists of blocks).
inline constexpr llvm::StringLiteral PairedMark = "tapefree.paired";
/// Attribute of functions in which a realloc was lowered to a copy of as much as the allocator had given.
inline constexpr llvm::StringLiteral ReallocMark = "tapefree.realloc";
/// Of an array of variable length that was made in a loop (Lower.cpp): released when its function ends.
inline constexpr llvm::StringLiteral ScopedMark = "tapefree.scoped";

/// The metadata of a gradient that chooses between two bodies at run time; names the one that is always
/// right.
inline constexpr llvm::StringLiteral SafeBodyMark = "tapefree.safe";
/// What an outer derivative differentiates of such a gradient, and so the mode that a function is prepared
/// for: reverse (Safe) or forward. Forward mode costs the same for either body, so that the choice stays;
/// reverse mode would keep, and report, what it needs of both.
enum class CheckedBodies : uint8_t { Both, Safe };

/// What a loop of the prepared function runs, as values of that function.
struct LoopCounts {
  llvm::PHINode *Counter = nullptr; // 0, 1, 2, ... in the header
  llvm::Value *BackEdges =
      nullptr; // i64, in the preheader: how often the back edge is taken; null when only the run knows
  // i64, in the outermost preheader, over one run of the whole nest; null where only the run knows:
  llvm::Value *TotalHeader = nullptr; // executions of the header
  llvm::Value *TotalBody =
      nullptr; // executions of the rest of the body, where the loop leaves only in its header
  // For each exit block, the count of back edges taken when the loop left through it (an LCSSA phi, or
  // BackEdges).
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> BackEdgesAtExit;
};

/// How to tell, after the fact, from which predecessor a merge block was entered: a small decision tree. Its
/// tests read the conditions of earlier branches of the same iteration, or, where no branch decides alone, a
/// selector phi.
struct PathChoice {
  enum KindT : uint8_t { Leaf, Test, Selector } Kind = Leaf;
  llvm::BasicBlock *Block =
      nullptr; // Leaf: the predecessor; Test: the block whose branch decides; Selector: the merge
  llvm::PHINode *Path = nullptr;    // Selector: the index of the predecessor in pred_begin order
  unsigned IfTrue = 0, IfFalse = 0; // Test: indices into the tree
};
using PathTree = llvm::SmallVector<PathChoice, 3>; // the root is element 0

struct Prepared {
  llvm::Function *F = nullptr;                                  // the frozen clone
  llvm::Function *Source = nullptr;                             // the user's function
  llvm::MapVector<const llvm::BasicBlock *, LoopCounts> Counts; // by loop header
  // Header phis {start,+,step[,+,step of the step]}: the steps, as values before the loop.
  llvm::DenseMap<const llvm::PHINode *, llvm::SmallVector<llvm::Value *, 2>> Recurrences;
  llvm::DenseMap<const llvm::BasicBlock *, PathTree>
      Merges;             // for each block with several predecessors, headers excepted
  bool Contracts = false; // products of its derivatives may be contracted (Emit/Contract.h)
};

/// Clones, inlines and lowers: the body, still open to rewriting. Null after an error.
std::unique_ptr<Prepared> prepareBody(llvm::Function &Source, CheckedBodies Bodies,
                                      llvm::FunctionAnalysisManager &FAM, Diag &D);
/// Makes functions of the loops whose steps are to be run again (Checkpoint.h). False after an error; the
/// body is then gone.
bool cutMarkedLoops(Prepared &P, llvm::FunctionAnalysisManager &FAM, Diag &D);
/// Brings the body to its canonical shape and fills in counts and paths. Nothing may change the function
/// afterwards.
void freeze(Prepared &P, llvm::FunctionAnalysisManager &FAM);

/// No number of a function is undefined afterwards (Defined.cpp).
void defineNumbers(llvm::Function &F);

/// Numbers that travel in wider integers are themselves again (Unpack.cpp).
void unpackNumbers(llvm::Function &F);

/// Takes vector instructions apart, as far as LLVM can (Scalarise.cpp).
void scalariseVectors(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
/// Turns accesses through masks or vectors of addresses into one access for each element (Scalarise.cpp).
void expandMaskedAccesses(llvm::Function &F);

// The steps, one file each.

/// Debug information links stores to variables by identifiers, and a clone shares them with its original:
/// what a pass does to the one would reach the records of the other. Gives F identifiers of its own.
void ownAssignIds(llvm::Function &F);
/// A clone of `Source` (internal, freely optimisable) in the same module.
llvm::Function *clonePrimal(llvm::Function &Source, const llvm::Twine &Name);
/// Locals to SSA, redundant loads and dead flow away; nothing is moved or speculated.
void simplifyLocally(llvm::Function &F, llvm::FunctionAnalysisManager &FAM);
/// A clone of `Source` with the bodies of all visible, non-recursive callees in it (Inline.cpp).
llvm::Function *inlineVisibleCalls(llvm::Function &Source, CheckedBodies Bodies,
                                   llvm::FunctionAnalysisManager &FAM);
/// Says of calls of registered functions what their bodies do to memory (RegisteredCalls.cpp).
void describeRegisteredCalls(llvm::Function &F, CheckedBodies Bodies, llvm::FunctionAnalysisManager &FAM);
/// Rewrites what has a simpler equivalent: realloc, variable-length arrays in loops, invoke, markers
/// (Lower.cpp).
bool lowerForReverse(llvm::Function &F, Diag &D);
/// Gives every loop its counter and, where computable before the loop, its number of iterations (Counts.cpp).
void materialiseCounts(Prepared &P, llvm::FunctionAnalysisManager &FAM);
/// Finds how each merge is told apart in reverse, and inserts selector phis where branches do not say
/// (Paths.cpp).
void materialisePaths(Prepared &P, llvm::FunctionAnalysisManager &FAM);

} // namespace tapefree
