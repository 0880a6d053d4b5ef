// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

namespace elsewhere {
double f(double x);
}

double gradient(double x) {
  // CHECK: no_body.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the body of 'elsewhere::f' is not visible here, so it cannot be differentiated: define it in this file, or build with -flto
  return __tapefree_autodiff<double>((void *)elsewhere::f, x);
}
// CHECK: 1 error generated
