// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double f(double x, double y, double z) { return x * y * z; }

double none() {
  // CHECK: too_few.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: too few arguments: 'f' takes 3, and 0 are given
  return __tapefree_autodiff<double>((void *)f);
}
double one(double x) {
  // CHECK: too_few.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: too few arguments: 'f' takes 3, and 1 is given
  return __tapefree_autodiff<double>((void *)f, tapefree_out, x);
}
double two(double x) {
  // CHECK: too_few.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: too few arguments: 'f' takes 3, and 2 are given
  return __tapefree_autodiff<double>((void *)f, x, tapefree_const, x);
}
double marker_last(double x) {
  // CHECK: too_few.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: argument 3 is missing after its marker
  return __tapefree_autodiff<double>((void *)f, x, x, tapefree_out);
}
// CHECK: 4 errors generated
