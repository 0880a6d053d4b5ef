// The data as its own shadow: the derivative would be added into it.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

struct Pair {
  double a, b;
};
double f(const Pair &p) { return p.a * p.b; }

void gradient() {
  Pair p{1, 2};
  // CHECK: shadow_is_argument.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the shadow of argument 1 is the argument itself: the derivative would be added into the data
  __tapefree_autodiff<void>((void *)f, tapefree_dup, &p, &p);
}
// CHECK: 1 error generated
