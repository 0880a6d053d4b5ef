// NOLANES: derivatives of derivatives
// LEVELS: O0 O2 fast
// Chains of modes in single precision, and through both precisions.
#include "nest.hpp"

template <class T> static T loops(const T* x, int n) {
  T a[kMost], s = T(0.5f);
  for (int i = 0; i < n; ++i) a[i] = x[i];
  for (int r = 0; r < n; ++r)
    for (int i = 0; i < n; ++i) {
      a[i] = sin(a[i]) + a[(i + 1) % n] * T(0.25f);
      s = s * a[i] + T(0.5f);
    }
  return s * s;
}
template <class T> static T trips(const T* x, int n) {
  T s = x[0];
  int i = 0;
  while (s < T(6)) {
    s = s * (T(1) + x[i % n] * T(0.125f)) + x[(i + 1) % n] * T(0.0625f);
    ++i;
  }
  return s * T(0.25f);
}
template <class T> static T recursion(const T* x, int n) {
  if (n == 0) return T(1);
  T below = recursion(x + 1, n - 1);
  return below * x[0] + sin(below * x[0]);
}
template <class T> static T both_precisions(const T* x, int n) { // sums in double, stored in single
  T y[kMost];
  auto s = widen(x[0]);
  for (int i = 0; i < n; ++i) {
    s = s * widen(x[i]) + 0.5;
    y[i] = narrow(s);
  }
  T r = T(0);
  for (int i = 0; i < n; ++i) r += y[i] * y[n - 1 - i];
  return r;
}

#define EACH(X) X(loops) X(trips) X(recursion) X(both_precisions)
NEST_MAIN(EACH, float, 4, 441, 0.5)
