// Frontend: finds the calls that ask for a derivative and parses each into a Request.
#pragma once
#include "Request/Request.h"
#include "Support/Diag.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace tapefree {

/// The kind of derivative that a callee's name asks for, if any: `__tapefree_autodiff*`, `__enzyme_fwddiff*`,
/// with or without C++ mangling.
std::optional<Mode> requestedMode(llvm::StringRef FunctionName);

/// Whether a callee's name asks how many bytes a gradient keeps in a workspace: `__tapefree_workspacesize*`.
bool asksWorkspaceSize(llvm::StringRef FunctionName);

/// Whether a callee's name asks for a function to be called for each of several lanes: `__tapefree_batch*`,
/// `__enzyme_batch*`.
bool isBatchName(llvm::StringRef FunctionName);

/// Whether the module declares any function that makes a request (one scan of the declarations).
bool hasRequests(const llvm::Module &M);

/// Errors for registrations and calls of this interface that this version does not know. False if there were
/// any.
bool refuseUnknownSpellings(llvm::Module &M, Diag &D);

/// All calls in `M` that make a request, for a derivative or a batch, in program order.
llvm::SmallVector<llvm::CallBase *, 8> findRequestCalls(llvm::Module &M);

/// Parses one call. On misuse: one error at the call's line, and nothing.
std::optional<CallRequest> parseCall(llvm::CallBase &Call, Mode Kind, Diag &D);

/// Inlines always_inline wrappers into the functions that hold requests and promotes their locals, so that
/// markers and the differentiated function are visible as constants at every -O level.
void exposeRequests(llvm::Module &M, llvm::FunctionAnalysisManager &FAM);

} // namespace tapefree
