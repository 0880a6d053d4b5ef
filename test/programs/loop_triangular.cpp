// Triangular loops: j < i, j > i, j <= i downwards, and a triangle in a triangle.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    T run = T(1);
    for (int j = 0; j < i; ++j) run = run * T(0.5) + x[i] * x[j];
    s += run * run;
  }
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      T d = x[i] - x[j];
      s += d * d / (T(1) + d * d);
    }
  for (int i = 0; i < n; ++i) {
    T p = T(0);
    for (int j = i; j >= 0; --j) {
      p = sin(p + x[j]);
      for (int k = j; k < i; ++k) p += x[k] * p * T(0.1);
    }
    s += p * x[i];
  }
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[9], dx[9] = {};
  double want[9];
  fill(x, 9, 102, -1, 1);
  reference(want, x, 9, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 9);
}

int main(int argc, char**) {
  run<double>(argc, 9);
  run<float>(argc, 9);
  run<double>(argc, 1);
  run<float>(argc, 1);
  run<double>(argc, 2);
  run<float>(argc, 2);
  return finish();
}
