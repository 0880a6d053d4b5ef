// The lanes of a batch are vectors: up to 8 lanes straight code, above that a loop over chunks of 4, in either mode.
// RUN: %clangxx -O1 -S -emit-llvm %s -o - | FileCheck %s
#include <tapefree/abi.h>

static double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}

// CHECK-LABEL: define {{.*}} @_Z8reverse4
// CHECK: load <4 x double>
// CHECK: store <4 x double>
void reverse4(const double *x, double *dx, int n) {
  __tapefree_autodiff<void>((void *)f, tapefree_width, 4, tapefree_dupi, x, dx, tapefree_const, n);
}
// CHECK-LABEL: define {{.*}} @_Z9separate4
// CHECK-NOT: masked
// CHECK: insertelement <4 x double>
// CHECK-NOT: masked
// CHECK: ret void
void separate4(const double *x, double *d0, double *d1, double *d2, double *d3, int n) {
  __tapefree_autodiff<void>((void *)f, tapefree_width, 4, tapefree_dup, x, d0, d1, d2, d3, tapefree_const, n);
}
// CHECK-LABEL: define {{.*}} @_Z9reverse32
// CHECK: phi i64 [ 0,
// CHECK: load <4 x double>, {{.*}} align 8
// CHECK: store <4 x double>
// CHECK-NOT: <32 x double>
// CHECK: ret void
void reverse32(const double *x, double *dx, int n) {
  __tapefree_autodiff<void>((void *)f, tapefree_width, 32, tapefree_dupi, x, dx, tapefree_const, n);
}
struct Eight {
  double d[8];
};
// CHECK-LABEL: define {{.*}} @_Z8forward8
// CHECK: load <8 x double>
// CHECK: call <8 x double> @llvm.fmuladd.v8f64
Eight forward8(const double *x, const double *dx, int n) {
  return __tapefree_fwddiff<Eight>((void *)f, tapefree_width, 8, tapefree_dupi, x, dx, tapefree_const, n);
}
