// Options: what a user sets for a whole file, by -mllvm flags or by the environment.
#pragma once
#include "llvm/ADT/StringRef.h"
#include <optional>
#include <string>

namespace tapefree {

/// Every gradient is strict: -mllvm -tapefree-strict, or TAPEFREE_STRICT=1 in the environment.
bool strictEverywhere();

/// What may be assumed of buffers that are reached in different ways.
enum class AliasPolicy : unsigned char {
  Checked, // test at run time, where ranges can be computed at entry, and choose between two bodies (the
           // default)
  C,       // only what the source proves
  Disjoint // the caller promises that they do not overlap
};
llvm::StringRef name(AliasPolicy P);
std::optional<AliasPolicy> aliasPolicyNamed(llvm::StringRef Name);
/// -mllvm -tapefree-alias=checked|c|disjoint, or TAPEFREE_ALIAS in the environment.
AliasPolicy aliasPolicy();
/// What is wrong with the environment's settings; empty if nothing is.
std::string environmentMistake();
/// Gradients under the policy `disjoint` look for overlaps while they run: -mllvm -tapefree-check-disjoint,
/// or TAPEFREE_CHECK_DISJOINT=1 in the environment.
bool checksDisjoint();

} // namespace tapefree
