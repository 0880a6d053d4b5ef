// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double value(double x) {
  double y;
  // CHECK: inline_asm.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: no derivative is known for the call of inline assembly, which is given differentiated data: make its body visible here, or keep differentiated values out of it
  asm("" : "=x"(y) : "0"(x));
  return x * y;
}
double opaque(double x) {
  double y;
  // CHECK: inline_asm.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the call of inline assembly is given differentiated data, and neither its body nor a derivative is known: make its body visible here, or keep differentiated values out of it
  asm volatile("" : "=x"(y) : "0"(x) : "memory");
  return x * y;
}
double a(double x) { return __tapefree_autodiff<double>((void *)value, x); }
double b(double x) { return __tapefree_autodiff<double>((void *)opaque, x); }
// CHECK: 2 errors generated
