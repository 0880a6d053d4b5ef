// Three nested loops whose innermost values depend on all counters and on running sums.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T total = T(0);
  for (int i = 0; i < n; ++i) {
    T row = x[i];
    for (int j = 0; j < n + 1; ++j) {
      T cell = x[j] * row;
      for (int k = 0; k < 3; ++k) {
        cell = cell * x[i + j + k] + sin(cell) * T(k);
        row += cell * T(0.05) * T(i - j);
      }
      total += cell * row;
    }
    total = total * T(0.75) + row;
  }
  return total;
}

template <class T> static void run(int argc, int n) {
  T x[12], dx[12] = {};
  double want[12];
  fill(x, 12, 101, -1, 1);
  reference(want, x, 12, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 12);
}

int main(int argc, char**) {
  run<double>(argc, 3);
  run<float>(argc, 3);
  run<double>(argc, 2);
  run<float>(argc, 2);
  return finish();
}
