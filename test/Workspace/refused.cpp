// What a workspace cannot hold, and sizes that only the run knows: errors at the call, with the loop and what to do.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>
typedef __SIZE_TYPE__ size_t;
extern "C" double sin(double);
void *memory;

double data_dependent(double x) {
  double s = 1;
  while (s > 0.5)
    s = sin(s * x);
  return s;
}
// CHECK: refused.cpp:[[#@LINE+2]]:{{.*}} error: tapefree: how much the gradient of 'data_dependent' keeps is not known before it runs: only the run tells how often the loop at line [[#@LINE-4]] goes round; give gradient_in a workspace of your own choice, which fails where it is too small, or count the iterations before the loop
size_t loop(double x) {
  return __tapefree_workspacesize<size_t>((void *)data_dependent, x);
}

double computed(double *x, int n) {
  double t = 0;
  for (int i = 0; i < n; ++i)
    t += x[i];
  int m = (int)t;
  double s = 1;
  for (int i = 0; i < m; ++i)
    s = sin(s + t);
  x[0] = s;
  m = (int)x[n];
  for (int i = 0; i < m; ++i)
    s = sin(s + t);
  return s;
}
// The first of the two lengths can be had; the second is read from memory that was written.
size_t length(double *x, double *dx, int n) {
  // CHECK: refused.cpp:[[#@LINE+1]]:{{.*}} error: tapefree: how much the gradient of 'computed' keeps is not known before it runs: for the loop at line [[#@LINE-6]] it depends on what is computed at line [[#@LINE-7]], which only the run finds; give gradient_in a workspace of your own choice, which fails where it is too small, or hand the number in as an argument
  return __tapefree_workspacesize<size_t>((void *)computed, x, dx, n);
}

double recursive(double x, int n) { return n ? sin(recursive(x, n - 1) * x) : x; }
double record(double x, int n) {
  // CHECK: refused.cpp:[[#@LINE+1]]:{{.*}} error: tapefree: the gradient of 'recursive' cannot do with a workspace alone: the call of 'recursive' at line [[#@LINE-2]] calls itself or is too large, and what it keeps lies in a record on the heap; write a loop over arrays in place of recursion, or use gradient
  return __tapefree_autodiff<double>((void *)recursive, tapefree_workspace, memory, 100, x, n);
}

double arrays(const double *x, int n) {
  double s = 0;
  for (int i = 1; i < n; ++i) {
    double a[i];
    for (int j = 0; j < i; ++j)
      a[j] = x[j] * x[i];
    for (int j = 0; j < i; ++j)
      s += a[j] * a[i - 1 - j];
  }
  return s;
}
void variable_length(const double *x, double *dx, int n) {
  // CHECK: refused.cpp:[[#@LINE+1]]:{{.*}} error: tapefree: the gradient of 'arrays' cannot do with a workspace alone: the array of variable length made in a loop at line [[#@LINE-9]] lies on the heap until the reverse sweep; make it before the loop, or hand it in
  __tapefree_autodiff<void>((void *)arrays, tapefree_workspace, memory, 100, x, dx, n);
}

double carried(double x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    s = sin(s * x);
  return s;
}
double slope(double x, int n) { return __tapefree_autodiff<double>((void *)carried, x, n); }
double inner(double x, int n) {
  // CHECK: refused.cpp:[[#@LINE+1]]:{{.*}} error: tapefree: the gradient of 'slope' cannot do with a workspace alone: the derivative inside of it at line [[#@LINE-6]] keeps values on the heap; use gradient
  return __tapefree_autodiff<double>((void *)slope, tapefree_workspace, memory, 100, x, n);
}
double slope_in(double x, int n) {
  return __tapefree_autodiff<double>((void *)carried, tapefree_workspace, memory, 800, x, n);
}
double outer(double x, int n) {
  // CHECK: refused.cpp:[[#@LINE+1]]:{{.*}} error: tapefree: 'slope_in' takes a gradient in a workspace, which cannot be differentiated again: use gradient there, without a workspace
  return __tapefree_fwddiff<double>((void *)slope_in, tapefree_dup, x, 1.0, n);
}

double misuse(double x, int n) {
  // CHECK: refused.cpp:[[#@LINE+1]]:{{.*}} error: tapefree: forward mode keeps nothing, so that a workspace has no meaning: leave it out
  __tapefree_fwddiff<double>((void *)carried, tapefree_workspace, memory, 8, tapefree_dup, x, 1.0, n);
  // CHECK: refused.cpp:[[#@LINE+1]]:{{.*}} error: tapefree: this call asks how large a workspace must be, and takes none: leave it out
  __tapefree_workspacesize<size_t>((void *)carried, tapefree_workspace, memory, 8, x, n);
  // CHECK: refused.cpp:[[#@LINE+1]]:{{.*}} error: tapefree: the marker workspace is followed by a pointer and its length in bytes
  __tapefree_autodiff<double>((void *)carried, tapefree_workspace, 8, memory, x, n);
  // CHECK: refused.cpp:[[#@LINE+1]]:{{.*}} error: tapefree: this call gives a number of bytes: its result must be a 64-bit integer, such as size_t
  __tapefree_workspacesize<int>((void *)carried, x, n);
  // CHECK: refused.cpp:[[#@LINE+1]]:{{.*}} error: tapefree: the workspace is given twice
  return __tapefree_autodiff<double>((void *)carried, tapefree_workspace, memory, 8, tapefree_workspace, memory, 8, x, n);
}
// CHECK-NOT: error:
// CHECK: errors generated
