// Names: members through pointers, arrays in structs, references, `this`, containers, pointers that walk.
// RUN: %clangxx -O2 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clangxx -O0 -g -Rpass-missed=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s
#include "Inputs/autodiff.h"
#include <array>

struct Inner {
  double b[30][40];
};
struct Net {
  int n;
  double *z1, *x;
  Inner a;
  void layer() {
    for (int i = 0; i < n; ++i)
      z1[i] = x[i] * x[i];
  }
};

void members(Net *w) {
  for (int i = 0; i < w->n; ++i)
    w->z1[i] = w->x[i] * w->x[i];
}
// CHECK: names.cpp:[[#@LINE-2]]:{{.*}} keeps 'w->x[i]' (line [[#@LINE-2]]):
// CHECK-SAME: the store to 'w->z1[i]' at line [[#@LINE-3]]
void inside(Net &w, int n) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 30; ++i)
      for (int j = 0; j < 40; ++j)
        w.a.b[i][j] = w.a.b[i][j] * w.a.b[i][j];
}
// CHECK: names.cpp:[[#@LINE-2]]:{{.*}} keeps 'w.a.b[i][j]' (line [[#@LINE-2]]):
void method(Net *w) { w->layer(); }
// CHECK: names.cpp:16:{{.*}} keeps '{{(w->)?}}x[i]' (line 16, in 'Net::layer', which 'method' calls at line [[#@LINE-1]]):
void standard(std::array<double, 80> &v, int n) {
  for (int k = 0; k < n; ++k)
    for (int i = 0; i < 80; ++i)
      v[i] = v[i] * v[i];
}
// CHECK: keeps 'v[i]'
void backwards(double *p, int n) {
  for (int i = n - 1; i >= 0; --i)
    p[2 * i + 1] = p[2 * i + 1] * p[2 * i + 1];
}
// CHECK: names.cpp:[[#@LINE-2]]:{{.*}} keeps 'p[2*i + 1]' (line [[#@LINE-2]]): 8·n bytes

double local(const double *a, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double fresh[40] = {a[i], 1, 2, 3};
    for (int j = 1; j < 40; ++j)
      fresh[j] += fresh[j - 1] * fresh[j];
    s += fresh[3] * fresh[i & 31];
  }
  return s;
}
// CHECK-DAG: names.cpp:[[#@LINE-5]]:{{.*}} keeps 'fresh[j - 1]'
// CHECK-DAG: names.cpp:[[#@LINE-6]]:{{.*}} keeps 'fresh[j]'
// CHECK-DAG: names.cpp:[[#@LINE-6]]:{{.*}} keeps 'fresh[3]'

void gradients(Net *w, Net *dw, double *x, double *dx, std::array<double, 80> &v, std::array<double, 80> &dv, int n) {
  __tapefree_autodiff((void *)members, tapefree_dup, w, dw);
  __tapefree_autodiff((void *)inside, tapefree_dup, w, dw, tapefree_const, n);
  __tapefree_autodiff((void *)method, tapefree_dup, w, dw);
  __tapefree_autodiff((void *)standard, tapefree_dup, &v, &dv, tapefree_const, n);
  __tapefree_autodiff((void *)backwards, tapefree_dup, x, dx, tapefree_const, n);
  __tapefree_autodiff((void *)local, tapefree_dup, x, dx, tapefree_const, n);
}
