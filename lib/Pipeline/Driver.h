// Driver: the whole story of a module: find requests, prepare, analyse, plan, emit, replace the calls.
#pragma once
#include "Request/Request.h"
#include "Support/Diag.h"
#include "llvm/IR/PassManager.h"

namespace tapefree {

/// Replaces every call that asks for a derivative. True if the module changed. Unless this is the `Last` run,
/// requests of what only the linker will see are left to a later one.
bool lowerRequests(llvm::Module &M, llvm::ModuleAnalysisManager &MAM, bool Last, Diag &D);

/// A function with a rule of the user's is differentiated as a function that calls it.
void callThroughRule(Request &R);

/// The module pass `tapefree`.
class TapefreePass : public llvm::PassInfoMixin<TapefreePass> {
public:
  /// `Last`: no run for the same code follows, in this compilation or when the program is linked.
  explicit TapefreePass(bool Last) : Last(Last) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  bool Last;
};

/// Registered functions become ordinary functions where nothing is left to be linked.
class ReleaseRegisteredPass : public llvm::PassInfoMixin<ReleaseRegisteredPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }
};

} // namespace tapefree
