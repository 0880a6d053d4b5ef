// The tape of a rule is kept like any other value, and its remark says by which rule.
// RUN: %clangxx -O2 -gline-tables-only -Rpass-missed=tapefree -Rpass-analysis=tapefree -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O2 -gline-tables-only -DSTRICT -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=STRICT
#include <tapefree/rule.hpp>
namespace tf = tapefree;

double g(double x) { return x * x; }
tf::with_tape<double, double> g_augmented(double x) { return {x * x, x}; }
double g_gradient(tf::not_read, double seed, const double &x) { return 2 * x * seed; }
inline constexpr tf::register_gradient<g, g_augmented, g_gradient> g_has_a_gradient;

double taped(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    // CHECK: remarks.cpp:[[#@LINE+3]]:{{.*}} remark: keeps the tape of the call of 'g' (line [[#@LINE+3]]): 8 bytes for each iteration
    // CHECK-SAME: because the registered gradient of 'g' keeps a tape of each call
    // STRICT: note: keeps the tape of the call of 'g'
    s = g(s + x[i]);
  return s;
}
double once(double x) { return g(x) * x; } // outside of loops it is on the stack
void adjoint(const double *x, double *dx, int n) {
#ifdef STRICT
  tf::strict::gradient(once, tf::active(*x));
  tf::strict::gradient(taped, tf::dup(x, dx), tf::constant(n));
#else
  tf::gradient(taped, tf::dup(x, dx), tf::constant(n));
#endif
}
// STRICT: 1 error generated
