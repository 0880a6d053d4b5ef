// NOLANES: the typed interface, or batches themselves
// Nesting in the typed API: derivatives of functions that ask for derivatives.
#define TAPEFREE_COUNT_HEAP
#include "support.hpp"
#include <tapefree/tapefree.hpp>
namespace tf = tapefree;

static double f(double x) { return x * x * x * std::sin(x) + std::exp(x / 2); }
static double first(double x) { return tf::gradient(f, tf::active(x)); }
static double second(double x) { return tf::gradient<first>(tf::active(x)); }
static double along(double x) { return tf::derivative(f, tf::dup(x, 1.0)); }
static double reverse_of_forward(double x) { return tf::gradient(along, tf::active(x)); }
static double forward_of_reverse(double x) { return tf::derivative(first, tf::dup(x, 1.0)); }
static double with_value(double x) {
  auto [v, g] = tf::value_and_gradient(f, tf::active(x));
  return v * g;
}
static double with_tangent(double x) {
  auto [v, d] = tf::value_and_derivative(f, tf::dup(x, 1.0));
  return v * d;
}
static double of_lambda(double x) {
  return tf::gradient([](double v, double k) { return v * v * v * k; }, tf::active(x), tf::constant(x));
}
template <class T> struct Polynomial {
  double a, b;
  T operator()(T x) const { return a * x * x * x + b * x * x; }
};
static double of_functor(double x) { return tf::derivative(Polynomial<double>{2, x}, tf::dup(x, 1.0)); }
static double two_active(double a, double b) {
  auto g = tf::gradient([](double p, double q) { return p * p * q + std::sin(p * q); }, tf::active(a), tf::active(b));
  return get<0>(g) * get<1>(g);
}

// An energy of an array, its gradient, and the Hessian times a vector, forward over reverse and reverse over reverse.
static double energy(const double* x, int n) {
  double s = 1, e = 0;
  for (int i = 0; i < n; ++i) {
    s = s * x[i] + std::cos(s);
    e += s * s;
  }
  return e;
}
static void gradient_of_energy(const double* x, double* g, int n) { tf::gradient(energy, tf::dup(x, g), tf::constant(n)); }
static void by_forward(const double* x, const double* v, double* h, int n) {
  double g[8] = {};
  tf::derivative(gradient_of_energy, tf::dup(x, v), tf::dup((double*)g, h), tf::constant(n));
}
static void by_reverse(const double* x, const double* v, double* h, int n) {
  double g[8] = {}, seed[8];
  for (int i = 0; i < n; ++i) seed[i] = v[i];
  tf::gradient(gradient_of_energy, tf::dup(x, h), tf::dup((double*)g, (double*)seed), tf::constant(n));
}
static double slope_along(const double* x, const double* v, int n) { return tf::derivative(energy, tf::dup(x, v), tf::constant(n)); }
static void by_reverse_of_forward(const double* x, const double* v, double* h, int n) {
  tf::gradient(slope_along, tf::dup(x, h), tf::constant(v), tf::constant(n));
}
// The third derivative along v, v and each coordinate: the gradient of v H(x) v.
template <auto Product> static double curvature(const double* x, const double* v, int n) {
  double h[8] = {}, s = 0;
  Product(x, v, h, n);
  for (int i = 0; i < n; ++i) s += h[i] * v[i];
  return s;
}
template <auto Product> static void gradient_of_curvature(const double* x, const double* v, double* t, int n) {
  tf::gradient<curvature<Product>>(tf::dup(x, t), tf::constant(v), tf::constant(n));
}

template <class F> static double difference(F fn, double x) { return (fn(x + 1e-6) - fn(x - 1e-6)) / 2e-6; }

int main(int argc, char**) {
  check_heap_counters();
  const double x = 0.8 + 0.01 * argc, s = std::sin(x), c = std::cos(x), e = std::exp(x / 2);
  const double d0 = x * x * x * s + e, d1 = 3 * x * x * s + x * x * x * c + e / 2,
               d2 = 6 * x * s + 6 * x * x * c - x * x * x * s + e / 4, d3 = 6 * s + 18 * x * c - 9 * x * x * s - x * x * x * c + e / 8;
  check("first", first(x), d1);
  check("second", second(x), d2);
  check("third", tf::gradient(second, tf::active(x)), d3);
  check("forward of second", tf::derivative(second, tf::dup(x, 1.0)), d3);
  check("reverse of forward", reverse_of_forward(x), d2);
  check("forward of reverse of forward", tf::jvp(reverse_of_forward, tf::dup(x, 1.0)), d3);
  check("reverse of forward of reverse", tf::gradient(forward_of_reverse, tf::active(x)), d3);
  auto [value, slope] = tf::value_and_gradient(second, tf::active(x));
  check("value", value, d2);
  check("slope", slope, d3);
  check("value and gradient inside", tf::gradient(with_value, tf::active(x)), d1 * d1 + d0 * d2);
  check("value and derivative inside", tf::gradient(with_tangent, tf::active(x)), d1 * d1 + d0 * d2);
  check("value and gradient inside, forward", tf::derivative(with_value, tf::dup(x, 1.0)), d1 * d1 + d0 * d2);
  check("lambda", tf::gradient(of_lambda, tf::active(x)), 9 * x * x);
  check("functor", tf::gradient(of_functor, tf::active(x)), 12 * x + 4 * x);
  auto g = tf::gradient(two_active, tf::active(x), tf::active(1.5));
  check("two active, first", get<0>(g), difference([](double a) { return two_active(a, 1.5); }, x), 1e-6);
  check("two active, second", get<1>(g), difference([&](double b) { return two_active(x, b); }, 1.5), 1e-6);

  enum { N = 5 };
  double p[N], v[N], want[N];
  fill(p, N, 451, 0.4, 1);
  fill(v, N, 452, -1, 1);
  for (int i = 0; i < N; ++i) want[i] = 0;
  for (int side = 0; side < 2; ++side) {
    double q[N], gq[N] = {};
    for (int i = 0; i < N; ++i) q[i] = p[i] + (side ? 1e-5 : -1e-5) * v[i];
    gradient_of_energy(q, gq, N);
    for (int i = 0; i < N; ++i) want[i] += (side ? 1 : -1) * gq[i] / 2e-5;
  }
  auto product = [&](const char* what, auto fn) {
    double h[N] = {};
    HeapUse use = heap_use([&] { fn(p, v, h, N); });
    check_at_most(what, use.left, 0);
    for (int i = 0; i < N; ++i) check(what, h[i], want[i], 1e-6);
  };
  product("forward over reverse", by_forward);
  product("reverse over reverse", by_reverse);
  product("reverse over forward", by_reverse_of_forward);
  for (int i = 0; i < N; ++i) {
    double side[2], q[N];
    for (int k = 0; k < 2; ++k) {
      for (int j = 0; j < N; ++j) q[j] = p[j] + (j == i ? (k ? 1e-5 : -1e-5) : 0);
      side[k] = curvature<by_forward>(q, v, N);
    }
    want[i] = (side[1] - side[0]) / 2e-5;
  }
  product("three deep, over forward over reverse", gradient_of_curvature<by_forward>);
  product("three deep, over reverse over reverse", gradient_of_curvature<by_reverse>);
  product("three deep, over reverse over forward", gradient_of_curvature<by_reverse_of_forward>);
  return finish();
}
