// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double one(double x) { return x * x; }
void two(double *x, int n) { x[n] *= x[n]; }

double a(double x) {
  // One value more would be the seed; two are too many.
  // CHECK: too_many.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: too many arguments: 'one' takes 1 parameter
  return __tapefree_autodiff<double>((void *)one, x, x, x);
}
void b(double *x, double *dx, int n) {
  // CHECK: too_many.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: too many arguments: 'two' takes 2 parameters
  __tapefree_autodiff<void>((void *)two, x, dx, n, n);
}
double c(double x) {
  // CHECK: too_many.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: too many arguments: 'one' takes 1 parameter
  return __tapefree_fwddiff<double>((void *)one, x, x, x);
}
// CHECK: 3 errors generated
