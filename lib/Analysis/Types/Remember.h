// Remember: instcombine turns `getelementptr double, p, 3` into bytes, and with them goes the only word for
// what lies beside p[3]. So what a copy or a memset moves is asked before, and noted on it as metadata, where
// the solver finds it as a hint.
#pragma once
#include "Analysis/Types/MemoryTypes.h"

namespace tapefree {

/// Notes on each memcpy, memmove and memset of F what its bytes are, as far as it is known.
void rememberTypes(llvm::Function &F);
/// What was noted; no period where nothing was.
AccessPattern rememberedTypes(const llvm::Instruction &I);

} // namespace tapefree
