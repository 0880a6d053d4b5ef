// Gauss-Seidel sweeps in place over a diagonally dominant system built from the input.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  constexpr int m = 6;
  T u[m];
  for (int i = 0; i < m; ++i) u[i] = T(0);
  for (int sweep = 0; sweep < n; ++sweep)
    for (int i = 0; i < m; ++i) {
      T r = x[m + i];
      for (int j = 0; j < m; ++j)
        if (j != i) r -= x[(i + j) % m] * u[j];
      u[i] = r / (T(4) + x[i] * x[i]);
    }
  T s = T(0);
  for (int i = 0; i < m; ++i) s += u[i] * u[i] + u[i] * x[i];
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[12], dx[12] = {};
  double want[12];
  fill(x, 12, 115, -1, 1);
  reference(want, x, 12, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 12);
}

int main(int argc, char**) {
  run<double>(argc, 5);
  run<float>(argc, 5);
  run<double>(argc, 20);
  run<float>(argc, 20);
  return finish();
}
