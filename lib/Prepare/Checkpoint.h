// Checkpoint: loops whose steps the reverse sweep runs again.
//
//   for (int t = 0; t < steps; ++t) {
//     __tapefree_checkpoint(10);          at most ten snapshots of the state
//     ...
//   }
//
// Such a loop becomes a call of a function of its own, the steps:
//
//   tapefree.steps.f(what the loop reads)   k = 0, 1, ..., N - 1: one step each, and nothing besides
//
// What one step hands to the next is in memory: numbers lie in local variables of the caller, and pointers
// that change places are told by k. So the state of the loop is memory, and a derivative can save it, put it
// back and run the steps again (Emit/Checkpoint.h).
#pragma once
#include "Support/CheckpointMark.h"
#include "Support/Diag.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

namespace llvm {
class CallBase;
class Function;
class Module;
class PHINode;
class Value;
} // namespace llvm

namespace tapefree {

/// Attribute of the function that a marked loop has become.
inline constexpr llvm::StringLiteral StepsMark = "tapefree.steps";
/// Attributes of its parameters: the bytes of the object whose address is given, and what the user calls it.
inline constexpr llvm::StringLiteral ObjectBytes = "tapefree.bytes";
inline constexpr llvm::StringLiteral ObjectName = "tapefree.name";

/// Whether the function is the mark.
bool isCheckpoint(const llvm::Function &F);
/// The mark loses the body that it has in the header, and moves nothing but itself.
void declareCheckpoints(llvm::Module &M);
/// Takes the marks out of the program, or out of a function. True if there were any.
bool stripCheckpoints(llvm::Module &M);
bool dropCheckpoints(llvm::Function &F);

bool hasCheckpoints(const llvm::Function &F);
/// Marks must stand in loops, one in each.
bool checkCheckpoints(llvm::Function &F, Diag &D);
/// Makes a call of each outermost marked loop of a function in canonical shape. Marks inside of it stay in
/// its steps, which are prepared like any function. False after an error.
bool outlineMarkedLoops(llvm::Function &F, llvm::FunctionAnalysisManager &FAM, Diag &D);

/// The parts of such a function.
struct Steps {
  llvm::PHINode *Counter = nullptr;
  llvm::Value *Number = nullptr;    // of steps: i64, an argument or a constant; at least 1
  llvm::Value *Snapshots = nullptr; // an argument or a constant
  llvm::CallBase *Mark = nullptr;
};
Steps stepsOf(llvm::Function &F);
/// A copy with one more parameter.
llvm::Function *withParameter(llvm::Function &F, llvm::Type *T, llvm::StringRef Prefix,
                              llvm::ValueToValueMapTy &Map);
/// One step as a function: the parameters of the steps, and k.
llvm::Function *oneStep(llvm::Function &F);

} // namespace tapefree
