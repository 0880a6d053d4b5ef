// A function that stays a call: its caller writes what it has read. The edit is applied below: nothing is kept then.
// RUN: %clangxx -O1 -g -Rpass-analysis=tapefree -S -o /dev/null %s 2>&1 | FileCheck --implicit-check-not='can be neither' %s
#include <tapefree/abi.h>

static double cubes(const double *x, int n, int depth) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * x[i];
  return depth ? s + cubes(x + 1, n, depth - 1) : s;
}

// CHECK-DAG: :[[#@LINE-4]]:10: remark: 'x[i]' can be neither computed nor read again: what calls this function may write {{.*}} after it returns; to avoid it, write elsewhere than to {{.*}} after that call, through a __restrict__ pointer
// CHECK-DAG: remark: the record of the call of 'cubes' can be neither
// CHECK-DAG: remark: the record of the call of 'cubes' can be neither
double over(double *x, int n) {
  double s = cubes(x, n, 3);
  x[0] = 7;
  return s;
}
void d_over(double *x, double *dx, int n) {
  __tapefree_autodiff<void>((void *)over, tapefree_dup, x, dx, tapefree_const, n);
}

// CHECK-DAG: remark: the record of the call of 'cubes' can be neither
// CHECK-DAG: remark: the record of the call of 'cubes' can be neither
double apart(const double *x, double *__restrict__ y, int n) {
  double s = cubes(x, n, 3);
  y[0] = 7;
  return s;
}
void d_apart(const double *x, double *dx, double *y, double *dy, int n) {
  __tapefree_autodiff<void>((void *)apart, tapefree_dup, x, dx, tapefree_dup, y, dy, tapefree_const, n);
}
