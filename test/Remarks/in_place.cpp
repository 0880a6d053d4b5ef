// What was read is overwritten: a second buffer.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -Rpass-analysis=tapefree -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clangxx -O0 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DFIXED -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXED --implicit-check-not=Rpass-missed
#include "Inputs/autodiff.h"
#ifdef FIXED
void square(const double *__restrict__ x, double *__restrict__ y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
void gradient(double *x, double *dx, double *y, double *dy, int n) {
  __tapefree_autodiff((void *)square, tapefree_dup, x, dx, tapefree_dup, y, dy, tapefree_const, n);
}
#else
void square(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] = x[i] * x[i];
}
void gradient(double *x, double *dx, int n) {
  __tapefree_autodiff((void *)square, tapefree_dup, x, dx, tapefree_const, n);
}
#endif
// CHECK: in_place.cpp:[[#@LINE-6]]:{{.*}} remark: keeps 'x[i]' (line [[#@LINE-6]]): 8·n bytes, in one heap block, because the store to 'x[i]' at line [[#@LINE-6]] overwrites 'x[i]'; to avoid it, write the new values to a second buffer instead of over 'x', both of them __restrict__ parameters
// MISSED: remark: keeps 'x[i]' (line [[#@LINE-7]]): 8·n bytes
// FIXED: remark: gradient of 'square' keeps nothing (0 bytes)
