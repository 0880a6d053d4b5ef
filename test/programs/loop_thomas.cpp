// The Thomas algorithm: a tridiagonal system solved in place, forward elimination and back substitution.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T upper[8], right[8];
  const T *lower = x, *diagonal = x + 8, *u = x + 16, *r = x + 24;
  upper[0] = u[0] / (diagonal[0] + T(3));
  right[0] = r[0] / (diagonal[0] + T(3));
  for (int i = 1; i < n; ++i) {
    T m = T(1) / (diagonal[i] + T(3) - lower[i] * upper[i - 1]);
    upper[i] = u[i] * m;
    right[i] = (r[i] - lower[i] * right[i - 1]) * m;
  }
  for (int i = n - 2; i >= 0; --i) right[i] -= upper[i] * right[i + 1];
  T s = T(0);
  for (int i = 0; i < n; ++i) s += right[i] * right[i] * T(i + 1);
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[32], dx[32] = {};
  double want[32];
  fill(x, 32, 203, -1, 1);
  reference(want, x, 32, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 32);
}

int main(int argc, char**) {
  run<double>(argc, 8);
  run<float>(argc, 8);
  run<double>(argc, 1);
  run<float>(argc, 1);
  run<double>(argc, 2);
  run<float>(argc, 2);
  return finish();
}
