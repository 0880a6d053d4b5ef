// Fibonacci-like double recursion with active arguments, results used non-linearly, plus Ackermann-like depth.
#include "support.hpp"

template <class T> static T fib(T a, T b, int k) {
  if (k == 0) return a;
  if (k == 1) return b;
  return sin(fib(a, b, k - 1)) * T(0.7) + fib(b, a, k - 2) * a;
}
template <class T> static T choose(T x, int n, int k) {
  if (k < 0 || k > n) return T(0);
  if (n == 0) return T(1);
  return choose(x, n - 1, k - 1) * x + choose(x, n - 1, k) * (T(1) - x);
}
template <class T> static T f(const T* x, int n) { return fib(x[0], x[1], n) + choose(x[2], n / 2 + 1, 2) * x[0]; }

template <class T> static void run(int argc, int n) {
  T x[3], dx[3] = {};
  double want[3];
  fill(x, 3, 311, 0.5, 1.2);
  reference(want, x, 3, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, 3);
}

int main(int argc, char**) {
  run<double>(argc, 8);
  run<float>(argc, 8);
  run<double>(argc, 2);
  run<float>(argc, 2);
  return finish();
}
