// Options: what a user sets for a whole file, by -mllvm flags or by the environment.
#pragma once

namespace tapefree {

/// Every gradient is strict: -mllvm -tapefree-strict, or TAPEFREE_STRICT=1 in the environment.
bool strictEverywhere();

} // namespace tapefree
