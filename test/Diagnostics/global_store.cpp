// Globals have no shadow: none may carry a differentiated value.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double state;
double table[16];
double scalar(double x) {
  // CHECK: global_store.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: a value that depends on a differentiated input is stored in the global variable 'state', which has no shadow: pass that memory as a dup argument instead
  state = x * x;
  return state * x;
}
double array(double x, int n) {
  for (int i = 0; i < n; ++i)
    // CHECK: global_store.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: a value that depends on a differentiated input is stored in the global variable 'table', which has no shadow
    table[i] = x * i;
  return table[n / 2];
}
double a(double x) { return __tapefree_autodiff<double>((void *)scalar, x); }
double b(double x) { return __tapefree_autodiff<double>((void *)array, x, 5); }
// CHECK: 2 errors generated
