// Printer passes: each request of a module, stopped after one stage and printed. They change nothing that they print, but
// expose requests in their callers as the real pass does.
#pragma once
#include "llvm/IR/PassManager.h"

namespace llvm {
class raw_ostream;
}

namespace tapefree {

enum class PrintedStage : uint8_t { Requests, Prepared, Activity, Plan };

class PrintStagePass : public llvm::PassInfoMixin<PrintStagePass> {
public:
  PrintStagePass(PrintedStage Stage, llvm::raw_ostream &OS) : Stage(Stage), OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  PrintedStage Stage;
  llvm::raw_ostream &OS;
};

} // namespace tapefree
