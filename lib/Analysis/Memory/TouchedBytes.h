// TouchedBytes: how many bytes behind an argument a function is certain to read or write, whatever its input.
#pragma once
#include <cstdint>

namespace llvm {
class Argument;
class DominatorTree;
class LoopInfo;
class ScalarEvolution;
} // namespace llvm

namespace tapefree {

/// From the lowest to the highest byte of floating values and pointers behind `A` that every call touches, as
/// far as that is known; 0 if nothing is.
uint64_t surelyTouchedBytes(const llvm::Argument &A, llvm::LoopInfo &LI, llvm::ScalarEvolution &SE,
                            llvm::DominatorTree &DT);

} // namespace tapefree
