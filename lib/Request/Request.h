// Request: what one call site asks for, as plain data. Nothing lazy, no analysis results, no emitter state.
#pragma once
#include "Support/Options.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace llvm {
class raw_ostream;
}

namespace tapefree {

enum class Mode : uint8_t { Reverse, Forward };

/// What an argument of the primal means to the derivative.
///  Const      carries no derivative
///  Out        a floating value whose derivative comes back in the result (reverse) / has a tangent (forward)
///  Dup        a pointer with a shadow
///  DupNoNeed  the same, and the caller does not need the primal's own writes
///  DupMaybe   of calls that stay calls: a pointer that has no shadow in some runs, and then is its own
///  shadow
enum class ArgActivity : uint8_t { Const, Out, Dup, DupNoNeed, DupMaybe };

/// How the derivatives of a batch (width N) lie in memory.
///  Separate     N shadows of the primal's own shape: a shadow pointer is a vector of N addresses
///  Interleaved  one shadow in which the N lanes of each scalar are adjacent: one address, all offsets N
///  times the primal's
enum class LaneLayout : uint8_t { Interleaved, Separate };

/// The lanes of one derivative function.
struct LaneSignature {
  unsigned Width = 1;
  llvm::SmallVector<LaneLayout, 8> Args; // of the shadow of each pointer parameter
  // Of shadow pointers that lie in memory; where nobody has settled it yet, what the function needs.
  std::optional<LaneLayout> InMemory;
  LaneLayout inMemory() const { return InMemory.value_or(LaneLayout::Interleaved); }
  bool operator==(const LaneSignature &) const = default;
  LaneLayout arg(unsigned I) const { return I < Args.size() ? Args[I] : LaneLayout::Interleaved; }
};

struct Request {
  Mode Kind = Mode::Reverse;
  llvm::Function *Primal = nullptr;
  llvm::SmallVector<ArgActivity, 8> Args; // one for each parameter of Primal
  bool ReturnActive = false;              // the returned value is differentiated (seed 1 in reverse mode)
  bool ReturnPrimal = false;              // the call also gives the primal's own value, first in the result
  bool Strict = false;                    // a kept value on the heap is an error
  AliasPolicy Alias = AliasPolicy::C;     // what may be assumed of overlaps; the parser fills in the file's
  bool TrapOverlap = false;               // checked: an overlap ends the program, there is no second body
  bool InWorkspace = false;               // kept values lie in memory that the call gives
  bool AsksSize = false;                  // no derivative: the bytes that one would keep in a workspace
  LaneSignature Lanes;

  bool sameDerivative(const Request &O) const {
    return Kind == O.Kind && Primal == O.Primal && Args == O.Args && ReturnActive == O.ReturnActive &&
           ReturnPrimal == O.ReturnPrimal && InWorkspace == O.InWorkspace && AsksSize == O.AsksSize &&
           Lanes == O.Lanes;
  }
  void print(llvm::raw_ostream &OS) const;
};

/// A request together with the operands of the call that made it.
struct CallRequest {
  llvm::CallBase *Call = nullptr;
  Request Req;
  llvm::SmallVector<llvm::Value *, 8> Primals; // one for each parameter
  // For each parameter nothing, one shadow (or tangent), or one for each lane:
  llvm::SmallVector<llvm::SmallVector<llvm::Value *, 1>, 8> Shadows;
  llvm::SmallVector<llvm::Value *, 8>
      Strides; // bytes from lane to lane behind the one shadow given; null elsewhere
  llvm::SmallVector<llvm::Value *, 1> Seeds; // reverse: none (1), one for all lanes, or one for each
  llvm::Value *Workspace = nullptr, *WorkspaceBytes = nullptr;
  llvm::Value *ResultMemory = nullptr; // the call's sret pointer, if any
  llvm::Type *ResultType = nullptr;    // type in which the call wants its result
};

const char *name(ArgActivity A);

} // namespace tapefree
