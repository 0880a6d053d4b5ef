// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

void scale(double *x) { x[0] *= 2; }

double reverse(double *x, double *dx) {
  // CHECK: primal_return_void.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: primal_return asks for the value of 'scale', which returns nothing
  return __tapefree_autodiff<double>((void *)scale, tapefree_primal_return, x, dx);
}
double forward(double *x, double *dx) {
  // CHECK: primal_return_void.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: primal_return asks for the value of 'scale', which returns nothing
  return __tapefree_fwddiff<double>((void *)scale, tapefree_primal_return, x, dx);
}
// CHECK: 2 errors generated
