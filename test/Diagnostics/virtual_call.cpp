// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

struct Layer {
  virtual double apply(double x) const noexcept = 0;
};
double f(const Layer *l, double x) {
  // CHECK: virtual_call.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of a function reached through a pointer is given differentiated data
  return l->apply(x) * x;
}
double gradient(const Layer *l, double x) { return __tapefree_autodiff<double>((void *)f, tapefree_const, l, x); }
// CHECK: 1 error generated
