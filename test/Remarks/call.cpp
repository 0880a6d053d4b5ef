// The result of a call, and memory that a call may write: an array of results.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -Rpass-analysis=tapefree -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clangxx -O0 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DFIXED -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXED --implicit-check-not=Rpass-missed
#include "Inputs/autodiff.h"
extern "C" int choose(int n);
#ifdef FIXED
double sum(const double *a, const int *k, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[k[i]] * a[i];
  return s;
}
void gradient(double *a, double *da, int *k, int n) {
  for (int i = 0; i < n; ++i)
    k[i] = choose(n);
  __tapefree_autodiff((void *)sum, tapefree_dup, a, da, tapefree_const, k, tapefree_const, n);
}
#else
double sum(const double *a, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    int k = choose(n);
    s += a[k] * a[i];
  }
  return s;
}
void gradient(double *a, double *da, int n) {
  __tapefree_autodiff((void *)sum, tapefree_dup, a, da, tapefree_const, n);
}
#endif
// CHECK: call.cpp:[[#@LINE-9]]:{{.*}} remark: keeps 'k' (line [[#@LINE-9]]): 4·n bytes, in one heap block, because calling 'choose' at line [[#@LINE-9]] a second time could give something else; to avoid it, make the calls of 'choose' in a loop of their own before this one, and hand in an array of what they return
// CHECK: remark: keeps 'a[i]' (line [[#@LINE-9]]): 8·n bytes, in one heap block, because the call of 'choose' at line [[#@LINE-10]] may write 'a[i]'
// MISSED: remark: keeps 'k' (line [[#@LINE-11]]): 4·n bytes
// FIXED: remark: gradient of 'sum' keeps nothing (0 bytes)
