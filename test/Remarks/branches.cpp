// A value that depends on the branch taken: used inside each branch.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -Rpass-analysis=tapefree -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clangxx -O0 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DFIXED -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXED --implicit-check-not=Rpass-missed
#include "Inputs/autodiff.h"
double sum(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
#ifdef FIXED
    if (a[i] > 0)
      s += (a[i] * b[i]) * (a[i] * b[i]);
    else
      s += b[i] * b[i];
#else
    double t;
    if (a[i] > 0)
      t = a[i] * b[i];
    else
      t = b[i];
    s += t * t;
#endif
  }
  return s;
}
// CHECK: branches.cpp:[[#@LINE-9]]:{{.*}} remark: keeps 't' (line [[#@LINE-9]]): 8·n bytes, in one heap block, because its value depends on the way taken through the branches at line [[#@LINE-9]]; to avoid it, use it inside each branch instead of behind them
// MISSED: remark: keeps 't' (line [[#@LINE-10]]): 8·n bytes
// FIXED: remark: gradient of 'sum' keeps nothing (0 bytes)

void gradient(double *a, double *da, double *b, double *db, int n) {
  __tapefree_autodiff((void *)sum, tapefree_dup, a, da, tapefree_dup, b, db, tapefree_const, n);
}
