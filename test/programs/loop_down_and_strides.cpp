// Counting down, step 2, step 3 downwards, doubling counters and two counters that meet.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T s = T(0.25);
  for (int i = n - 1; i >= 0; --i) s = s * x[i] + T(0.5);
  for (int i = 0; i < n; i += 2) s += x[i] * s * T(0.5);
  for (int i = n; i > 0; i -= 3) s = sin(s) + x[i - 1] * x[i - 1];
  for (int i = 1; i < n; i *= 2) s = s * (T(1) + x[i] * T(0.2));
  for (int i = n; i-- > 0;) s += x[i] * T(i);
  for (int i = 0, j = n - 1; i < j; ++i, --j) s = s * T(0.8) + x[i] * x[j] * s;
  for (int i = n; i; i >>= 1) s += x[i - 1] / (T(1) + s * s);
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[16], dx[16] = {};
  double want[16];
  fill(x, 16, 108, -1, 1);
  reference(want, x, 16, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, 16);
}

int main(int argc, char**) {
  run<double>(argc, 16);
  run<float>(argc, 16);
  run<double>(argc, 7);
  run<float>(argc, 7);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
