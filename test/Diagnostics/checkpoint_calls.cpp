// Calls that cannot have snapshots: in a workspace, strict, and differentiated again.
// RUN: not %clangxx -std=c++20 -O1 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/tapefree.hpp>
using tapefree::constant, tapefree::dup;

void steps(double *u, int n) {
  for (int i = 0; i < n; ++i) {
    tapefree::checkpoint(2);
    for (int k = 0; k < n; ++k)
      u[k] *= u[k];
  }
}
void adjoint(double *u, double *du, int n) { tapefree::gradient(steps, dup(u, du), constant(n)); }

void workspace(double *u, double *du, int n, std::span<std::byte> memory) {
  // CHECK: checkpoint_calls.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}the gradient of 'steps' cannot do with a workspace alone: the snapshots of the loop marked by checkpoint at checkpoint_calls.cpp:8 lie on the heap; use gradient, or leave the mark out
  tapefree::gradient_in(memory, steps, dup(u, du), constant(n));
}
void strict(double *u, double *du, int n) {
  // CHECK: checkpoint_calls.cpp:[[#@LINE+2]]:{{.*}} error: {{.*}}strict: the gradient of 'steps' keeps 1 value on the heap
  // CHECK: note: keeps the snapshots of the loop (line 8): {{.*}}because the loop at line 8 is marked by checkpoint
  tapefree::strict::gradient(steps, dup(u, du), constant(n));
}
void again(double *u, double *du, double *v, double *dv, int n) {
  // CHECK: checkpoint_calls.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}'adjoint' takes a gradient of a loop marked by checkpoint, which cannot be differentiated again: leave the mark out there
  tapefree::gradient(adjoint, dup(u, v), dup(du, dv), constant(n));
}
