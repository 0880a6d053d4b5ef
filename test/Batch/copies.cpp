// Lanes of a wide batch that lie in memory are read from there instead of from a copy, and a choice between lanes is a
// select: three candidates take one loop over lanes.
// RUN: %clangxx -O2 -fno-unroll-loops -S -emit-llvm %s -o - | FileCheck %s
#include <tapefree/abi.h>

static double largest(const double *x) {
  double m = x[0];
  if (x[1] > m)
    m = x[1];
  if (x[2] > m)
    m = x[2];
  return m * m;
}
// CHECK-LABEL: define {{.*}} @_Z4both
// CHECK: select i1
// CHECK-COUNT-1: br i1 {{.*}}!llvm.loop
// CHECK-NOT: !llvm.loop
// CHECK-LABEL: define {{.*}} @_Z4move
struct Lanes {
  double of[32];
};
Lanes both(const double *x, const double *dx) {
  return __tapefree_fwddiff<Lanes>((void *)largest, tapefree_width, 32, tapefree_dupi, x, dx);
}

static void shift(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i + n];
}
// CHECK-NOT: alloca
// CHECK: ret void
void move(double *x, double *dx, int n) {
  __tapefree_fwddiff<void>((void *)shift, tapefree_width, 32, tapefree_dupi, x, dx, tapefree_const, n);
}
