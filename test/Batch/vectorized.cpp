// Lanes of a simple body become lanes of SIMD registers, a branch that differs between them too.
// RUN: %clangxx -O2 -fno-math-errno --target=x86_64-linux-gnu -march=haswell -nostdinc++ -gline-tables-only -Rpass=loop-vectorize -S %s -o - 2>&1 | FileCheck %s
#include <tapefree/abi.h>
struct Lanes {
  double lane[8];
};
static double f(double x, double y) { return x > 2 ? __builtin_sqrt(x) * y : x * x; }
// CHECK: vectorized.cpp:[[#@LINE+4]]:{{.*}} vectorized loop
// CHECK-COUNT-2: vsqrtpd
// CHECK-NOT: sqrt
Lanes eight(const double *x, double y) {
  return __tapefree_batch<Lanes>((void *)f, tapefree_width, 8, tapefree_vector, x[0], x[1], x[2], x[3], x[4], x[5],
                                 x[6], x[7], tapefree_scalar, y);
}
