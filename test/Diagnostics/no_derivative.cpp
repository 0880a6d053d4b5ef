// A library function that LLVM knows and the rule table does not.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <stdlib.h>
#include <tapefree/abi.h>

double f(double *x, int n) {
  // CHECK: no_derivative.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of 'qsort' is given differentiated data, and neither its body nor a derivative is known
  qsort(x, n, sizeof *x, [](const void *a, const void *b) { return *(const double *)a < *(const double *)b ? -1 : 1; });
  return x[0] * x[0];
}
void gradient(double *x, double *dx, int n) { __tapefree_autodiff<void>((void *)f, x, dx, n); }
// CHECK: 1 error generated
