#include "Analysis/Memory/OverwritesPrint.h"
#include "Analysis/Memory/Overwrites.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/MemoryLocation.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ModuleSlotTracker.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace tapefree {

/// The instruction without indentation and metadata, whose numbers change with every edit of a test.
static std::string textOf(const Instruction &I, ModuleSlotTracker &MST) {
  std::string Text;
  raw_string_ostream OS(Text);
  I.print(OS, MST);
  return StringRef(Text).split(", !").first.trim().str();
}

PreservedAnalyses PrintOverwritesPass::run(Function &F, FunctionAnalysisManager &AM) {
  Overwrites Result(F, AM.getResult<AAManager>(F), AM.getResult<DominatorTreeAnalysis>(F),
                    AM.getResult<LoopAnalysis>(F), AM.getResult<ScalarEvolutionAnalysis>(F),
                    AM.getResult<TargetLibraryAnalysis>(F));
  ModuleSlotTracker MST(F.getParent());
  MST.incorporateFunction(F);
  auto Print = [&](const char *What, const Instruction &I, const Overwrite &O) {
    OS << "  " << What << textOf(I, MST) << " : ";
    O.print(OS);
    if (O)
      OS << ": " << textOf(*O.By, MST);
    OS << '\n';
  };
  OS << "overwrites of '" << F.getName() << "':\n";
  for (const Instruction &I : instructions(F)) {
    if (const auto *Load = dyn_cast<LoadInst>(&I))
      Print("", I, Result.after(*Load));
    else if (const auto *Copy = dyn_cast<AnyMemTransferInst>(&I))
      Print("source of ", I, Result.after(I, MemoryLocation::getForSource(Copy)));
  }
  return PreservedAnalyses::all();
}

} // namespace tapefree
