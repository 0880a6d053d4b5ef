// Recursion: power by squaring, a recursive sum over halves, and a recursion that ends by data.
#include "support.hpp"

template <class T> static T power(T x, int k) {
  if (k == 0) return T(1);
  T h = power(x, k / 2);
  return k & 1 ? h * h * x : h * h;
}
template <class T> static T halves(const T* x, int n) {
  if (n == 1) return x[0] * x[0];
  T a = halves(x, n / 2), b = halves(x + n / 2, n - n / 2);
  return a * b + a - b;
}
template <class T> static T shrink(T v, const T* x) {
  if (v < T(0.2)) return v * x[0];
  return v * shrink(v * T(0.6) - x[0] * T(0.05), x) + x[0];
}
template <class T> static T f(const T* x, int n) {
  T s = halves(x, n) + shrink(x[n - 1] * T(3), x);
  for (int i = 0; i < n; ++i) s += power(x[i], i + 2) * T(0.3);
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[6], dx[6] = {};
  double want[6];
  fill(x, 6, 309, 0.4, 1.3);
  reference(want, x, 6, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 6);
}

int main(int argc, char**) {
  run<double>(argc, 6);
  run<float>(argc, 6);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
