// Snapshots are not released where an exception passes: such a function is refused.
// RUN: not %clangxx -O1 -gline-tables-only -S -emit-llvm -o - %s 2>&1 | FileCheck %s
#include <tapefree/tapefree.hpp>

void check(int); // may throw

static double decay(double *u, int n) {
  check(n);
  for (int t = 0; t < n; ++t) {
    tapefree::checkpoint(3);
    u[0] = u[0] * u[0] * 0.5;
  }
  return u[0];
}
// CHECK: error: {{.*}}the steps of the loop that is marked by checkpoint cannot be run again in a function that an exception may leave
void gradient(double *u, double *du, int n) {
  tapefree::gradient(decay, tapefree::dup(u, du), tapefree::constant(n));
}
