// Macros shared by the kernels, and nothing else.
#pragma once

// The kernels are inlined into the loss function, so that the compiler sees one body with one set of
// `__restrict__` facts. It is also what lets the gradient prove that no buffer is written twice.
#define TAPEFREE_NN_INLINE [[gnu::always_inline]] inline

// Placed at the start of a block: sums in it may be reordered. The forward loops do not need it (they run
// along independent outputs), but their derivative with respect to a layer's input is a dot product, which
// vectorises only when its sum may be split. Nothing else of fast-math is allowed.
#ifdef __clang__
#define TAPEFREE_NN_REASSOCIATE _Pragma("clang fp reassociate(on)")
#else
#define TAPEFREE_NN_REASSOCIATE
#endif
