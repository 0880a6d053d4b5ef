// Forward mode goes on after an error in a function that is called, and does not trip over what has no tangent.
// RUN: not %clangxx -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
#include <cmath>
#include <cstring>
#include <tapefree/abi.h>
__attribute__((noinline)) double half(double x, int depth) {
  long bits;
  std::memcpy(&bits, &x, sizeof bits);
  bits ^= 1;
  double y;
  // CHECK: after_error_forward.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: a differentiated floating value is made from the bits of an integer here
  std::memcpy(&y, &bits, sizeof y);
  return depth > 0 ? half(y, depth - 1) : y;
}
double f(double x, int n) {
  double a = half(x, n);
  float b = (float)a;
  return n > 3 ? b : x;
}
double tangent(double x, double dx, int n) {
  return __tapefree_fwddiff<double>((void *)f, tapefree_dup, x, dx, tapefree_const, n);
}
// CHECK: 1 error generated
