// Rules are honoured when the program is linked, where the request may be in another file than the rule, which would
// have been inlined by then; the plugin is given to the compiler as well.
// RUN: %clangxx -O2 -flto -c %s -DMAIN -o %t.main.o
// RUN: %clangxx -O2 -flto -c %s -o %t.rule.o
// RUN: %clangxx -O2 -flto -fuse-ld=lld -Wl,--load-pass-plugin=%plugin %t.main.o %t.rule.o -o %t
// RUN: %t | FileCheck %s
// Within one file nothing is left to do at the end, and no registration is left in the program.
// RUN: %clangxx -O2 -S -emit-llvm %s -o - | FileCheck %s --check-prefix=ALONE --implicit-check-not=tapefree
#include <cstdio>
#include <tapefree/rule.hpp>
namespace tf = tapefree;

double twice(const double *x, int n);
extern int gradients, logs;
#ifdef MAIN
int main() {
  double x[] = {1, 2, 3}, dx[3] = {};
  tf::gradient(twice, tf::dup(x, dx), tf::constant(3));
  // CHECK: 70 70 70, 3 gradients, 1 log
  std::printf("%g %g %g, %d gradients, %d log\n", dx[0], dx[1], dx[2], gradients, logs);
}
#else
int gradients = 0, logs = 0;
static double f(double x) { return x * x; }
static double f_gradient(double, double seed) {
  ++gradients;
  return 70 * seed; // not the derivative: one sees that it was called
}
inline constexpr tf::register_gradient<f, f_gradient> f_has_a_gradient;
static double log_it(double x) {
  ++logs;
  return x;
}
static void *__enzyme_inactivefn_log[] __attribute__((used)) = {(void *)log_it};

// ALONE: define {{.*}}@_Z5twicePKdi
// ALONE-NOT: noinline
double twice(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += f(x[i]);
  return s + log_it(x[0]);
}
#endif
