// Exits: where control leaves a function by an exception.
//
// Code from which no return can be reached has no derivative: a derivative runs it as it is. So it becomes a
// function of its own, an exit, that never comes back, and the primal is left with an ordinary call:
//
//      if (bad) throw Error(i);    // with destructors       if (bad) exit(i, v.data());
//
// Where a call may either return or throw past such code, the call stays a call, and an operand bundle says
// what happens to an exception: the exit, whether it catches all, and what the exit reads. Such an exit takes
// the exception in front of that, and returns if the exception then goes on to the caller.
//
//      invoke f(x) to A unwind B                              call f(x) ["tapefree.unwind"(exit, false, ...)]
//
// So the frozen primal has no landing pads, and no analysis needs to know about exceptions.
#pragma once
#include "Support/Diag.h"
#include "llvm/IR/InstrTypes.h"

namespace tapefree {

/// The operand bundle of a call that may throw past code of the primal.
inline constexpr llvm::StringLiteral UnwindBundle = "tapefree.unwind";

/// What a call does with an exception of its callee.
struct UnwindExit {
  llvm::Function *Exit = nullptr; // null: nothing, it goes on to the caller
  bool CatchesAll = false;
  llvm::SmallVector<const llvm::Value *, 8> Args; // of the exit, behind the exception itself
};
UnwindExit unwindExit(const llvm::CallBase &Call);

/// Whether a call goes to an exit: it does not come back.
bool isExit(const llvm::CallBase &Call);

/// Whether an exception may come out of a call, or out of a function. Memory that runs out is none.
bool mayThrow(const llvm::CallBase &Call);
bool mayThrow(const llvm::Function &F);

/// Moves code that ends in an exception out of `F`. False after an error: an exception is caught, and control
/// goes on.
bool outlineExits(llvm::Function &F, Diag &D);

} // namespace tapefree
