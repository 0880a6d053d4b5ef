// NOLANES: nested derivatives
// Derivatives of derivatives of functions that throw: values, and nothing leaks when an exception leaves.
#include "forward.hpp"
#include <stdexcept>
#include <vector>

double f(const double *x, int n, int bad) {
  std::vector<double> y;
  double p = 1;
  for (int i = 0; i < n; ++i) {
    p = p * x[i] + sin(p);
    y.push_back(p * p);
  }
  double s = 0;
  for (int i = 0; i < n; ++i) {
    std::vector<double> z(2, y[i]);
    s += z.at(i == bad ? 2 : 1) * x[i] * x[i];
  }
  return s;
}
double power(const double *x, int n, int bad) {
  if (n == 0)
    throw std::runtime_error("below");
  std::vector<double> z(1, x[n - 1]);
  if (n == bad)
    return z.at(1);
  return n == 1 ? z[0] * z[0] : z[0] * power(x, n - 1, bad) + z[0];
}
using Primal = double(const double *, int, int);

template <Primal *f> static void adjoint(const double *x, double *dx, int n, int bad) {
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, n, enzyme_const, bad);
}
template <Primal *f> static double tangent(const double *x, const double *tx, int n, int bad) {
  return __enzyme_fwddiff<double>((void *)f, enzyme_dup, x, tx, enzyme_const, n, enzyme_const, bad);
}
template <class F> static int caught(F call) {
  try {
    call();
  } catch (const std::exception &) {
    return 1;
  }
  return 0;
}

template <Primal *f> void compare(const char *what, int thrower) {
  const int n = 4;
  double x[n] = {0.9, 1.1, 0.7, 1.2}, t[n] = {1, -1, 0.5, 2}, up[n] = {}, down[n] = {}, want[n], h = 1e-6, y[n];
  for (int s = 0; s < 2; ++s) {
    for (int i = 0; i < n; ++i)
      y[i] = x[i] + (s ? -h : h) * t[i];
    adjoint<f>(y, s ? down : up, n, -1);
  }
  for (int i = 0; i < n; ++i)
    want[i] = (up[i] - down[i]) / (2 * h);
  for (int bad : {-1, thrower}) {
    double dx[n] = {}, ddx[n] = {}, zero[n] = {}, seed[n], got[n] = {};
    int threw = 0;
    threw += caught([&] { // forward over reverse
      __enzyme_fwddiff<void>((void *)adjoint<f>, enzyme_dup, x, t, enzyme_dup, dx, ddx, enzyme_const, n, enzyme_const, bad);
    });
    if (bad < 0)
      check_all(what, ddx, want, n, 1e-5);
    memcpy(seed, t, sizeof t);
    threw += caught([&] { // reverse over reverse
      __enzyme_autodiff<void>((void *)adjoint<f>, enzyme_dup, x, got, enzyme_dup, zero, seed, enzyme_const, n, enzyme_const, bad);
    });
    if (bad < 0)
      check_all(what, got, want, n, 1e-5);
    double through[n] = {};
    threw += caught([&] { // reverse over forward
      __enzyme_autodiff<void>((void *)tangent<f>, enzyme_dup, x, through, enzyme_const, t, enzyme_const, n, enzyme_const, bad);
    });
    if (bad < 0)
      check_all(what, through, want, n, 1e-5);
    check(what, threw, bad < 0 ? 0 : 3);
  }
}

int main() {
  compare<f>("f", 2);
  compare<power>("power", 2);
  return finish();
}
