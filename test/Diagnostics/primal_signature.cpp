// Functions that cannot be differentiated because of how they are declared.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <cstdarg>
#include <tapefree/abi.h>

double variadic(double x, ...) { return x * x; }
struct Pair {
  double a, b;
};
Pair pair(double x) { return {x, x * x}; }
struct Many {
  double a[9];
};
Many many(double x) { return {x, x * x}; }
double by_value(Many m) { return m.a[0] * m.a[1]; }
typedef double wide __attribute__((vector_size(16)));
wide vector(double x) { return wide{x, x * x}; }

double a(double x) {
  // CHECK: primal_signature.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: 'variadic' takes variable arguments, which cannot be differentiated: give it fixed parameters
  return __tapefree_autodiff<double>((void *)variadic, x);
}
double b(double x) {
  // CHECK: primal_signature.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: 'pair' returns a struct, which has no single seed: return one floating value, or write the results through a pointer passed as dup, whose shadow holds the seeds
  return __tapefree_autodiff<double>((void *)pair, x);
}
double c(double x) {
  // CHECK: primal_signature.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: 'many' returns a struct, which has no single seed
  return __tapefree_autodiff<double>((void *)many, x);
}
double d(double x) {
  // CHECK: primal_signature.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: 'vector' returns a struct
  return __tapefree_autodiff<double>((void *)vector, x);
}
double e(Many *m, Many *dm) {
  // CHECK: primal_signature.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: 'by_value' takes a struct by value, which arrives as hidden memory without a shadow: take it by reference or pointer, or wrap the call in a function that does
  return __tapefree_autodiff<double>((void *)by_value, m, dm);
}
// CHECK: 5 errors generated
