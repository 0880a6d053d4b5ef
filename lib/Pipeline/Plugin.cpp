// The plugin's door: where it enters the pipelines of clang, opt and lld.
#include "Analysis/Memory/OverwritesPrint.h"
#include "Analysis/Types/MemoryTypes.h"
#include "Pipeline/Driver.h"
#include "Pipeline/Printers.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"

using namespace llvm;

static void registerCallbacks(PassBuilder &PB) {
  using namespace tapefree;
  // At the start of every pipeline, -O0 included, so that the derivative gets all optimisations that follow.
  PB.registerPipelineStartEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(TapefreePass(/*Last=*/false)); });
  // Before anything is inlined.
  PB.registerPipelineEarlySimplificationEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel, ThinOrFullLTOPhase Phase) {
        if (Phase == ThinOrFullLTOPhase::None)
          MPM.addPass(ReleaseRegisteredPass());
      });
  // Link-time pipelines have no start: bodies from other files are first seen here.
  PB.registerFullLinkTimeOptimizationEarlyEPCallback(
      [](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(TapefreePass(/*Last=*/true)); });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, ModulePassManager &MPM, ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "tapefree")
          MPM.addPass(TapefreePass(/*Last=*/true));
        else if (Name == "print<tapefree-requests>")
          MPM.addPass(PrintStagePass(PrintedStage::Requests, errs()));
        else if (Name == "print<tapefree-prepared>")
          MPM.addPass(PrintStagePass(PrintedStage::Prepared, errs()));
        else if (Name == "print<tapefree-activity>")
          MPM.addPass(PrintStagePass(PrintedStage::Activity, errs()));
        else if (Name == "print<tapefree-plan>")
          MPM.addPass(PrintStagePass(PrintedStage::Plan, errs()));
        else
          return false;
        return true;
      });
  PB.registerPipelineParsingCallback(
      [](StringRef Name, FunctionPassManager &FPM, ArrayRef<PassBuilder::PipelineElement>) {
        if (Name == "print<tapefree-types>")
          FPM.addPass(PrintTypesPass(errs()));
        else if (Name == "print<tapefree-overwrites>")
          FPM.addPass(PrintOverwritesPass(errs()));
        else
          return false;
        return true;
      });
}

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "Tapefree", TAPEFREE_VERSION, registerCallbacks};
}
