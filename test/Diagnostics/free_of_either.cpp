// Pointers of local memory and of others side by side: the free could mean either.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <cstdlib>
#include <tapefree/abi.h>

double f(double *x, int n) {
  double *own = static_cast<double *>(malloc(8));
  own[0] = x[0] * x[0];
  double *list[2] = {own, x};
  double r = list[n][0] * x[0];
  // CHECK: free_of_either.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: cannot see which allocation is freed here
  free(list[n - 1]);
  return r;
}
void gradient(double *x, double *dx, int n) { __tapefree_autodiff<void>((void *)f, x, dx, n); }
// CHECK: 1 error generated
