// An exception that is caught inside: thrown here, where the throw is refused, or in a callee, where the catch is.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double thrown(double x) {
  try {
    if (x < 0)
      // CHECK: caught_exception.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of '__cxa_throw' may throw past code that cleans up, which the derivative cannot follow
      throw 1;
    return x * x;
  } catch (int) {
    return -x;
  }
}
void may_throw(int);
double callee(double x, int n) {
  try {
    // CHECK: caught_exception.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of 'may_throw' may throw past code that cleans up, which the derivative cannot follow
    may_throw(n);
    return x * x;
  } catch (int) {
    return -x;
  }
}
// An exception that leaves the function is none of its business.
double leaves(double x) {
  if (x < 0)
    throw 1;
  return x * x;
}
double a(double x) { return __tapefree_autodiff<double>((void *)thrown, x); }
double b(double x) { return __tapefree_autodiff<double>((void *)callee, x, 3); }
double c(double x) { return __tapefree_autodiff<double>((void *)leaves, x); }
// CHECK: 2 errors generated
