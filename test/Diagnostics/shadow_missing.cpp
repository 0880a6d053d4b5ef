// A dup pointer is followed by its shadow: here the call ends, or the next marker stands.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double f(const double *x, double s, int n) { return x[n] * s; }
double g(const double *x) { return x[0]; }

double before_marker(const double *x, double s) {
  // CHECK: shadow_missing.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the shadow of argument 1 is missing: a dup argument is followed by its shadow (or mark it const)
  return __tapefree_autodiff<double>((void *)f, tapefree_dup, x, tapefree_out, s, tapefree_const, 3);
}
void at_end(const double *x) {
  // CHECK: shadow_missing.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the shadow of argument 1 is missing: a dup argument is followed by its shadow (or mark it const)
  __tapefree_autodiff<void>((void *)g, tapefree_dup, x);
}
void by_default(const double *x) {
  // CHECK: shadow_missing.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the shadow of argument 1 is missing: a dup argument is followed by its shadow (or mark it const)
  __tapefree_autodiff<void>((void *)g, x);
}
// CHECK: 3 errors generated
