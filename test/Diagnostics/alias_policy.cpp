// Alias policies that do not exist, or are two.
// RUN: not %clangxx -O1 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not env TAPEFREE_ALIAS=fortran %clangxx -O1 -DGOOD -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=ENVIRONMENT
#include <tapefree/abi.h>
extern int tapefree_alias_fortran;

double f(double x) { return x * x; }

// ENVIRONMENT: error: tapefree: TAPEFREE_ALIAS in the environment is 'fortran', which is none of checked, c, disjoint
double good(double x) { return __tapefree_autodiff<double>((void *)f, tapefree_alias_disjoint, x); }
#ifndef GOOD
// CHECK: alias_policy.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the marker 'alias_fortran' names no alias policy: there are alias_checked, alias_c and alias_disjoint
double no_such(double x) { return __tapefree_autodiff<double>((void *)f, tapefree_alias_fortran, x); }
double two(double x) {
  // CHECK: alias_policy.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: this call asks for two alias policies: give one of alias_checked, alias_c, alias_disjoint and strict_checked
  return __tapefree_autodiff<double>((void *)f, tapefree_alias_c, tapefree_strict_checked, x);
}
#endif
