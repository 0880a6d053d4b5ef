// PromiseCheck: a gradient under the alias policy `disjoint` that looks whether the promise is kept.
//
// The forward sweep records the lowest and the highest address that it touches of each promised buffer. At
// its end, before anything that was planned on the promise is used, the ranges of each promised pair are
// compared, and those of their shadows. Two that meet end the program with a message.
#pragma once
#include "Analysis/Memory/PromisedBuffers.h"
#include "Emit/Emission.h"

namespace tapefree {

/// What the program says of two buffers that overlap; `Shadows`: it is their shadows that do.
using OverlapMessage = llvm::function_ref<std::string(unsigned A, unsigned B, bool Shadows)>;

/// Two address ranges, [Low, High) each, that end the program if they meet.
void emitRequireApart(llvm::IRBuilderBase &B, llvm::Value *LowA, llvm::Value *HighA, llvm::Value *LowB,
                      llvm::Value *HighB, llvm::StringRef Message);

class PromiseCheck {
public:
  /// Records all accesses of the forward sweep, which is still a plain copy of the primal.
  PromiseCheck(Emission &E, const PromisedBuffers &Buffers);
  /// Compares the ranges before `End`, when all shadows exist.
  void compare(llvm::Instruction &End, OverlapMessage Message);

private:
  Emission &E;
  const PromisedBuffers &Buffers;
  llvm::SmallVector<llvm::AllocaInst *, 8> Low, High, Start, ShadowStart;
  llvm::Instruction *Begin = nullptr; // behind it the slots have their first values
};

} // namespace tapefree
