// Lanes of a wide batch that lie in memory are read from there instead of from a copy, and a choice between lanes is a
// select.
// RUN: %clangxx -O2 -fno-unroll-loops -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -O1 -S -emit-llvm -Xclang -disable-llvm-passes %s -o %t.ll
// RUN: %opt -passes=tapefree -S %t.ll | FileCheck --check-prefix=CHOICE %s
#include <tapefree/abi.h>

// A branch that stays one, as it also stores.
static double larger(const double *x, int *changes) {
  double a = x[1], m = x[0] * a;
  if (a > m) {
    m = a;
    *changes = 1;
  }
  return m * m;
}
// CHOICE-LABEL: define internal {{.*}}@tapefree.tangent.{{.*}}larger
// CHOICE-NOT: reg2mem
// CHOICE: select i1 {{.*}}, <4 x double>
// CHOICE: ret
// CHECK-LABEL: define {{.*}} @_Z4once
struct Lanes {
  double of[32];
};
Lanes both(const double *x, const double *dx, int *changes) {
  return __tapefree_fwddiff<Lanes>((void *)larger, tapefree_width, 32, tapefree_dupi, x, dx, tapefree_const,
                                   changes);
}

// Lanes that are all equal are one scalar: instcombine's vectors with a single lane do not split the loop over lanes.
static double once_more(const double *x, double a) {
  double s = x[0] * a;
  return s * -a + x[1] * -s;
}
// CHECK-NOT: fneg <32 x double>
// CHECK-COUNT-1: br i1 {{.*}}!llvm.loop
// CHECK-NOT: !llvm.loop
// CHECK-LABEL: define {{.*}} @_Z4move
Lanes once(const double *x, const double *dx, double a) {
  return __tapefree_fwddiff<Lanes>((void *)once_more, tapefree_width, 32, tapefree_dupi, x, dx, tapefree_const, a);
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
