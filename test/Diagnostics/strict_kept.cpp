// strict refuses a gradient that keeps a value on the heap; without it the same compiles.
// RUN: not %clangxx -O2 -gline-tables-only -DOPTION=tapefree_strict, -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -DOPTION=tapefree_strict, -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clangxx -O2 -DOPTION= -c %s -o /dev/null
#include <tapefree/abi.h>

void f(double *x, int n, int rounds) {
  for (int r = 0; r < rounds; ++r)
    for (int i = 0; i < n; ++i)
      x[i] = x[i] * x[i];
}
void gradient(double *x, double *dx, int n) {
  __tapefree_autodiff<void>((void *)f, OPTION x, dx, n, 3);
}
// CHECK: strict_kept.cpp:[[#@LINE-2]]:3: error: {{.*}}tapefree: strict: the gradient of 'f' keeps 1 value on the heap
// CHECK: strict_kept.cpp:[[#@LINE-6]]:14: note: keeps the value loaded (line [[#@LINE-6]]): {{.*}}overwrites{{.*}}; to avoid it,
// CHECK: strict_kept.cpp:[[#@LINE-7]]:12: note: the store to memory is here
// CHECK: 1 error generated
