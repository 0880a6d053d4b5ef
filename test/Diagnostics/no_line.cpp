// Without line tables the message says how to get the line.
// RUN: not %clangxx -O2 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double mystery(double) noexcept;
double f(double x) { return x * mystery(x); }
// CHECK: error: {{.*}}tapefree: the call of 'mystery' is given differentiated data{{.*}} (compile with -gline-tables-only to see the line)
double a(double x) { return __tapefree_autodiff<double>((void *)f, x); }
// CHECK: error: {{.*}}tapefree: too few arguments: 'f' takes 1, and 0 are given (compile with -gline-tables-only to see the line)
double b() { return __tapefree_autodiff<double>((void *)f); }
// CHECK: 2 errors generated
