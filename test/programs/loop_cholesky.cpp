// Cholesky factorisation in place of M M' + I, its log determinant and a forward solve.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T a[4][4];
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      a[i][j] = T(i == j ? 1.5 : 0);
      for (int k = 0; k < n; ++k) a[i][j] += x[i * n + k] * x[j * n + k];
    }
  T s = T(0);
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k) a[j][j] -= a[j][k] * a[j][k];
    a[j][j] = sqrt(a[j][j]);
    s += T(2) * log(a[j][j]);
    for (int i = j + 1; i < n; ++i) {
      for (int k = 0; k < j; ++k) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
  }
  T y[4];
  for (int i = 0; i < n; ++i) {
    y[i] = T(i + 1);
    for (int k = 0; k < i; ++k) y[i] -= a[i][k] * y[k];
    y[i] /= a[i][i];
    s += y[i] * y[i];
  }
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[16], dx[16] = {};
  double want[16];
  fill(x, 16, 202, -1, 1);
  reference(want, x, 16, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, 16);
}

int main(int argc, char**) {
  run<double>(argc, 4);
  run<float>(argc, 4);
  run<double>(argc, 3);
  run<float>(argc, 3);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
