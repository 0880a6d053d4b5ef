// What the call expects back against what the derivative has.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double f(double x, double y) { return x * y; }
double g(const double *x) { return x[0]; }
void h(const double *x, double *y) { y[0] = x[0]; }

double too_small(double x, double y) {
  // CHECK: result.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the result of this call has 8 bytes, but the derivative returns 2 values of together 16 bytes: one field for each out argument, in order
  return __tapefree_autodiff<double>((void *)f, x, y);
}
float half(double x) {
  // CHECK: result.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the result of this call has 4 bytes, but the derivative returns 1 value of 8 bytes: one field for each out argument, in order
  return __tapefree_autodiff<float>((void *)f, x, tapefree_const, x);
}
double with_value(double x) {
  // CHECK: result.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the result of this call has 8 bytes, but the derivative returns 2 values of together 16 bytes: one field for each out argument, in order, behind the primal's value
  return __tapefree_autodiff<double>((void *)f, tapefree_primal_return, x, tapefree_const, x);
}
double nothing(const double *x, double *dx) {
  // CHECK: result.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: this call expects a result, but the derivative has none: no argument is out, and primal_return is not asked for
  return __tapefree_autodiff<double>((void *)g, x, dx);
}
double forward(const double *x, double *dx, double *y, double *dy) {
  // CHECK: result.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: this call expects a result, but the derivative has none: 'h' returns no floating value, and primal_return is not asked for
  return __tapefree_fwddiff<double>((void *)h, x, dx, y, dy);
}
// CHECK: 5 errors generated
