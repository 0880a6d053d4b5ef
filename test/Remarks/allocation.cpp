// Memory that each iteration allocates: one block, with a part for each iteration.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -Rpass-analysis=tapefree -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clangxx -O0 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DFIXED -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXED --implicit-check-not=Rpass-missed
#include "Inputs/autodiff.h"
#include <cstdlib>
#ifdef FIXED
double sum(const double *__restrict__ a, double *__restrict__ t, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < 4; ++j)
      t[4 * i + j] = a[i] * a[j];
    for (int j = 0; j < 4; ++j)
      s += t[4 * i + j] * t[4 * i + j];
  }
  return s;
}
void gradient(double *a, double *da, double *t, double *dt, int n) {
  __tapefree_autodiff((void *)sum, tapefree_dup, a, da, tapefree_dup, t, dt, tapefree_const, n);
}
#else
double sum(const double *a, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double *t = (double *)malloc(4 * sizeof(double));
    for (int j = 0; j < 4; ++j)
      t[j] = a[i] * a[j];
    for (int j = 0; j < 4; ++j)
      s += t[j] * t[j];
    free(t);
  }
  return s;
}
void gradient(double *a, double *da, int n) {
  __tapefree_autodiff((void *)sum, tapefree_dup, a, da, tapefree_const, n);
}
#endif
// CHECK: allocation.cpp:[[#@LINE-13]]:{{.*}} remark: keeps 't' (line [[#@LINE-13]]): 8·n bytes, in one heap block, because the memory allocated at line [[#@LINE-13]] is another one in each iteration; to avoid it, allocate once before the loop and hand it in as a __restrict__ parameter, with a part for each iteration
// MISSED: remark: keeps 't' (line [[#@LINE-14]]): 8·n bytes
// FIXED: remark: gradient of 'sum' keeps nothing (0 bytes)
