// A local array that each iteration fills again: a part of a larger array for each iteration.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DFIXED -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXED --implicit-check-not=Rpass-missed
#include "Inputs/autodiff.h"
#ifdef FIXED
#define T(i, j) t[40 * (i) + (j)]
#else
#define T(i, j) local[j]
#endif

double sum(const double *__restrict__ a, [[maybe_unused]] double *__restrict__ t, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    [[maybe_unused]] double local[40];
    for (int j = 0; j < 40; ++j)
      T(i, j) = a[i] * a[j];
    T(i, 0) += a[i];
    for (int j = 0; j < 40; ++j)
      s += T(i, j) * T(i, j);
  }
  return s;
}
// CHECK: scratch.cpp:[[#@LINE-4]]:{{.*}} remark: keeps 'local[j]' (line [[#@LINE-4]]): {{.*}} bytes, in one heap block, because the store to 'local[j]' at line [[#@LINE-7]] fills 'local' again in this iteration or a later one; to avoid it, give each iteration its own part of a larger array, handed in as a __restrict__ parameter, instead of 'local'
// FIXED: remark: gradient of 'sum' keeps nothing (0 bytes)

void gradient(double *a, double *da, double *t, double *dt, int n) {
  __tapefree_autodiff((void *)sum, tapefree_dup, a, da, tapefree_dup, t, dt, tapefree_const, n);
}
