// What a marked loop keeps, and how often its steps are run again. Without a derivative a mark is nothing.
// RUN: %clangxx -std=c++20 -O1 -g -Rpass=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: %clangxx -std=c++20 -O0 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=IR --implicit-check-not=__tapefree_checkpoint
#include <tapefree/tapefree.hpp>

void heat(double *u, double *next, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    // CHECK: checkpoint.cpp:[[#@LINE+1]]:{{.*}} remark: the steps of this loop are run again in the reverse sweep, from at most 10 snapshots of 8·n bytes each, with 16·n bytes of what the loop leaves, all in one heap block; up to 11 steps are run again at most once, up to 66 at most twice, up to C(10 + r, r) at most r times
    tapefree::checkpoint(10);
    for (int i = 0; i < n; ++i)
      next[i] = u[i] * u[i];
    for (int i = 0; i < n; ++i)
      u[i] += next[i];
  }
}
void adjoint(double *u, double *du, double *next, double *dnext, int n, int steps, int s) {
  tapefree::gradient(heat, tapefree::dup(u, du), tapefree::dup(next, dnext), tapefree::constant(n), tapefree::constant(steps));
}
// IR: define {{.*}}alone
void alone(double *u, int n) {
  for (int i = 0; i < n; ++i) {
    tapefree::checkpoint(n);
    u[i] *= 2;
  }
}
