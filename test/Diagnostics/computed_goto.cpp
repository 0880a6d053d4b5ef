// The jump of a computed goto has no line of its own in LLVM IR: the message stands without one.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double f(double x, const int *code) {
  static void *targets[] = {&&square, &&cube, &&end};
next:
  // CHECK: error: {{.*}}tapefree: this kind of control flow (computed goto, asm goto) cannot be differentiated: use if, switch or a loop
  goto *targets[*code++];
square:
  x = x * x;
  goto next;
cube:
  x = x * x * x;
  goto next;
end:
  return x;
}
double gradient(double x, const int *code) {
  return __tapefree_autodiff<double>((void *)f, x, tapefree_const, code);
}
// CHECK: 1 error generated
