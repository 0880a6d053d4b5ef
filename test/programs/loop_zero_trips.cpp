// Loops that run zero times, once, or not in some iterations; values that only exist after a loop.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T s = x[0] * x[5], last = x[1];
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i - 1; ++j) last = last * x[j] + x[i];
    s += last;
  }
  for (int i = 0; i < n - 6; ++i) s = sin(s) * x[i];
  for (int i = n; i < 0; ++i) s *= s;
  while (n > 100) s += x[--n - 100];
  for (int i = 0; i < n; ++i)
    for (int j = n; j < i; ++j)
      for (int k = 0; k < 5; ++k) s *= x[k];
  for (int i = 0; i < n; ++i) {
    T t = s;
    for (int j = 0; j < (i & 1); ++j) t = t * x[i];
    s = t * T(0.5) + s * T(0.5);
  }
  return s * last;
}

template <class T> static void run(int argc, int n) {
  T x[6], dx[6] = {};
  double want[6];
  fill(x, 6, 110, -1, 1);
  reference(want, x, 6, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, 6);
}

int main(int argc, char**) {
  run<double>(argc, 0);
  run<float>(argc, 0);
  run<double>(argc, 1);
  run<float>(argc, 1);
  run<double>(argc, 6);
  run<float>(argc, 6);
  return finish();
}
