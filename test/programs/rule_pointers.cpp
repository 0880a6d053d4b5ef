// LANES: 0 1
// Rules of the user's for functions with pointers: outputs, results, in-place updates, constants without a shadow, tapes.
#include <tapefree/rule.hpp>
#include "forward.hpp"
namespace tf = tapefree;

// y = A x, of which the gradient reads A and x, and nothing overwrites them.
void apply(const double* a, const double* x, double* y, int n) {
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int j = 0; j < n; ++j) s += a[i * n + j] * x[j];
    y[i] = s;
  }
}
void apply_gradient(const double* a, double* da, const double* x, double* dx, tf::not_read, double* dy, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      if (da) da[i * n + j] += dy[i] * x[j];
      if (dx) dx[j] += dy[i] * a[i * n + j];
    }
    dy[i] = 0; // overwritten
  }
}
inline constexpr tf::register_gradient<apply, apply_gradient> apply_has_a_gradient;

// A sum of squares: reads only, a result, and a reference for the weight.
double norm(const double* x, const double& weight, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += x[i] * x[i];
  return weight * s;
}
void norm_gradient(const double* x, double* dx, const double& weight, double* dweight, int n, double seed) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i];
    if (dx) dx[i] += 2 * weight * x[i] * seed;
  }
  if (dweight) *dweight += s * seed;
}
double norm_tangent(const double* x, const double* dx, const double& weight, const double* dweight, int n) {
  double t = 0;
  for (int i = 0; i < n; ++i) t += (dx ? 2 * weight * x[i] * dx[i] : 0) + (dweight ? x[i] * x[i] * *dweight : 0);
  return t;
}
inline constexpr tf::register_gradient<norm, norm_gradient> norm_has_a_gradient;
inline constexpr tf::register_derivative<norm, norm_tangent> norm_has_a_derivative;

// In place, with a tape: what was there before.
struct Before {
  double value[3];
  int n;
};
void squares(double* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= x[i];
}
Before squares_augmented(double* x, int n) {
  Before t = {{}, n};
  for (int i = 0; i < n; ++i) t.value[i] = x[i];
  squares(x, n);
  return t;
}
void squares_gradient(tf::not_read, double* dx, tf::not_read, const Before& t) {
  for (int i = 0; i < t.n; ++i) dx[i] *= 2 * t.value[i];
}
inline constexpr tf::register_gradient<squares, squares_augmented, squares_gradient> squares_has_a_gradient;

// With a result and a tape.
double last_product(const double* x, int n, double k) { return x[n - 1] * x[0] * k; }
tf::with_tape<double, double> last_product_augmented(const double* x, int n, double k) {
  return {last_product(x, n, k), x[n - 1] * 1.0};
}
double last_product_gradient(const double* x, double* dx, int n, double k, double seed, const double& last) {
  dx[n - 1] += seed * k * x[0];
  dx[0] += seed * k * last;
  return seed * last * x[0];
}
inline constexpr tf::register_gradient<last_product, last_product_augmented, last_product_gradient> last_has_a_gradient;

double f(const double* a, const double* x, double* work, int n, int steps) {
  double s = 0;
  for (int k = 0; k < n; ++k) work[k] = x[k] + 0.25;
  for (int t = 0; t < steps; ++t) {
    double y[3] = {};
    squares(work, n);
    s += last_product(x, n, work[0]);
    for (int k = 0; k < n; ++k) work[k] = sin(work[k]) + 0.1 * y[k] + 0.3 * x[k];
  }
  for (int k = 0; k < n; ++k) s += work[k] * (k + 1);
  double y[3];
  apply(a, x, y, n);
  return s * y[0] + y[1] + norm(y, s, n) + norm(x, x[1], n);
}

template <class P> static void differences(double* want, double* x, int n, P value) {
  for (int i = 0; i < n; ++i) {
    double at = x[i], h = 1e-5;
    x[i] = at + h;
    double up = value();
    x[i] = at - h;
    want[i] = (up - value()) / (2 * h);
    x[i] = at;
  }
}

int main(int argc, char**) {
  enum { n = 3, steps = 4 };
  double a[n * n], x[n], work[n], da[n * n] = {}, dx[n] = {}, dwork[n] = {}, want_a[n * n], want_x[n];
  fill(a, n * n, 5, -1, 1);
  fill(x, n, 6, 0.3, 0.9);
  auto value = [&] { return f(a, x, work, n, steps); };
  differences(want_a, a, n * n, value);
  differences(want_x, x, n, value);
  if (argc > 1) return 0;
  __enzyme_autodiff<void>((void*)f, enzyme_dup, (const double*)a, da, enzyme_dup, (const double*)x, dx, enzyme_dup, work, dwork,
                          enzyme_const, (int)n, enzyme_const, (int)steps);
  check_all("a", da, want_a, n * n, 1e-6);
  check_all("x", dx, want_x, n, 1e-6);
  check_zero("work", dwork, n);
  // Without shadows for the matrix.
  double dx2[n] = {};
  __enzyme_autodiff<void>((void*)f, enzyme_const, (const double*)a, enzyme_dup, (const double*)x, dx2, enzyme_dup, work, dwork,
                          enzyme_const, (int)n, enzyme_const, (int)steps);
  check_all("x alone", dx2, want_x, n, 1e-6);
  return finish();
}
