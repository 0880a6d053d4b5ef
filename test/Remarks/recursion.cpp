// A call that stays a call leaves a record: a loop.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -Rpass-analysis=tapefree -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clangxx -O0 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DFIXED -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXED --implicit-check-not=Rpass-missed
#include "Inputs/autodiff.h"
#ifdef FIXED
double sum(const double *x, int k) {
  double s = 0;
  for (int i = 0; i < k; ++i)
    s += x[i] * x[i];
  return s;
}
#else
double sum(const double *x, int k) {
  return k ? x[k] * x[k] + sum(x, k - 1) : 0;
}
#endif
// CHECK: recursion.cpp:[[#@LINE-3]]:{{.*}} remark: keeps the record of the call of 'sum' (line [[#@LINE-3]]): as many bytes as that call keeps, in a heap block of its own, because 'sum' calls itself or is too large to be taken apart here: each call at line [[#@LINE-3]] leaves a record; to avoid it, write 'sum' as a loop over arrays, with no recursion
// MISSED: remark: keeps the record of the call of 'sum' (line [[#@LINE-4]]):
// FIXED: remark: gradient of 'sum' keeps nothing (0 bytes)

void gradient(double *x, double *dx, int n) {
  __tapefree_autodiff((void *)sum, tapefree_dup, x, dx, tapefree_const, n);
}
