// The data as its own shadow, by a pointer variable, which clang reads twice.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double f(const double *x) { return x[0] * x[1]; }

void pointer(double *x) {
  // CHECK: shadow_is_pointer.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the shadow of argument 1 is the argument itself
  __tapefree_autodiff<void>((void *)f, tapefree_dup, x, x);
}
void array() {
  double x[2] = {1, 2};
  // CHECK: shadow_is_pointer.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the shadow of argument 1 is the argument itself
  __tapefree_autodiff<void>((void *)f, tapefree_dup, x, x);
}
// CHECK: 2 errors generated
