// The same in forward mode.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double mystery(double) noexcept;
double f(double x) {
  // CHECK: external_call_forward.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of 'mystery' is given differentiated data, and neither its body nor a derivative is known: make its body visible here, or keep differentiated values out of it
  return x * mystery(x);
}
double derivative(double x) { return __tapefree_fwddiff<double>((void *)f, x, 1.0); }
// CHECK: 1 error generated
