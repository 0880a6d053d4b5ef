// A batch without derivatives: one call for N lanes becomes a loop over the lanes that calls the function.
#pragma once
#include "Request/BatchRequest.h"

namespace tapefree {

/// Emits the loop at the request's call and gives its users the results. The call itself is left without
/// uses; erasing it is up to the caller. Changes the control flow of the function around it.
void emitBatchLoop(const BatchRequest &R);

} // namespace tapefree
