// Gather and scatter through index arrays with repeated indices: reads, overwrites, in-place updates and accumulation.
#include "support.hpp"

template <class T> static T f(const T* x, const int* index, T* y, int n, int m) {
  for (int i = 0; i < n; ++i) y[index[i]] += x[i] * x[index[(i + 1) % n]];
  for (int i = 0; i < n; ++i) y[index[i]] = y[index[n - 1 - i]] * x[i] + T(0.25);   // overwrites, with repeats
  for (int i = 0; i < n; ++i) y[index[i]] = sin(y[index[i]] + x[i]);
  T s = T(0);
  for (int i = 0; i < n; ++i) s += y[index[i]] * x[index[i]];
  for (int i = 0; i < m; ++i) s += y[i] * y[i];
  return s;
}

template <class T> static void run(int argc) {
  constexpr int n = 9, m = 5;
  const int index[n] = {3, 0, 3, 4, 1, 1, 0, 3, 4};             // 2 is never used
  T x[n + m], dx[n] = {}, y[m], dy[m] = {};
  double want[n + m];
  fill(x, n + m, 204, -1, 1);
  reference(want, x, n + m, [&](auto* p) { return f(p, index, p + n, n, m); });
  if (argc > 1) return;
  std::memcpy(y, x + n, sizeof y);
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, (const int*)index, enzyme_dup, (T*)y, dy,
                          enzyme_const, n, enzyme_const, m);
  check_all("dx", dx, want, n);
  check_all("dy", dy, want + n, m);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
