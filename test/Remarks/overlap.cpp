// A store that may overlap what was read: __restrict__ says that it does not.
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -Rpass-analysis=tapefree -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s
// RUN: %clangxx -O0 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: %clangxx -O2 -g -Rpass=tapefree -Rpass-missed=tapefree -DFIXED -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=FIXED --implicit-check-not=Rpass-missed
#include "Inputs/autodiff.h"
#ifdef FIXED
#define RESTRICT __restrict__
#else
#define RESTRICT
#endif

void square(const double *RESTRICT x, double *RESTRICT z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = x[i] * x[i];
}
// CHECK: overlap.cpp:[[#@LINE-4]]:{{.*}} remark: gradient of 'square' keeps 1 value (8·n bytes)
// CHECK: overlap.cpp:[[#@LINE-3]]:{{.*}} remark: keeps 'x[i]' (line [[#@LINE-3]]): 8·n bytes, in one heap block, because the store to 'z[i]' at line [[#@LINE-3]] may overwrite 'x[i]': nothing says that 'x' and 'z' do not overlap; to avoid it, make 'x' and 'z' __restrict__ parameters of one function that holds both accesses [-Rpass-missed=tapefree]
// CHECK: remark: 'x[i]' can be neither computed nor read again: the store to 'z[i]' at line [[#@LINE-4]] may overwrite{{.*}}; to avoid it, make 'x' and 'z' __restrict__ {{.*}} [-Rpass-analysis=tapefree]
// MISSED: remark: keeps 'x[i]' (line [[#@LINE-5]]): 8·n bytes
// FIXED: remark: gradient of 'square' keeps nothing (0 bytes); 1 value read again

void gradient(const double *x, double *dx, double *z, double *dz, int n) {
  __tapefree_autodiff((void *)square, tapefree_dup, x, dx, tapefree_dup, z, dz, tapefree_const, n);
}
