// A registered function stays a call, and its gradient reads what it says that it reads: the arguments of a rule are
// planned like those of an operation, a tape like any other value, and not_read costs nothing.
// RUN: %clangxx_plain -O2 -g -S -emit-llvm -Xclang -disable-llvm-passes %s -o %t.ll
// RUN: %opt -passes='print<tapefree-plan>' -disable-output %t.ll 2>&1 | FileCheck %s
#include <tapefree/rule.hpp>
namespace tf = tapefree;

double f(double x, double k) { return x * k; }
tf::gradients<double, double> f_gradient(double x, tf::not_read, double seed) { return tf::partials(seed, x * seed); }
inline constexpr tf::register_gradient<f, f_gradient> f_has_a_gradient;

struct Tape {
  double a, b, c;
};
double g(double x) { return x * x; }
tf::with_tape<double, Tape> g_augmented(double x) { return {x * x, {x, x, x}}; }
double g_gradient(tf::not_read, double seed, const Tape &t) { return 2 * t.a * seed; }
inline constexpr tf::register_gradient<g, g_augmented, g_gradient> g_has_a_gradient;

// x is read again, and nothing is kept.
void rows(const double *x, double *__restrict__ y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = f(x[i], y[i]);
}
// CHECK-LABEL: plan of tapefree.primal._Z4rowsPKdPdi
// CHECK-NEXT: keeps nothing
// CHECK: reload
// Each call leaves 24 bytes.
double taped(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i)
    s = g(s + x[i]);
  return s;
}
// CHECK-LABEL: plan of tapefree.primal._Z5tapedPKdi
// CHECK: loop {{.*}} rows {{.*}} of 24 bytes: record

void adjoint(const double *x, double *dx, double *y, double *dy, int n) {
  tf::gradient(rows, tf::dup(x, dx), tf::dup(y, dy), tf::constant(n));
  tf::gradient(taped, tf::dup(x, dx), tf::constant(n));
}
