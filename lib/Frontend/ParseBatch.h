// Frontend of calls that batch without differentiating: `__tapefree_batch*`, `__enzyme_batch*`.
#pragma once
#include "Request/BatchRequest.h"
#include "Support/Diag.h"
#include <optional>

namespace tapefree {

/// Parses one call. On misuse: one error at the call's line, and nothing.
std::optional<BatchRequest> parseBatch(llvm::CallBase &Call, Diag &D);

} // namespace tapefree
