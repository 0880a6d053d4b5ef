// Which elements are read through an index array, a walk over the indices tells before the function runs: then a test
// decides whether anything has to be kept.
// RUN: %clangxx -O2 -g -Rpass=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clangxx -O2 -g -Rpass=tapefree -mllvm -tapefree-alias=c -c %s -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=C --implicit-check-not='run time'
// RUN: %clangxx -O0 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=WALK
#include "Inputs/autodiff.h"

void product(const int *start, const int *col, const double *val, const double *x, double *y, int rows) {
  for (int i = 0; i < rows; ++i) {
    double s = 0;
    for (int k = start[i]; k < start[i + 1]; ++k)
      s += val[k] * x[col[k]];
    y[i] = s;
  }
}
// CHECK: remark: gradient of 'product' keeps 2 values
// CHECK: remark: the gradient of 'product' tests at run time that 5 buffers and their shadows do not overlap, and then keeps nothing
// C: remark: gradient of 'product' keeps 2 values

// Rows first: their ends are those of the entries. Then the entries, once over all of them.
// WALK-DAG: define internal void @tapefree.walk.{{.*}}product{{[A-Za-z_0-9]*}}(ptr {{.*}}, i32 {{.*}}, ptr %{{[^ ]*}})
// WALK-DAG: define internal void @tapefree.walk.{{.*}}product{{.*}}(ptr {{.*}}, i32 {{.*}}, ptr %{{[^ ]*}}, i64 %{{[^ ]*}}, i64 %{{[^ ]*}})

// Rows that are written through indices may be anything that is read: nothing to walk over, since the indices themselves
// may be written.
void scatter(const int *to, const double *x, double *y, int n) {
  for (int i = 0; i < n; ++i)
    y[to[i]] += x[to[i]] * x[to[i]];
}
// CHECK: remark: gradient of 'scatter' keeps 1 value
// CHECK-NOT: tests at run time

void gradients(const int *start, const int *col, const double *val, double *dval, const double *x, double *dx, double *y,
               double *dy, int n) {
  __tapefree_autodiff((void *)product, tapefree_const, start, tapefree_const, col, tapefree_dup, val, dval,
                      tapefree_dup, x, dx, tapefree_dup, y, dy, tapefree_const, n);
  __tapefree_autodiff((void *)scatter, tapefree_const, col, tapefree_dup, x, dx, tapefree_dup, y, dy,
                      tapefree_const, n);
}
