// Without -g there are lines, for -Rpass has them tracked, but no names. Without either the compiler stays quiet.
// RUN: %clangxx -O2 -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clangxx -O2 -gline-tables-only -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clangxx -O2 -c %s -o /dev/null 2>&1 | count 0
#include "Inputs/autodiff.h"

void square(const double *x, double *z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = x[i] * x[i];
}
// CHECK: no_debug.cpp:[[#@LINE-2]]:12: remark: keeps the value loaded (line [[#@LINE-2]]): 8 bytes for each iteration of the loop at line [[#@LINE-3]], in one heap block, because the store to memory at line [[#@LINE-2]] may overwrite it: nothing says that the pointer read through at line [[#@LINE-2]] and the pointer written through at line [[#@LINE-2]] do not overlap

void gradient(const double *x, double *dx, double *z, double *dz, int n) {
  __tapefree_autodiff((void *)square, tapefree_dup, x, dx, tapefree_dup, z, dz, tapefree_const, n);
}
