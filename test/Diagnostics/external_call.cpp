// A call whose body is not visible is fine as long as nothing differentiated goes in.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double mystery(double) noexcept;
void fill(double *) noexcept;
void tick(int) noexcept;

double by_value(double x) {
  tick(3);
  // CHECK: external_call.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of 'mystery' is given differentiated data, and neither its body nor a derivative is known: make its body visible here, or keep differentiated values out of it
  return x * mystery(x);
}
double through_memory(double *x) {
  tick(4);
  // CHECK: external_call.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of 'fill' is given differentiated data
  fill(x);
  return x[0] * x[1];
}
double nothing_given(double x, int n) {
  tick(n);
  return x * mystery(n);
}
void calls(double *x, double *dx) {
  __tapefree_autodiff<double>((void *)by_value, x[0]);
  __tapefree_autodiff<void>((void *)through_memory, x, dx);
  __tapefree_autodiff<double>((void *)nothing_given, x[0], 2);
}
// CHECK: 2 errors generated
