// break and continue in nested loops, decided by counters and by active data.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    if (i % 4 == 3) continue;
    T p = x[i];
    for (int j = 0; j < n; ++j) {
      if (j == i) continue;
      if (x[j] > T(0.6)) break;
      p = p * x[j] + T(0.5);
      if (x[j] < T(-0.5)) {
        s -= p;
        continue;
      }
      s += p * p;
      if (p > T(0.95) || p < T(-1.2)) break;
      p += x[i] * T(0.25);
    }
    if (s > T(4)) break;
    s += p;
  }
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[9], dx[9] = {};
  double want[9];
  fill(x, 9, 605, -1, 1);
  reference(want, x, 9, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 9);
}

int main(int argc, char**) {
  run<double>(argc, 9);
  run<float>(argc, 9);
  run<double>(argc, 3);
  run<float>(argc, 3);
  return finish();
}
