// Markers that the version does not know, or that stand in the wrong place.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>
extern int enzyme_duplicate;

double f(const double *x, double s) { return x[0] * s; }

double misspelt(const double *x, double *dx, double s) {
  // CHECK: unknown_marker.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the marker 'duplicate' before argument 1 is not one that this version knows (dup, dupnoneed, dupv, dupnoneedv, dupi, dupnoneedi, out, const; primal_return, noret, strict, strict_checked, alias_checked, alias_c, alias_disjoint, width and workspace stand before the first argument)
  return __tapefree_autodiff<double>((void *)f, enzyme_duplicate, x, dx, s);
}
double too_late(const double *x, double *dx, double s) {
  // CHECK: unknown_marker.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the marker 'strict' before argument 2 is not one that this version knows
  return __tapefree_autodiff<double>((void *)f, x, dx, tapefree_strict, s);
}
// CHECK: 2 errors generated
