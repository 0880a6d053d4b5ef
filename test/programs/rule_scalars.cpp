// Rules of the user's for functions of numbers, in C and in C++: gradients without a tape, derivatives with and without
// the value, parameters that are not read, float, integers and bool. Each is used inside a function that uses its value.
#include <tapefree/rule.hpp>
#include "forward.hpp"
namespace tf = tapefree;

static int primal_calls, gradient_calls, tangent_calls;

double power(double x, int n, double y) { // inline would be no harm
  ++primal_calls;
  double r = y;
  for (int i = 0; i < n; ++i) r *= x;
  return r;
}
tf::gradients<double, double> power_gradient(double x, int n, double y, double seed) {
  ++gradient_calls;
  return tf::partials(seed * n * y * std::pow(x, n - 1), seed * std::pow(x, n));
}
double power_tangent(double x, double dx, int n, double y, double dy) {
  ++tangent_calls;
  return n * y * std::pow(x, n - 1) * dx + std::pow(x, n) * dy;
}
inline constexpr tf::register_gradient<power, power_gradient> power_has_a_gradient;
inline constexpr tf::register_derivative<power, power_tangent> power_has_a_derivative;

// The value is what one derivative gives back: the primal itself runs no more.
float soft(float x, bool twice) { return std::log1p(std::exp(x)) * (twice ? 2.0f : 1.0f); }
float soft_gradient(float x, bool twice, float seed) { return seed * (twice ? 2.0f : 1.0f) / (1 + std::exp(-x)); }
tf::value_and_tangent<float> soft_tangent(float x, float dx, bool twice) {
  return {soft(x, twice), (twice ? 2.0f : 1.0f) / (1 + std::exp(-x)) * dx};
}
inline constexpr tf::register_gradient<soft, soft_gradient> soft_has_a_gradient;
inline constexpr tf::register_derivative<soft, soft_tangent> soft_has_a_derivative;

// Linear in x: the gradient needs only the factor, and x is not kept.
double scaled(double x, double k) { return x * k; }
tf::gradients<double, double> scaled_gradient(tf::not_read, double k, double seed) { return tf::partials(k * seed, 0.0); }
inline constexpr tf::register_gradient<scaled, scaled_gradient> scaled_has_a_gradient;

// The spelling of C, in either prefix.
extern "C" {
double ratio(double a, double b) { return a / b; }
struct Two { double a, b; };
Two ratio_reverse(double a, double b, double seed) { return {seed / b, -seed * a / (b * b)}; }
Two ratio_forward(double a, double da, double b, double db) { return {a / b, da / b - db * a / (b * b)}; } // value, tangent
void* __tapefree_register_gradient_ratio[] = {(void*)ratio, (void*)ratio_reverse};
void* __enzyme_register_derivative_ratio[] = {(void*)ratio, (void*)ratio_forward};

float three(float a, float b, float c) { return a * b * c; }
struct Three { float a, b, c; };
Three three_reverse(float a, float b, float c, float seed) { return {seed * b * c, seed * a * c, seed * a * b}; }
float three_forward(float a, float da, float b, float db, float c, float dc) { return da * b * c + a * db * c + a * b * dc; }
void* __enzyme_register_derivative_three[] = {(void*)three, (void*)three_forward};
void* __tapefree_register_gradient_three[] = {(void*)three, (void*)three_reverse};

// Four doubles come back through memory.
double four(double a, double b, double c, double d) { return a * b + c * d; }
struct Four { double a, b, c, d; };
Four four_reverse(double a, double b, double c, double d, double seed) { return {seed * b, seed * a, seed * d, seed * c}; }
void* __tapefree_register_gradient_four[] = {(void*)four, (void*)four_reverse};
}

double f(const double* x, int n) {
  double s = 0.5;
  for (int i = 0; i < n; ++i) {
    double p = power(x[i] + 0.1 * s, 2 + i % 3, x[(i + 1) % n]);
    s = ratio(p, 1 + s * s) + soft((float)(p - s), i & 1) * p;
    s += three((float)s, 0.5f, (float)x[i]) - scaled(sin(s), 0.7) + four(s, x[i], p, 0.25);
  }
  return s;
}

int main(int argc, char**) {
  enum { n = 5 };
  double x[n], dx[n] = {}, want[n], d[n];
  fill(x, n, 17, 0.4, 1.1);
  fill(d, n, 18, -1, 1);
  for (int i = 0; i < n; ++i) {
    double at = x[i], h = 1e-3, side[4]; // of fourth order, since float is in it
    for (int k = 0; k < 4; ++k) {
      const int step[] = {-2, -1, 1, 2};
      x[i] = at + step[k] * h;
      side[k] = f(x, n);
    }
    x[i] = at;
    want[i] = (side[0] - 8 * side[1] + 8 * side[2] - side[3]) / (12 * h);
  }
  if (argc > 1) return 0;
  primal_calls = gradient_calls = tangent_calls = 0;
  __enzyme_autodiff<void>((void*)f, enzyme_dup, (const double*)x, dx, enzyme_const, (int)n);
  check_all("gradient", dx, want, n, 2e-3);
#ifndef TEST_LANES
  check("primal runs", primal_calls, n);
  check("gradient runs", gradient_calls, n);
#endif
  double t = __enzyme_fwddiff<double>((void*)f, enzyme_dup, (const double*)x, (const double*)d, enzyme_const, (int)n), along = 0;
  for (int i = 0; i < n; ++i) along += dx[i] * d[i];
  // Both modes take the same partials, but float sums differ in order.
  check("tangent", t, along, 1e-5);
#ifndef TEST_LANES
  check("tangent runs", tangent_calls, n);
  // The function itself.
  auto [a, b] = tf::gradient(power, tf::active(1.5), tf::constant(3), tf::active(2.0));
  check("itself, x", a, 3 * 2.0 * 1.5 * 1.5);
  check("itself, y", b, 1.5 * 1.5 * 1.5);
  check("itself, forward", tf::derivative(ratio, tf::dup(3.0, 1.0), tf::dup(2.0, 0.0)), 0.5);
#endif
  return finish();
}
