// In-place prefix sums and products in a local copy, forward and backward.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T a[10];
  for (int i = 0; i < n; ++i) a[i] = x[i];
  for (int i = 1; i < n; ++i) a[i] += a[i - 1] * T(0.5);
  for (int i = n - 2; i >= 0; --i) a[i] = a[i] * a[i + 1] * T(0.25) + T(1);
  for (int i = 1; i < n; ++i) a[i] *= a[i - 1] * T(0.5);
  T s = T(0);
  for (int i = 0; i < n; ++i) s += a[i] * x[i];
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[10], dx[10] = {};
  double want[10];
  fill(x, 10, 113, 0.5, 1.2);
  reference(want, x, 10, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, 10);
}

int main(int argc, char**) {
  run<double>(argc, 10);
  run<float>(argc, 10);
  run<double>(argc, 3);
  run<float>(argc, 3);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
