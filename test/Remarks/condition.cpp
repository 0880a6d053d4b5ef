// The outcome of a condition on memory that is overwritten: a second buffer.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -Rpass-analysis=tapefree -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clangxx -O0 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DFIXED -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXED --implicit-check-not=Rpass-missed
#include "Inputs/autodiff.h"
#ifdef FIXED
#define INTO z
#else
#define INTO x
#endif
double sum(double *__restrict__ x, const double *__restrict__ y, double *__restrict__ z, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    if (x[i] > 0)
      s += y[i] * y[i];
    INTO[i] = 2 * y[i];
  }
  return s;
}
// CHECK: condition.cpp:[[#@LINE-6]]:{{.*}} remark: keeps the outcome of the condition (line [[#@LINE-6]]): n bytes, in one heap block, because it is computed from 'x[i]', and the store to 'x[i]' at line [[#@LINE-4]] overwrites 'x[i]'; to avoid it, write the new values to a second buffer instead of over 'x'
// MISSED: remark: keeps the outcome of the condition (line [[#@LINE-7]]): n bytes
// FIXED: remark: gradient of 'sum' keeps nothing (0 bytes)

void gradient(double *x, double *dx, const double *y, double *dy, double *z, double *dz, int n) {
  __tapefree_autodiff((void *)sum, tapefree_dup, x, dx, tapefree_dup, y, dy, tapefree_dup, z, dz, tapefree_const, n);
}
