// Markers that do not fit what they stand before.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double f(double *x, double s, int n) { return x[n] * s; }

double out_pointer(double *x, double s) {
  // CHECK: marker_for_type.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: argument 1 is marked out, but it is a pointer: only a floating value can come back as a result; use dup and a shadow for a pointer, const for anything else
  return __tapefree_autodiff<double>((void *)f, tapefree_out, x, tapefree_out, s, 1);
}
double out_integer(double *x, double *dx, double s) {
  // CHECK: marker_for_type.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: argument 3 is marked out, but it is an integer: only a floating value can come back
  return __tapefree_autodiff<double>((void *)f, x, dx, s, tapefree_out, 1);
}
double dup_integer(double *x, double *dx, double s) {
  // CHECK: marker_for_type.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: argument 3 is marked dup, but it is an integer, which has no derivative: use const
  return __tapefree_autodiff<double>((void *)f, x, dx, s, tapefree_dup, 1, 0);
}
double dup_value(double *x, double *dx, double s) {
  // CHECK: marker_for_type.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: argument 2 is marked dup, but it is a double passed by value: use out, and its derivative comes back in the result
  return __tapefree_autodiff<double>((void *)f, x, dx, tapefree_dup, s, 1.0, 1);
}
// In forward mode a value is dup.
double forward(double *x, double *dx, double s) {
  return __tapefree_fwddiff<double>((void *)f, x, dx, tapefree_dup, s, 1.0, 1);
}
// CHECK: 4 errors generated
