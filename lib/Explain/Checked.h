// The remark on gradients that test at run time whether buffers overlap.
#pragma once
#include "Plan/Plan.h"

namespace tapefree {

/// `Fast`: the plan of the body that runs when the tested buffers are disjoint.
void remarkChecked(const Facts &F, const Plan &Fast, llvm::StringRef Name, size_t Buffers);

} // namespace tapefree
