// Byte counts: rectangular nests as products, triangular ones as sums, constants folded, unknown ones for each iteration.
// RUN: %clangxx -O2 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s
#include "Inputs/autodiff.h"

void rectangle(double *x, int n, int m) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j)
      x[i * m + j] = x[i * m + j] * x[i * m + j];
}
// CHECK: bytes.cpp:[[#@LINE-2]]:{{.*}} keeps 'x[i*m + j]' (line [[#@LINE-2]]): 8·n·m bytes, in one heap block
void triangle(float *x, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j)
      x[j] = x[j] * x[j];
}
// CHECK: bytes.cpp:[[#@LINE-2]]:{{.*}} keeps 'x[j]' (line [[#@LINE-2]]): 2·n·n - 2·n bytes, in one heap block
void constants(double (*x)[101]) {
  for (int i = 0; i < 100; ++i)
    for (int j = 0; j < 101; ++j)
      x[i][j] = x[i][j] * x[i][j];
}
// CHECK: bytes.cpp:[[#@LINE-2]]:{{.*}} keeps 'x[i][j]' (line [[#@LINE-2]]): 80800 bytes (100·101·8), in one heap block
void few(double *x) {
  for (int i = 0; i < 100; ++i)
    x[i] = x[i] * x[i];
}
// CHECK: bytes.cpp:[[#@LINE-2]]:{{.*}} keeps 'x[i]' (line [[#@LINE-2]]): 800 bytes (100·8), on the stack
double growing(double x) {
  double y = x;
  while (y * y > 2)
    y = (y + 2 / y) / 2;
  return y;
}
// CHECK: bytes.cpp:[[#@LINE-3]]:{{.*}} keeps 'y' (line [[#@LINE-3]]): 8 bytes for each iteration of the loop at line [[#@LINE-4]], in a heap block that grows
void gradients(double *x, double *dx, float *f, float *df, double (*a)[101], double (*da)[101], int n, int m, double y) {
  __tapefree_autodiff((void *)rectangle, tapefree_dup, x, dx, tapefree_const, n, tapefree_const, m);
  __tapefree_autodiff((void *)triangle, tapefree_dup, f, df, tapefree_const, n);
  __tapefree_autodiff((void *)constants, tapefree_dup, a, da);
  __tapefree_autodiff((void *)few, tapefree_dup, x, dx);
  __tapefree_autodiff((void *)growing, tapefree_out, y);
}
