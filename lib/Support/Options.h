// Options: what a user sets for a whole file, by -mllvm flags or by the environment.
#pragma once

namespace tapefree {

/// Every gradient is strict: -mllvm -tapefree-strict, or TAPEFREE_STRICT=1 in the environment.
bool strictEverywhere();

/// What may be assumed of buffers that are reached in different ways.
///  Checked  test at run time, where ranges can be computed at entry, and choose between two bodies (the default)
///  C        only what the source proves
enum class AliasPolicy { Checked, C };
/// -mllvm -tapefree-alias=checked|c, or TAPEFREE_ALIAS in the environment.
AliasPolicy aliasPolicy();

} // namespace tapefree
