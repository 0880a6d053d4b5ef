// The policy disjoint: what is assumed, and what happens where the promise is broken and looked after.
// RUN: %clangxx -O2 -g -Rpass=tapefree -fno-caret-diagnostics -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=KEEPS
// RUN: nm -u %t.o | FileCheck %s --check-prefix=FREE --allow-empty
// RUN: %clangxx -fplugin=%plugin -mllvm -tapefree-check-disjoint -O2 -g %s -o %t
// RUN: %t 0 && not --crash %t 1 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: not --crash %t 2 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: %t 3 && not --crash %t 4 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: not --crash %t 5 2>&1 | FileCheck %s --check-prefix=FIVE
// RUN: not --crash %t 6 2>&1 | FileCheck %s --check-prefix=SIX
// RUN: not --crash %t 7 2>&1 | FileCheck %s --check-prefix=SEVEN
// RUN: env TAPEFREE_CHECK_DISJOINT=1 %clangxx -O1 %s -o %t && %t 0 && not --crash %t 2 2>&1 | FileCheck %s --check-prefix=PLAIN
#include <cstdlib>
#include <tapefree/tapefree.hpp>
namespace tf = tapefree;

struct work {
  double *z, *a;
  int n;
};

// Two parameters.
void square(const double *x, double *z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = x[i] * x[i];
}
// KEEPS-DAG: gradient of 'square' keeps nothing

// Members, read only where there is something to do.
void layers(const double *x, work *w) {
  for (int i = 0; i < w->n; ++i) {
    w->z[i] = x[i] * x[i];
    w->a[i] = w->z[i] * w->z[i];
  }
}
// KEEPS-DAG: gradient of 'layers' keeps nothing

// Addresses that depend on data: no range is known at entry.
void scatter(const double *x, double *z, const int *to, int n) {
  for (int i = 0; i < n; ++i)
    z[to[i]] += x[to[n - 1 - i]] * x[i];
}
// KEEPS-DAG: gradient of 'scatter' keeps nothing

// Both only read: these may overlap.
double dot(const double *x, const double *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
  return s;
}

// Elements of a table, by numbers.
void rows(double **t, int n) {
  for (int i = 0; i < n; ++i)
    t[0][i] = t[1][i] * t[1][i];
}
// KEEPS-DAG: gradient of 'rows' keeps nothing

// Which element it is, changes: nothing is assumed.
void any_row(double **t, int n) {
  for (int i = 0; i < n; ++i)
    t[i % 2][i] = t[(i + 1) % 2][i + 1] * t[i % 2][i];
}
// KEEPS-DAG: gradient of 'any_row' keeps {{[1-9]}}
// A pointer that may be another's: nothing is assumed of either.
void either(double *x, double *z, int n) {
  double *p = n % 3 ? x : z;
  for (int i = 0; i < n; ++i)
    p[i] = x[i] * x[i];
}
// KEEPS-DAG: gradient of 'either' keeps 1 value

// Of what keeps something the handler of missing memory stays, which refers to abort weakly.
// FREE-NOT: U write
// FREE-NOT: U abort

int main(int, char **argv) {
  double x[8] = {1, 2, 3}, dx[8] = {}, z[8] = {}, dz[8] = {1, 1, 1};
  int to[3] = {2, 0, 1};
  work w{z, z + 4, 3}, dw{dz, dz + 4, 3};
  double *t[2] = {z, x}, *dt[2] = {dz, dx};
  switch (std::atoi(argv[1])) {
  case 0: // kept, down to the last byte
    tf::disjoint::gradient(square, tf::dup(x, dx), tf::dup(x + 3, dx + 3), tf::constant(3));
    tf::disjoint::gradient(layers, tf::dup(x, dx), tf::dup(&w, &dw));
    tf::disjoint::gradient(scatter, tf::dup(x, dx), tf::dup(z, dz), tf::constant(to), tf::constant(3));
    tf::disjoint::gradient(rows, tf::dup(t, dt), tf::constant(3));
    break;
  case 1: // ONE: tapefree: disjoint.cpp:[[#@LINE+1]]: 'x' and 'z' overlap in the gradient of 'square', which was promised not to happen (alias policy disjoint)
    tf::disjoint::gradient(square, tf::dup(x, dx), tf::dup(x + 2, dx + 2), tf::constant(3));
    break;
  case 2: // TWO: tapefree: disjoint.cpp:[[#@LINE+3]]: {{'w->z' and 'w->a'|'w->a' and 'w->z'}} overlap in the gradient of 'layers'
    // PLAIN: tapefree: {{.*}}a pointer found through argument 2 and a pointer found through argument 2 overlap in the gradient of 'layers'
    w.a = z + 1, dw.a = dz + 1;
    tf::disjoint::gradient(layers, tf::dup(x, dx), tf::dup(&w, &dw));
    break;
  case 3:
    tf::disjoint::gradient(dot, tf::dup(x, dx), tf::dup(x, dx), tf::constant(3));
    tf::disjoint::gradient(any_row, tf::dup(t, dt), tf::constant(3));
    tf::disjoint::gradient(either, tf::dup(x, dx), tf::dup(x, dx), tf::constant(3));
    break;
  case 4: // FOUR: 'x' and 'z' overlap in the gradient of 'scatter'
    tf::disjoint::gradient(scatter, tf::dup(x, dx), tf::dup(x + 1, dx + 1), tf::constant(to), tf::constant(3));
    break;
  case 5: // FIVE: the shadows of 'x' and 'z' overlap in the gradient of 'square'
    tf::disjoint::gradient(square, tf::dup(x, dx), tf::dup(z, dx), tf::constant(3));
    break;
  case 6: // SIX: overlap in the gradient of 'rows'
    t[1] = z;
    tf::disjoint::gradient(rows, tf::dup(t, dt), tf::constant(3));
    break;
  case 7: // two interleaved lanes: SEVEN: the shadows of 'x' and 'z' overlap in the gradient of 'square'
    double d[12] = {};
    for (int behind : {6, 5})
      __tapefree_autodiff<void>((void *)square, tapefree_alias_disjoint, tapefree_width, 2, tapefree_dupi, x, d,
                                tapefree_dupi, z, d + behind, tapefree_const, 3);
    break;
  }
}
