// A chain of calls that are not inlined, some of them several times, with values and pointers.
#include "support.hpp"

template <class T> NOINLINE static T third(T a, T b) { return a * b + sin(a); }
template <class T> NOINLINE static T second(const T* x, int i, T c) {
  if (c > T(0)) return third(x[i], c) * T(0.5);
  return third(c, x[i]) - x[i] * x[i];
}
template <class T> NOINLINE static T first(const T* x, int n, T start) {
  T s = start;
  for (int i = 0; i < n; ++i) s += second(x, i, s - x[n - 1 - i]) * T(0.4);
  return s;
}
template <class T> NOINLINE static int count(const T* x, int n) {       // returns an integer only
  int c = 0;
  for (int i = 0; i < n; ++i) c += x[i] > T(0);
  return c;
}
template <class T> static T f(const T* x, int n) {
  T a = first(x, n, T(0)), b = first(x, n / 2, a);
  return third(a, b) * T(count(x, n) + 1) + second(x, 0, a * b);
}

template <class T> static void run(int argc, int n) {
  T x[7], dx[7] = {};
  double want[7];
  fill(x, 7, 307, -1, 1);
  reference(want, x, 7, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 7);
}

int main(int argc, char**) {
  run<double>(argc, 7);
  run<float>(argc, 7);
  run<double>(argc, 2);
  run<float>(argc, 2);
  return finish();
}
