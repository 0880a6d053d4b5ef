// LEVELS: O0 O2
// Products of matrices whose reversed loops change places, also where rows overlap or buffers do; sums that are stored
// in every iteration, with and without somebody who looks.
#include "support.hpp"

enum { kN = 7, kSize = kN * kN, kAll = 3 * kSize };

template <class T> static void product(const T* a, const T* b, T* c, int n, int m, int rows) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      c[i * m + j] = 0;
      for (int k = 0; k < n; k++) c[i * m + j] += a[i * n + k] * b[k * rows + j];
    }
}

// `rows` less than `m`: rows of b overlap. `a`, `b`, `c` may lie in each other.
template <class T> NOINLINE static T chain(const T* a, const T* b, T* c, int n, int m, int rows) {
  product(a, b, c, n, m, rows);
  T s = T(0);
  for (int i = 0; i < n * m; i++) s += c[i] * c[i] * T(i % 3 + 1);
  return s;
}

// Square: rows do not overlap, whatever n is, and the loops change places where a, b and c are apart.
template <class T> NOINLINE static T square(const T* a, const T* b, T* c, int n) {
  product(a, b, c, n, n, n);
  T s = T(0);
  for (int i = 0; i < n * n; i++) s += c[i] * c[i] * T(i % 3 + 1);
  return s;
}

// Each iteration stores the sum so far in c[0], and reads c[look].
template <class T> NOINLINE static T looked_at(const T* a, T* c, int n, int look) {
  c[0] = a[0];
  for (int i = 0; i < n; i++) c[0] += a[i] * a[i] * T(i) + c[look] * a[i];
  return c[0] * c[0];
}

template <class T> static void run_chain(int argc, int n, int m, int rows, int b, int c) {
  T x[kAll], dx[kAll] = {};
  double want[kAll];
  fill(x, kAll, 601, -1, 1);
  reference(want, x, kAll, [&](auto* p) { return chain(p, p + b, p + c, n, m, rows); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)chain<T>, enzyme_dup, (const T*)x, dx, enzyme_dup, (const T*)(x + b), dx + b,
                          enzyme_dup, x + c, dx + c, enzyme_const, n, enzyme_const, m, enzyme_const, rows);
  check_all("dx", dx, want, kAll);
}

template <class T> static void run_square(int argc, int n, int b, int c) {
  T x[kAll], dx[kAll] = {};
  double want[kAll];
  fill(x, kAll, 603, -1, 1);
  reference(want, x, kAll, [&](auto* p) { return square(p, p + b, p + c, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)square<T>, enzyme_dup, (const T*)x, dx, enzyme_dup, (const T*)(x + b), dx + b,
                          enzyme_dup, x + c, dx + c, enzyme_const, n);
  check_all("dx", dx, want, kAll);
}

template <class T> static void run_looked_at(int argc, int n, int c, int look) {
  T x[kAll], dx[kAll] = {};
  double want[kAll];
  fill(x, kAll, 602, -0.5, 0.5);
  reference(want, x, kAll, [&](auto* p) { return looked_at(p, p + c, n, look); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)looked_at<T>, enzyme_dup, (const T*)x, dx, enzyme_dup, x + c, dx + c, enzyme_const, n,
                          enzyme_const, look);
  check_all("dx", dx, want, kAll);
}

template <class T> static void run(int argc) {
  run_square<T>(argc, kN, kSize, 2 * kSize);
  run_square<T>(argc, 1, kSize, 2 * kSize);
  run_square<T>(argc, 0, kSize, 2 * kSize);
  run_chain<T>(argc, kN, kN - 2, kN, kSize, 2 * kSize);
  run_chain<T>(argc, kN, kN, kN - 3, kSize, 2 * kSize);
  run_looked_at<T>(argc, 9, kSize, 1);
  run_looked_at<T>(argc, 9, kSize, 0);
#ifndef TEST_LANES // where shadows that overlap would be copied apart
  run_square<T>(argc, 5, 0, kSize);
  run_square<T>(argc, 5, 9, 13);
  run_chain<T>(argc, kN, kN, kN, 0, 2 * kSize);
  run_chain<T>(argc, kN - 1, kN - 1, kN - 1, kSize, kSize + 5);
  run_looked_at<T>(argc, 9, 4, 1);
  run_looked_at<T>(argc, 1, 4, 2);
#endif
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
