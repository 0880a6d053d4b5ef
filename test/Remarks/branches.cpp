// A value that depends on which of several ways was taken: conditions that do not short-circuit.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -Rpass-analysis=tapefree -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clangxx -O0 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DFIXED -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXED --implicit-check-not=Rpass-missed
#include "Inputs/autodiff.h"
#ifdef FIXED
#define AND &
#else
#define AND &&
#endif

double sum(const double *a, const double *b, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double t = 1;
    if ((a[i] > 0) AND (b[i] > 0))
      t = a[i] * b[i];
    else if (b[i] < -1)
      t = b[i];
    s += t * t;
  }
  return s;
}
// CHECK: branches.cpp:[[#@LINE-8]]:{{.*}} remark: keeps 't' (line [[#@LINE-8]]): 8·n bytes, in one heap block, because its value depends on the way taken through the conditions at line [[#@LINE-8]], and no single condition tells which one that was; to avoid it, write the conditions with & and | instead of && and ||
// MISSED: remark: keeps 't' (line [[#@LINE-9]]): 8·n bytes
// FIXED: remark: gradient of 'sum' keeps nothing (0 bytes)

void gradient(double *a, double *da, double *b, double *db, int n) {
  __tapefree_autodiff((void *)sum, tapefree_dup, a, da, tapefree_dup, b, db, tapefree_const, n);
}
