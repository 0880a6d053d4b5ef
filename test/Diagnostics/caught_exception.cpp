// An exception that is caught inside: thrown here, or in a callee. Those that leave the function are none of its
// business, unless code that catches by type throws again: its landing pad would have to do so in two functions.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double thrown(double x) {
  try {
    if (x < 0)
      // CHECK: caught_exception.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: an exception that is thrown here may be caught inside the differentiated function, and control goes on there, which is not differentiated: report errors by a return value, or let exceptions leave the function
      throw 1;
    return x * x;
  } catch (int) {
    return -x;
  }
}
void may_throw(int);
double callee(double x, int n) {
  try {
    // CHECK: caught_exception.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: an exception that is thrown here may be caught inside the differentiated function
    may_throw(n);
    return x * x;
  } catch (int) {
    return -x;
  }
}
double by_type(double x, int n) {
  try {
    // CHECK: caught_exception.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: an exception that is thrown here may be caught by its type inside the differentiated function, and thrown again, which is not differentiated: let it leave the function, or use catch (...)
    may_throw(n);
    return x * x;
  } catch (int) {
    may_throw(1);
    throw;
  }
}
double leaves(double x) {
  if (x < 0)
    throw 1;
  return x * x;
}
double a(double x) { return __tapefree_autodiff<double>((void *)thrown, x); }
double b(double x) { return __tapefree_autodiff<double>((void *)callee, x, 3); }
double c(double x) { return __tapefree_autodiff<double>((void *)by_type, x, 3); }
double d(double x) { return __tapefree_autodiff<double>((void *)leaves, x); }
// CHECK: 3 errors generated
