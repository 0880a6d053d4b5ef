// All mistakes of a file are reported, each once, and good calls beside them do not suffer.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double mystery(double) noexcept;
double f(double x) {
  // CHECK-DAG: several.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of 'mystery' is given differentiated data
  return x * mystery(x);
}
double g(double x) { return x * x; }

double calls(double x) {
  double good = __tapefree_autodiff<double>((void *)g, x);
  double same = __tapefree_autodiff<double>((void *)f, x);
  // CHECK-DAG: several.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: too many arguments
  double many = __tapefree_autodiff<double>((void *)g, x, x, x);
  return good + same + many;
}
// CHECK: 2 errors generated
