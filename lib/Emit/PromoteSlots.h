// PromoteSlots: registers for slots that only a part of a large function uses.
#pragma once
namespace llvm {
class DominatorTree;
class Function;
class LoopInfo;
} // namespace llvm

namespace tapefree {

/// Puts promotable allocas of the entry block that get a constant there, and are used in few blocks
/// elsewhere, into registers. LLVM's promotion visits all blocks behind the constant's for each of them: with
/// the adjoints of a function of many loops that is the square of its size. Here the constant goes to where
/// the uses begin, in front of all loops that they are in. Flow must be reducible, else nothing is done.
void promoteSlots(llvm::Function &F, const llvm::DominatorTree &DT, const llvm::LoopInfo &Loops);

} // namespace tapefree
