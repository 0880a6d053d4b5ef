// Request: what one call site asks for, as plain data. Nothing lazy, no analysis results, no emitter state.
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/InstrTypes.h"

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
///  DupMaybe   of calls that stay calls: a pointer that has no shadow in some runs, and then is its own shadow
enum class ArgActivity : uint8_t { Const, Out, Dup, DupNoNeed, DupMaybe };

struct Request {
  Mode Kind = Mode::Reverse;
  llvm::Function *Primal = nullptr;
  llvm::SmallVector<ArgActivity, 8> Args; // one for each parameter of Primal
  bool ReturnActive = false;              // the returned value is differentiated (seed 1 in reverse mode)
  bool ReturnPrimal = false;              // the call also gives the primal's own value, first in the result
  bool Strict = false;                    // a kept value on the heap is an error

  bool sameDerivative(const Request &O) const {
    return Kind == O.Kind && Primal == O.Primal && Args == O.Args && ReturnActive == O.ReturnActive &&
           ReturnPrimal == O.ReturnPrimal;
  }
  void print(llvm::raw_ostream &OS) const;
};

/// A request together with the operands of the call that made it.
struct CallRequest {
  llvm::CallBase *Call = nullptr;
  Request Req;
  llvm::SmallVector<llvm::Value *, 8> Primals; // one for each parameter
  llvm::SmallVector<llvm::Value *, 8> Shadows; // null where the parameter has none
  llvm::Value *Seed = nullptr;                 // reverse: the seed where the caller gives one
  llvm::Value *ResultMemory = nullptr;         // the call's sret pointer, if any
  llvm::Type *ResultType = nullptr;            // type in which the call wants its result
};

const char *name(ArgActivity A);

} // namespace tapefree
