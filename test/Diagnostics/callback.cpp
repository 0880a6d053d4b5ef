// A function that is handed in by name is fine; one without a body is named in the message.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

typedef double function(double);
double known(double x) { return x * x; }
double unknown(double x) noexcept;

double apply(function *g, double x) {
  // CHECK: callback.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of 'unknown' is given differentiated data
  return g(x) * x;
}
double a(double x) { return __tapefree_autodiff<double>((void *)apply, tapefree_const, known, x); }
double b(double x) { return __tapefree_autodiff<double>((void *)apply, tapefree_const, unknown, x); }
// CHECK: 1 error generated
