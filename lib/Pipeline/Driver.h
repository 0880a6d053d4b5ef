// Driver: the whole story of a module: find requests, prepare, analyse, plan, emit, replace the calls.
#pragma once
#include "Request/Request.h"
#include "Support/Diag.h"
#include "llvm/IR/PassManager.h"

namespace tapefree {

/// Replaces every call that asks for a derivative. True if the module changed.
bool lowerRequests(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);

/// The module pass `tapefree`.
class TapefreePass : public llvm::PassInfoMixin<TapefreePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace tapefree
