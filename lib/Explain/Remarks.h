// Remarks: what the plan keeps and why, in the user's words, as LLVM remarks or (strict) as errors.
#pragma once
#include "Explain/Calls.h"
#include "Plan/Plan.h"

namespace tapefree {

/// Which gradient a remark is about.
struct GradientName {
  std::string Function;   // what the user calls it
  unsigned Number = 0;    // one for each gradient of a module, from 1: joins its remarks
  llvm::DebugLoc Request; // the call that asked for it
  CallChain Calls;        // those that lead to a function whose calls stay calls, else empty
};

/// Emits a passed remark for the gradient, and for each kept value a missed remark (what, where, how much)
/// with an analysis remark (what forces it, and the edit that removes it).
void remarkPlan(const Facts &F, const Plan &P, const GradientName &G, bool InWorkspace = false);
/// Emits the remark on a gradient that tests at run time whether buffers overlap. `Fast`: the plan of the
/// body for those that do not.
void remarkChecked(const Facts &F, const Plan &Fast, const GradientName &G, size_t Buffers);
/// Strict: an error at the call if a value is kept on the heap, with a note for each. False if there was one.
bool checkStrict(const Facts &F, const Plan &P, const llvm::CallBase &Call, Diag &D);

} // namespace tapefree
