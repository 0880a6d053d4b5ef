// The function must be known by name where the call is compiled.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double pointer(double (*f)(double), double x) {
  // CHECK: unknown_function.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: cannot see which function is to be differentiated here: pass the function by its name (or a lambda without captures)
  return __tapefree_autodiff<double>((void *)f, x);
}
double nothing(double x) {
  // CHECK: unknown_function.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: cannot see which function is to be differentiated here
  return __tapefree_autodiff<double>((void *)nullptr, x);
}
extern "C" double __enzyme_autodiff_bare();
double bare() {
  // CHECK: unknown_function.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: this call names no function to differentiate
  return __enzyme_autodiff_bare();
}
// CHECK: 3 errors generated
