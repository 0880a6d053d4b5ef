// Derivatives of derivatives: what each level keeps, by the user's names and at the user's lines.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clangxx -O0 -g -Rpass=tapefree -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DRECURSION -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=RECURSION --implicit-check-not="'tapefree." --implicit-check-not="{{^}}remark"
// Parts of the inner derivative have lines of their own, as debug information wants them.
// RUN: %clangxx -O0 -g -DRECURSION -S -emit-llvm %s -o %t.ll
// RUN: opt -passes=verify -disable-output %t.ll 2>&1 | count 0
#include "Inputs/autodiff.h"
#ifndef RECURSION
// The function, its gradient, and the gradient of that: three levels.
double energy(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    s = s * x[i] + s * s;
  return s;
}
void slope(const double *x, double *g, int n) {
  __tapefree_autodiff((void *)energy, tapefree_dup, x, g, tapefree_const, n);
}
void curvature(const double *x, double *dx, double *g, double *dg, int n) {
  __tapefree_autodiff((void *)slope, tapefree_dup, x, dx, tapefree_dup, g, dg, tapefree_const, n);
}
void third(const double *x, double *dx, double *y, double *dy, double *g, double *dg, double *h, double *dh, int n) {
  __tapefree_autodiff((void *)curvature, tapefree_dup, x, dx, tapefree_dup, y, dy, tapefree_dup, g, dg, tapefree_dup, h, dh,
                      tapefree_const, n);
}
// CHECK: nested.cpp:[[#@LINE-16]]:1: remark: gradient of 'energy' keeps 1 value (8·n bytes)
// CHECK: nested.cpp:[[#@LINE-14]]:{{.*}} remark: keeps 's' (line [[#@LINE-14]]): 8·n bytes, in one heap block
// CHECK: nested.cpp:[[#@LINE-12]]:1: remark: gradient of 'slope' keeps 4 values (32·n - 24 bytes)
// CHECK: nested.cpp:[[#@LINE-16]]:{{.*}} remark: keeps 's' (line [[#@LINE-16]], in 'energy', which 'slope' calls at line [[#@LINE-12]]): 8·n bytes, in one heap block
// CHECK: nested.cpp:[[#@LINE-17]]:{{.*}} remark: keeps the value computed (line [[#@LINE-17]], in 'energy', which 'slope' calls at line [[#@LINE-13]]): 8·(n - 1) bytes, in one heap block
// CHECK: nested.cpp:[[#@LINE-12]]:1: remark: gradient of 'curvature' keeps {{[0-9]+}} values
// CHECK: nested.cpp:[[#@LINE-19]]:{{.*}} remark: keeps 's' (line [[#@LINE-19]], in 'energy', which 'slope' calls at line [[#@LINE-15]], which 'curvature' calls at line [[#@LINE-12]]): 8·n bytes, in one heap block
#else
double energy(const double *x, int n) {
  return n ? energy(x + 1, n - 1) * x[0] * x[0] : 1;
}
void slope(const double *x, double *g, int n) {
  __tapefree_autodiff((void *)energy, tapefree_dup, x, g, tapefree_const, n);
}
void curvature(const double *x, double *dx, double *g, double *dg, int n) {
  __tapefree_autodiff((void *)slope, tapefree_dup, x, dx, tapefree_dup, g, dg, tapefree_const, n);
}
// RECURSION: nested.cpp:[[#@LINE-9]]:1: remark: gradient of 'energy' keeps 1 value
// RECURSION: nested.cpp:[[#@LINE-9]]:{{.*}} remark: keeps the record of the call of 'energy' (line [[#@LINE-9]])
// RECURSION: nested.cpp:[[#@LINE-8]]:1: remark: gradient of 'slope' keeps 2 values
// RECURSION: nested.cpp:[[#@LINE-12]]:1: remark: gradient of a derivative of 'energy' keeps 1 value
// RECURSION: nested.cpp:[[#@LINE-12]]:{{.*}} remark: keeps the record of the call of 'energy' (line [[#@LINE-12]], in 'energy', which 'energy' calls at line [[#@LINE-12]], which 'slope' calls at line [[#@LINE-9]])
#endif
