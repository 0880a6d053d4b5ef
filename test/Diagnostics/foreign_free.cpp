// Which allocation is freed must be known: its memory has to live until the reverse sweep has passed.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <cstdlib>
#include <tapefree/abi.h>

double f(double *x) {
  double r = x[0] * x[0];
  // CHECK: foreign_free.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: cannot see which allocation is freed here, so its memory cannot be kept for the reverse sweep: free the pointer that malloc or new returned, in the function that allocated it
  free(x);
  return r;
}
double own(const double *x) {
  double *t = static_cast<double *>(malloc(8));
  t[0] = x[0] * x[0];
  double r = t[0] * t[0];
  free(t);
  return r;
}
void gradient(double *x, double *dx) {
  __tapefree_autodiff<void>((void *)f, x, dx);
  __tapefree_autodiff<void>((void *)own, x, dx);
}
// CHECK: 1 error generated
