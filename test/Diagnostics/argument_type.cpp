// An argument of another type than the parameter; numbers convert as C's default promotions do.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double f(double *x, float s, int n) { return x[n] * s; }

double promoted(double *x, double *dx) {
  return __tapefree_autodiff<float>((void *)f, x, dx, tapefree_out, 2.0, 1L);
}
double swapped(double *x, double *dx) {
  // CHECK: argument_type.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: argument 1 is an integer, but 'f' takes a pointer there
  return __tapefree_autodiff<float>((void *)f, tapefree_const, 1, x, dx);
}
double integer_for_float(double *x, double *dx) {
  // CHECK: argument_type.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: argument 2 is an integer, but 'f' takes a float there
  return __tapefree_autodiff<float>((void *)f, x, dx, tapefree_out, 2, 1);
}
double shadow_by_value(double *x) {
  // CHECK: argument_type.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the shadow of argument 1 is a double, but 'f' takes a pointer there
  return __tapefree_autodiff<float>((void *)f, tapefree_dup, x, 1.0, tapefree_out, 2.0f, 1);
}
// CHECK: 3 errors generated
