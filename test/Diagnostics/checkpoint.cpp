// What checkpoint refuses, at the line.
// RUN: not %clangxx -std=c++20 -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -std=c++20 -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/tapefree.hpp>
extern "C" int puts(const char *);
using tapefree::checkpoint, tapefree::constant, tapefree::dup;

void outside(double *u, int n) {
  // CHECK: checkpoint.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}checkpoint stands outside of a loop: write it at the start of the body of the loop
  checkpoint(3);
  for (int i = 0; i < n; ++i)
    u[0] *= u[0];
}
void two(double *u, int n) {
  for (int i = 0; i < n; ++i) {
    checkpoint(3);
    // CHECK: checkpoint.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}this loop has two checkpoint marks (the other at checkpoint.cpp:[[#@LINE-1]]): keep one of them
    checkpoint(4);
    u[0] *= u[0];
  }
}
void varies(double *u, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK: checkpoint.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}the number of snapshots changes in the loop
    checkpoint(i + 1);
    u[0] *= u[0];
  }
}
void none(double *u, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK: checkpoint.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}checkpoint(0): a loop whose steps are run again needs at least one snapshot
    checkpoint(0);
    u[0] *= u[0];
  }
}
void leaves(double *u, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK: checkpoint.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}the steps of this loop cannot be run again: it is left in the middle of a step
    checkpoint(2);
    u[0] *= u[0];
    if (u[0] > 3)
      break;
  }
}
void uncounted(double *u, int n) {
  while (u[0] > n) {
    // CHECK: checkpoint.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}the steps of this loop cannot be run again: how many there are is not known before the loop
    checkpoint(2);
    u[0] = 0.5 * u[0] * u[0];
  }
}
void walks(double *u, const int *next, int n) {
  for (int i = 0; i < n; ++i) {
    // CHECK: checkpoint.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}the steps of this loop cannot be run again: a pointer changes from step to step in a way that is not followed
    checkpoint(2);
    u[0] *= u[0];
    u += next[i];
  }
}
void prints(double *u, int n) {
  for (int i = 0; i < n; ++i) {
    checkpoint(2);
    u[0] *= u[0];
    // CHECK: checkpoint.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}cannot be run again: the call of 'puts' would be made again, too; take it out of the loop
    puts("step");
  }
}
void anywhere(double *u, int n) {
  for (int i = 0; i < n; ++i) {
    checkpoint(2);
    // CHECK: checkpoint.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}cannot be run again: how much of 'u' is written here is not known before the loop; write it in loops whose bounds are known before, or use a local array
    u[(int)u[i]] *= u[0];
  }
}
void sometimes(double *u, int n) {
  for (int i = 0; i < n; ++i) {
    checkpoint(2);
    for (int k = 0; k < n; ++k)
      if (u[k] > 1)
        // CHECK: checkpoint.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}cannot be run again: how much of 'u' is written is not certain, since this is not done in each step
        u[k + 3] *= u[k];
  }
}
void pointers(double **table, int n) {
  for (int i = 0; i < n; ++i) {
    checkpoint(2);
    *table[i] *= *table[0];
    // CHECK: checkpoint.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}cannot be run again: a step stores a pointer, whose shadow would have to go with it
    table[i] = table[0];
  }
}

void use(double *u, double *du, double **t, double **dt, const int *next, int n) {
  tapefree::gradient(outside, dup(u, du), constant(n));
  tapefree::gradient(two, dup(u, du), constant(n));
  tapefree::gradient(varies, dup(u, du), constant(n));
  tapefree::gradient(none, dup(u, du), constant(n));
  tapefree::gradient(leaves, dup(u, du), constant(n));
  tapefree::gradient(uncounted, dup(u, du), constant(n));
  tapefree::gradient(walks, dup(u, du), constant(next), constant(n));
  tapefree::gradient(prints, dup(u, du), constant(n));
  tapefree::gradient(anywhere, dup(u, du), constant(n));
  tapefree::gradient(sometimes, dup(u, du), constant(n));
  tapefree::gradient(pointers, dup(t, dt), constant(n));
}
