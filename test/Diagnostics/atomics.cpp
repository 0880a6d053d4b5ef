// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

void add(const double *x, double *sum) {
  double v = x[0] * x[0];
  // CHECK: atomics.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: an atomic update of differentiated memory has no derivative here: use a plain load and store, or sum into a buffer of each thread's own
  __atomic_fetch_add(sum, v, __ATOMIC_RELAXED);
}
double load(double *x) {
  double v;
  // CHECK: atomics.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: {{.*}}has no derivative
  __atomic_load(x, &v, __ATOMIC_RELAXED);
  return v * v;
}
void store(const double *x, double *y) {
  double v = x[0] * x[0];
  // CHECK: atomics.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: differentiated data passes through an operation that has no derivative here (store): keep differentiated values out of it
  __atomic_store(y, &v, __ATOMIC_RELAXED);
}
void calls(double *x, double *dx, double *y, double *dy) {
  __tapefree_autodiff<void>((void *)add, x, dx, y, dy);
  __tapefree_autodiff<void>((void *)load, x, dx);
  __tapefree_autodiff<void>((void *)store, x, dx, y, dy);
}
// CHECK: 3 errors generated
