// A differentiated value passes through const memory by memcpy of a length that only the run knows.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <cstring>
#include <tapefree/abi.h>

double f(const double *x, double *t, int n) {
  // CHECK: const_copy.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: a value that depends on a differentiated input is stored in memory that was passed as const
  std::memcpy(t, x, n * sizeof(double));
  return t[0] * t[1];
}
void gradient(const double *x, double *dx, double *t, int n) {
  __tapefree_autodiff<void>((void *)f, x, dx, tapefree_const, t, n);
}
// CHECK: 1 error generated
