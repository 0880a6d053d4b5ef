// Deliver: a request's call becomes a call of its derivative, and the results go where the call expects its
// own.
#pragma once
#include "Request/Request.h"
#include "Support/Diag.h"

namespace tapefree {

void replaceCall(CallRequest &R, llvm::Function &Derivative, Diag &D);

} // namespace tapefree
