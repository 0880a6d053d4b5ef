// An error in the derivative of a recursive function: no half of it is left for other passes.
// RUN: not %clangxx -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not="Stack dump"
// RUN: not %clangxx -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s --implicit-check-not="Stack dump"
#include <cstdlib>
void __tapefree_autodiff(void *, const double *, double *, int);
struct Node {
  double value;
  Node *left, *right;
};
static Node *tree(const double *x, int lo, int hi) {
  if (lo >= hi)
    return nullptr;
  int mid = (lo + hi) / 2;
  Node *n = (Node *)malloc(sizeof(Node));
  *n = {x[mid] * x[mid], tree(x, lo, mid), tree(x, mid + 1, hi)};
  return n;
}
static double release(Node *n) {
  if (!n)
    return 0;
  double s = n->value * (1 + release(n->left)) + release(n->right);
  // CHECK: after_error_split.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: cannot see which allocation is freed here
  free(n);
  return s;
}
double f(const double *x, int n) { return release(tree(x, 0, n)); }
void adjoint(const double *x, double *dx, int n) { __tapefree_autodiff((void *)f, x, dx, n); }
