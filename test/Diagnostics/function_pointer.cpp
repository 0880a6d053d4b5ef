// A call through a pointer that is not known when the derivative is made.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

typedef double function(double) noexcept;
double apply(function *g, double x) {
  // CHECK: function_pointer.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of a function reached through a pointer is given differentiated data
  return g(x) * x;
}
double gradient(function *g, double x) {
  return __tapefree_autodiff<double>((void *)apply, tapefree_const, g, x);
}
// CHECK: 1 error generated
