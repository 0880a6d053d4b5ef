// A value that each iteration makes from the one before: an array of them.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -Rpass-analysis=tapefree -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clangxx -O0 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DFIXED -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXED --implicit-check-not=Rpass-missed
#include "Inputs/autodiff.h"
#ifdef FIXED
void chain(const double *__restrict__ x, double *__restrict__ s, int n) {
  for (int i = 0; i < n; ++i)
    s[i + 1] = s[i] * s[i] + x[i];
}
void gradient(double *x, double *dx, double *s, double *ds, int n) {
  __tapefree_autodiff((void *)chain, tapefree_dup, x, dx, tapefree_dup, s, ds, tapefree_const, n);
}
#else
double chain(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    s = s * s + x[i];
  return s;
}
void gradient(double *x, double *dx, int n) {
  __tapefree_autodiff((void *)chain, tapefree_dup, x, dx, tapefree_const, n);
}
#endif
// CHECK: carried.cpp:[[#@LINE-7]]:{{.*}} remark: keeps 's' (line [[#@LINE-7]]): 8·n bytes, in one heap block, because each iteration computes it at line [[#@LINE-7]] from the one before, which is then gone; to avoid it, give it an array: read 's[i]' and write 's[i + 1]' (a __restrict__ parameter whose first element the caller sets)
// MISSED: remark: keeps 's' (line [[#@LINE-8]]): 8·n bytes
// FIXED: remark: gradient of 'chain' keeps nothing (0 bytes)
