// A call that may write what was read: calls in a loop of their own before.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -Rpass-analysis=tapefree -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clangxx -O0 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DFIXED -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXED --implicit-check-not=Rpass-missed
#include "Inputs/autodiff.h"
extern "C" void tick(int i);
double sum(const double *a, int n) {
  double s = 0;
#ifdef FIXED
  for (int i = 0; i < n; ++i)
    tick(i);
  for (int i = 0; i < n; ++i)
    s += a[i] * a[i];
#else
  for (int i = 0; i < n; ++i) {
    s += a[i] * a[i];
    tick(i);
  }
#endif
  return s;
}
// CHECK: call_only.cpp:[[#@LINE-6]]:{{.*}} remark: keeps 'a[i]' (line [[#@LINE-6]]): 8·n bytes, in one heap block, because the call of 'tick' at line [[#@LINE-5]] may write 'a[i]'; to avoid it, make the calls of 'tick' in a loop of their own before this one{{ }}
// MISSED: remark: keeps 'a[i]' (line [[#@LINE-7]]): 8·n bytes
// FIXED: remark: gradient of 'sum' keeps nothing (0 bytes)

void gradient(double *a, double *da, int n) {
  __tapefree_autodiff((void *)sum, tapefree_dup, a, da, tapefree_const, n);
}
