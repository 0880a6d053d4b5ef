/// \file
/// What does the overwrite analysis say of each load?
///
/// USAGE: opt -load-pass-plugin=libTapefree.so -passes='print<tapefree-overwrites>' -disable-output in.ll
///
///   overwrites of 'f':
///     %v = load double, ptr %p, align 8 : reload
///     %w = load double, ptr %q, align 8 : overwritten by store (line 12) exactly: store double %x, ptr %q,
///     align 8
#pragma once
#include "llvm/IR/PassManager.h"

namespace llvm {
class raw_ostream;
}

namespace tapefree {

class PrintOverwritesPass : public llvm::PassInfoMixin<PrintOverwritesPass> {
public:
  explicit PrintOverwritesPass(llvm::raw_ostream &OS) : OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Function &F, llvm::FunctionAnalysisManager &AM);
  static bool isRequired() { return true; }

private:
  llvm::raw_ostream &OS;
};

} // namespace tapefree
