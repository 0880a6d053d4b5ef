// strict::checked: what only an overlap would keep is no error, and an overlap ends the program. strict::disjoint: the
// same without looking. A proof of the file's own policy does not matter to either.
// RUN: %clangxx -O2 -g %s -o %t && %t && not --crash %t 1 2>&1 | FileCheck %s --check-prefix=TRAP
// RUN: not --crash %t 2 2>&1 | FileCheck %s --check-prefix=WALK
// RUN: %clangxx -fplugin=%plugin -mllvm -tapefree-alias=c -O0 %s -o %t && %t
// RUN: not %clangxx -O2 -g -DOVERWRITES -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O2 -g -DPLAIN -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=PLAIN
#include <tapefree/tapefree.hpp>
namespace tf = tapefree;

void square(const double *x, double *z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = x[i] * x[i];
}
void in_place(const double *x, double *z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = z[i] * z[i] * x[i];
}
// The range of x is known only by a walk over the indices; of an empty one nothing is said.
void rows(const double *x, const int *col, double *y, int n) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 2; ++k)
      y[i] += x[col[2 * i + k]] * x[col[2 * i + k]];
}
// Sizes and gradients agree: one body, planned as if nothing overlapped.
double workspace(const double *x, double *z, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    z[i] = x[i] * x[i];
    s = s * s * z[i];
  }
  return s;
}

int main(int argc, char **argv) {
  double x[8] = {1, 2, 3}, dx[8] = {}, z[8], dz[8] = {1, 1, 1};
#ifdef OVERWRITES
  // CHECK: strict_checked.cpp:[[#@LINE+2]]:3: error: tapefree: strict: the gradient of 'in_place' keeps 1 value on the heap (8·n bytes)
  // CHECK: strict_checked.cpp:17:12: note: keeps 'z[i]' (line 17): 8·n bytes, in one heap block, because the store to 'z[i]' at line 17 overwrites 'z[i]'
  tf::strict::checked::gradient(in_place, tf::dup(x, dx), tf::dup(z, dz), tf::constant(3));
  // CHECK: 1 error generated
#elif defined PLAIN
  // PLAIN: strict_checked.cpp:[[#@LINE+2]]:3: error: tapefree: strict: the gradient of 'square' keeps 1 value on the heap
  // PLAIN: note: keeps 'x[i]'
  tf::strict::gradient(square, tf::dup(x, dx), tf::dup(z, dz), tf::constant(3));
#endif
  int way = argc > 1 ? argv[1][0] - '0' : 0;
  double *y = way == 1 ? x + 2 : z, *dy = way == 1 ? dx + 2 : dz;
  tf::strict::disjoint::gradient(square, tf::dup(x, dx), tf::dup(z, dz), tf::constant(3));
  dz[0] = dz[1] = dz[2] = 1;
  // TRAP: tapefree: strict_checked.cpp:[[#@LINE+1]]: 'x' and 'z' overlap in the gradient of 'square', which is strict and has no second body for that
  tf::strict::checked::gradient(square, tf::dup(x, dx), tf::dup(y, dy), tf::constant(3));
  if (dx[0] != 4 || dx[1] != 8 || dx[2] != 12)
    return 1;
  double u[8] = {1, 2, 3, 4, 5, 6, 7, 8}, du[8] = {}, v[2] = {}, dv[2] = {1, 1};
  int col[] = {0, 6, 1, 6};
  double *w = way == 2 ? u + 5 : v, *dw = way == 2 ? du + 5 : dv;
  // WALK: tapefree: strict_checked.cpp:[[#@LINE+1]]: '{{[xy]}}' and '{{[xy]}}' overlap in the gradient of 'rows', which is strict and has no second body for that
  tf::strict::checked::gradient(rows, tf::dup(u, du), tf::constant(col), tf::dup(w, dw), tf::constant(2));
  tf::strict::checked::gradient(rows, tf::dup(u, du), tf::constant(col), tf::dup(u, du), tf::constant(0));
  if (du[0] != 2 || du[1] != 4 || du[6] != 28)
    return 2;
  double a[4] = {1, 1, 1, 1}, da[4] = {}, b[4], db[4] = {};
  std::size_t promised = tf::disjoint::workspace_size(workspace, tf::dup(a, da), tf::dup(b, db), tf::constant(4)),
              proved = tf::with<tf::alias::c>::workspace_size(workspace, tf::dup(a, da), tf::dup(b, db), tf::constant(4));
  std::byte memory[256];
  tf::disjoint::gradient_in(std::span(memory, promised), workspace, tf::dup(a, da), tf::dup(b, db), tf::constant(4));
  return promised < proved && da[0] == 16 && da[3] == 2 ? 0 : 3;
}
