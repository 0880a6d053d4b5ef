// A differentiated value passes through memory that the call named const; memory that is only written is a log.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double scratch(const double *x, double *t, int n) {
  for (int i = 0; i < n; ++i)
    // CHECK: const_store.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: a value that depends on a differentiated input is stored in memory that was passed as const: pass that buffer as dup with a shadow (zeroed), so that its derivative can pass through
    t[i] = x[i] * x[i];
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += t[i] * t[i];
  return s;
}
double log(const double *x, double *t, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    t[i] = x[i] * x[i];
    s += x[i] * x[i];
  }
  return s;
}
void gradient(const double *x, double *dx, double *t, int n) {
  __tapefree_autodiff<void>((void *)scratch, x, dx, tapefree_const, t, n);
  __tapefree_autodiff<void>((void *)log, x, dx, tapefree_const, t, n);
}
// CHECK: 1 error generated
