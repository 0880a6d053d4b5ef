// The calls that lead from the differentiated function to a line of a callee.
#pragma once
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugLoc.h"
#include <string>

namespace llvm {
class Function;
}

namespace tapefree {

/// `Caller` calls, at `At`, the caller of the next step, or at last the function that has the line.
struct CallStep {
  std::string Caller;
  llvm::DebugLoc At;
};
using CallChain = llvm::SmallVector<CallStep, 4>; // from the outermost in

/// The calls around a line that was inlined.
CallChain inlinedCalls(const llvm::DebugLoc &Line);
/// The calls by which a function that stays a function is reached from `Caller`'s body; empty where none is
/// found.
CallChain callsTo(const llvm::Function &Callee, const llvm::Function &Caller, llvm::StringRef CallerName);
/// "'layer', which 'mid' calls at line 7, which 'net' calls at line 12"
std::string calledText(const std::string &Callee, llvm::ArrayRef<CallStep> Calls, const llvm::DebugLoc &Near);

} // namespace tapefree
