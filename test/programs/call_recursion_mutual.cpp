// Mutual recursion of three functions with values, pointers and an int result that steers.
#include "support.hpp"

template <class T> static T even(const T* x, T v, int k);
template <class T> static T odd(const T* x, T v, int k) {
  if (k <= 0) return v * x[0];
  return even(x, v * x[k % 5] + T(0.3), k - 1) + v * v * T(0.1);
}
template <class T> static void step(const T* x, T* v, int k) {
  *v = *v * T(0.8) + sin(x[k % 5]);
  if (k > 0 && k % 3 == 0) *v = odd(x, *v, k - 3);
}
template <class T> static T even(const T* x, T v, int k) {
  if (k <= 0) return v * v;
  step(x, &v, k);
  return v > T(0.5) ? odd(x, v, k - 1) : odd(x, x[1] - v, k - 2);
}
template <class T> static T f(const T* x, int n) { return even(x, x[2], n) * odd(x, x[3], n) + x[4]; }

template <class T> static void run(int argc, int n) {
  T x[5], dx[5] = {};
  double want[5];
  fill(x, 5, 312, -1, 1);
  reference(want, x, 5, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 5);
}

int main(int argc, char**) {
  run<double>(argc, 9);
  run<float>(argc, 9);
  run<double>(argc, 4);
  run<float>(argc, 4);
  run<double>(argc, 0);
  run<float>(argc, 0);
  return finish();
}
