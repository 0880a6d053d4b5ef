// A call that may throw, past an object that must be destroyed.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

struct Guard {
  ~Guard();
};
void may_throw(int);
double f(double x, int n) {
  Guard g;
  // CHECK: throwing_call.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of 'may_throw' may throw past code that cleans up, which the derivative cannot follow: make it noexcept, or make its body visible
  may_throw(n);
  return x * x;
}
double gradient(double x) { return __tapefree_autodiff<double>((void *)f, x, 3); }
// CHECK: 1 error generated
