// What an inner loop arrives at: an array of results, read by a loop behind.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -Rpass-analysis=tapefree -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clangxx -O0 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DFIXED -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXED --implicit-check-not=Rpass-missed
#include "Inputs/autodiff.h"
double squares(const double *__restrict__ a, double *__restrict__ r, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double t = 0;
    for (int j = 0; j < n; ++j)
      t += a[i * n + j];
#ifdef FIXED
    r[i] = t;
  }
  for (int i = 0; i < n; ++i)
    s += r[i] * r[i];
#else
    s += t * t;
  }
#endif
  return s;
}
// CHECK: loop_result.cpp:[[#@LINE-12]]:{{.*}} remark: keeps 't' (line [[#@LINE-12]]): 8·n bytes, in one heap block, because it is what the loop at line [[#@LINE-13]] arrived at, and only running that loop again would give it again; to avoid it, write it to an array, 't[i]' (a __restrict__ parameter), and read that in a loop of its own behind this one
// MISSED: remark: keeps 't' (line [[#@LINE-13]]): 8·n bytes
// FIXED: remark: gradient of 'squares' keeps nothing (0 bytes)

void gradient(double *a, double *da, double *r, double *dr, int n) {
  __tapefree_autodiff((void *)squares, tapefree_dup, a, da, tapefree_dup, r, dr, tapefree_const, n);
}
