// Gradient and tangent of one function of an array and its length, against differences of fourth order. A float function is compared
// with its double sister (`exact`).
#pragma once
#include "forward.hpp"

template <class T> T scalar_of(T (*)(const T *, int));

template <auto *f, auto *exact = f>
NOINLINE void compare(const char *what, const double *at, int n, double tol = 0, double h = 1e-3) {
  using T = decltype(scalar_of(f));
  if (tol == 0)
    tol = sizeof(T) == 4 ? 2e-4 : 1e-8;
  double y[64], want[64], along = 0;
  T x[64], before[64], dx[64] = {}, tx[64];
  fill(tx, n, 99, -1, 1);
  for (int i = 0; i < n; ++i)
    x[i] = before[i] = T(at[i]), y[i] = x[i];
  for (int i = 0; i < n; ++i) {
    double side[4];
    for (int s = 0; s < 4; ++s) {
      y[i] = double(x[i]) + (s < 2 ? s - 2 : s - 1) * h;
      side[s] = exact(y, n);
    }
    y[i] = x[i];
    want[i] = (8 * (side[2] - side[1]) - (side[3] - side[0])) / (12 * h);
    along += want[i] * tx[i];
  }
  __tapefree_autodiff<void>((void *)f, tapefree_dup, (const T *)x, dx, tapefree_const, n);
  check_all(what, dx, want, n, tol);
  check(what, __tapefree_fwddiff<T>((void *)f, tapefree_dup, (const T *)x, (const T *)tx, tapefree_const, n), along, 4 * tol);
  check_true("the input is intact", !std::memcmp(x, before, sizeof(T) * n));
}

/// The same at n points between lo and hi, and of an f<float> with f<double>.
template <auto *f> void compare_at(const char *what, int n, double lo, double hi, unsigned seed = 1) {
  double x[64];
  fill(x, n, seed, lo, hi);
  compare<f>(what, x, n);
}
template <auto *single, auto *f> void compare_at(const char *what, int n, double lo, double hi, unsigned seed = 1) {
  double x[64];
  fill(x, n, seed, lo, hi);
  compare<f>(what, x, n);
  compare<single, f>(what, x, n);
}
