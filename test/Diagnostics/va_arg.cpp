// A visible callee with variable arguments that is given differentiated values, in both modes.
// RUN: not %clangxx -O2 -gline-tables-only -DDIFF=__tapefree_autodiff -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -DDIFF=__tapefree_fwddiff -c %s -o /dev/null 2>&1 | FileCheck %s
#include <cstdarg>
#include <tapefree/abi.h>

double sum(int n, ...) {
  va_list list;
  va_start(list, n);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += va_arg(list, double);
  va_end(list);
  return s;
}
double f(double x) {
  // CHECK: va_arg.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: {{.*}}'sum'{{.*}}
  return sum(2, x, x * x);
}
double derivative(double x) { return DIFF<double>((void *)f, x, 1.0); } // autodiff: 1.0 is the seed
// CHECK: 1 error generated
