// Volatile memory must not be read a second time: an ordinary copy.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DFIXED -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXED --implicit-check-not=Rpass-missed
#include "Inputs/autodiff.h"

double sum(volatile const double *v, [[maybe_unused]] double *__restrict__ x, int n) {
  double s = 0;
#ifdef FIXED
  for (int i = 0; i < n; ++i)
    x[i] = v[i];
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
#else
  for (int i = 0; i < n; ++i) {
    double y = v[i];
    s += y * y;
  }
#endif
  return s;
}
// CHECK: volatile.cpp:[[#@LINE-6]]:{{.*}} remark: keeps 'y' (line [[#@LINE-6]]): 8·n bytes, in one heap block, because 'v[i]' is volatile or atomic, {{.*}}; to avoid it, copy it to an ordinary array in a loop of its own before this one, and read that
// FIXED: remark: gradient of 'sum' keeps nothing (0 bytes)

void gradient(double *v, double *dv, double *x, double *dx, int n) {
  __tapefree_autodiff((void *)sum, tapefree_dup, v, dv, tapefree_dup, x, dx, tapefree_const, n);
}
