// A loop of which only the run tells how often it runs: a bound that is known before.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -Rpass-analysis=tapefree -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clangxx -O0 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DFIXED -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXED --implicit-check-not=Rpass-missed
#include "Inputs/autodiff.h"
double sums(const double *x, const int *stop, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
#ifdef FIXED
    int m = stop[i];
    for (int j = 0; j < m; ++j)
#else
    for (int j = 0; stop[j] != i; ++j)
#endif
      s += x[j] * x[i];
  }
  return s;
}
// CHECK: trips.cpp:[[#@LINE-6]]:{{.*}} remark: keeps the number of iterations of the loop (line [[#@LINE-6]]): 8·n bytes, in one heap block, because only the run of the loop at line [[#@LINE-6]] tells how often it runs; to avoid it, make it a for loop up to a number that is known before it (counted earlier, and handed in)
// MISSED: remark: keeps the number of iterations of the loop (line [[#@LINE-7]]): 8·n bytes
// FIXED: remark: gradient of 'sums' keeps nothing (0 bytes)

void gradient(double *x, double *dx, const int *stop, int n) {
  __tapefree_autodiff((void *)sums, tapefree_dup, x, dx, tapefree_const, stop, tapefree_const, n);
}
