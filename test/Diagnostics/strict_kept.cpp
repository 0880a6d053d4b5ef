// strict refuses a gradient that keeps a value on the heap; without it the same compiles.
// RUN: not %clangxx -O2 -gline-tables-only -DOPTION=tapefree_strict, -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -DOPTION=tapefree_strict, -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clangxx -O2 -DOPTION= -c %s -o /dev/null
#include <tapefree/abi.h>

void f(double *x, int n, int rounds) {
  for (int r = 0; r < rounds; ++r)
    for (int i = 0; i < n; ++i)
      // CHECK: strict_kept.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: strict: the gradient of 'f' keeps {{.*}} (line [[#@LINE+1]]): {{.*}}overwrites{{.*}}; to avoid it, {{.*}} (strict by the call at line [[#@LINE+4]])
      x[i] = x[i] * x[i];
}
void gradient(double *x, double *dx, int n) {
  __tapefree_autodiff<void>((void *)f, OPTION x, dx, n, 3);
}
// CHECK: 1 error generated
