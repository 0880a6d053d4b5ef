// Remarks: what the plan keeps and why, in the user's words, as LLVM remarks or (strict) as errors.
#pragma once
#include "Plan/Plan.h"

namespace tapefree {

/// Emits a passed remark for the gradient, and for each kept value a missed remark (what, where, how much)
/// with an analysis remark (what forces it, and the edit that removes it).
void remarkPlan(const Facts &F, const Plan &P, llvm::StringRef Name, bool InWorkspace = false);
/// Strict: an error for each value kept on the heap. False if there was one.
bool checkStrict(const Facts &F, const Plan &P, const llvm::CallBase &Call, Diag &D);

} // namespace tapefree
