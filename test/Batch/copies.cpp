// Lanes of a wide batch that lie in memory are read from there instead of from a copy, and a choice between lanes is a
// select.
// RUN: %clangxx -O2 -fno-unroll-loops -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clangxx -O1 -S -emit-llvm -Xclang -disable-llvm-passes %s -o %t.ll
// RUN: %opt -passes=tapefree -S %t.ll | FileCheck --check-prefix=CHOICE %s
// RUN: %opt -passes=tapefree -S %t.ll | FileCheck --check-prefix=PLACES %s
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
struct Lanes {
  double of[32];
};
Lanes both(const double *x, const double *dx, int *changes) {
  return __tapefree_fwddiff<Lanes>((void *)larger, tapefree_width, 32, tapefree_dupi, x, dx, tapefree_const,
                                   changes);
}

// Lanes that are all equal are one scalar: instcombine's vectors with a single lane do not split the loop over lanes.
static double distance(const double *x, double w) {
  double u = x[0] * x[1];
  return w * (3 - u) + x[2] * x[2];
}
// CHECK-LABEL: define {{.*}} @_Z4once
// CHECK-NOT: fneg <32 x double>
// CHECK-COUNT-1: br i1 {{.*}}!llvm.loop
// CHECK-NOT: !llvm.loop
// CHECK-LABEL: define {{.*}} @_Z4move
void once(const double *x, double *dx, double w) {
  __tapefree_autodiff<void>((void *)distance, tapefree_width, 32, tapefree_dupi, x, dx, tapefree_const, w);
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

// The sum at the loop's head and the one behind the loop are one place in memory.
static double squares(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}
// PLACES-LABEL: define internal {{.*}}@tapefree.tangent.{{.*}}squares
// PLACES: alloca <32 x double>
// PLACES-NOT: alloca
// PLACES: ret
Lanes sum(const double *x, const double *dx, int n) {
  return __tapefree_fwddiff<Lanes>((void *)squares, tapefree_width, 32, tapefree_dupi, x, dx, tapefree_const, n);
}

// One operation on what lies in memory is done where its result is used, if that is elsewhere.
static void arms(const double *x, double *y) {
  double a = x[0] - x[1], b = x[2];
  if (b > 1) {
    y[0] = a * b;
    y[1] = b;
  } else {
    y[0] = a / b;
  }
}
// PLACES-LABEL: define internal {{.*}}@tapefree.tangent.{{.*}}arms
// PLACES-NOT: alloca
// PLACES: br i1
// PLACES: fsub <4 x double>
// PLACES: fsub <4 x double>
// PLACES: ret
void apart(const double *x, const double *dx, double *y, double *dy) {
  __tapefree_fwddiff<void>((void *)arms, tapefree_width, 32, tapefree_dupi, x, dx, tapefree_dupi, y, dy);
}
