// Pointers kept in local arrays and local structs, exchanged there and read back.
#include "support.hpp"

template <class T> struct Window { const T* from; int length; };

template <class T> static T f(const T* x, int n) {
  T low[3], high[3];
  T* bank[2] = {low, high};
  for (int i = 0; i < 3; ++i) {
    bank[0][i] = x[i] * x[i];
    bank[1][i] = x[i + 3] + T(0.5);
  }
  const T* part[3] = {x, x + 3, x + 6};
  Window<T> window[3];
  for (int i = 0; i < 3; ++i) window[i] = {part[(i * 2) % 3], 3 - i % 2};
  T s = T(0);
  for (int round = 0; round < n; ++round) {
    T* t = bank[0];
    bank[0] = bank[1];
    bank[1] = t;
    for (int i = 0; i < 3; ++i) {
      const Window<T>& w = window[(i + round) % 3];
      for (int j = 0; j < w.length; ++j) bank[0][j] += w.from[j] * bank[1][i] * T(0.3);
    }
    s += bank[round & 1][round] * bank[0][1];
  }
  for (int i = 0; i < 3; ++i) s += low[i] * T(2) - high[i];
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[9], dx[9] = {};
  double want[9];
  fill(x, 9, 216, -1, 1);
  reference(want, x, 9, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 9);
}

int main(int argc, char**) {
  run<double>(argc, 3);
  run<float>(argc, 3);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
