// A non-linear stencil with two buffers that change places by pointer swap; even and odd step counts.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  constexpr int m = 10;
  T first[m], second[m];
  T *now = first, *next = second;
  for (int i = 0; i < m; ++i) now[i] = x[i];
  for (int step = 0; step < n; ++step) {
    next[0] = now[0] * T(0.5);
    next[m - 1] = now[m - 1] * now[0];
    for (int i = 1; i + 1 < m; ++i) next[i] = now[i] + T(0.2) * (now[i - 1] - T(2) * now[i] + now[i + 1]) * now[i];
    T* t = now;
    now = next;
    next = t;
  }
  T s = T(0);
  for (int i = 0; i < m; ++i) s += now[i] * now[i];
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[10], dx[10] = {};
  double want[10];
  fill(x, 10, 116, 0.2, 1);
  reference(want, x, 10, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 10);
}

int main(int argc, char**) {
  run<double>(argc, 0);
  run<float>(argc, 0);
  run<double>(argc, 1);
  run<float>(argc, 1);
  run<double>(argc, 4);
  run<float>(argc, 4);
  run<double>(argc, 7);
  run<float>(argc, 7);
  return finish();
}
