// NOLANES: derivatives of derivatives
// LEVELS: O0 O2 fast
// SANITIZE: address
// (UBSan puts tests into the primal before the plugin sees it, and with them this program is refused.)
// Chains of modes where calls stay calls: recursion, whose gradient leaves a record for each call, and functions that are
// not to be inlined.
#include "nest.hpp"

template <class T> static T power(T x, int n) { return n ? power(x, n - 1) * x + sin(x) : x; }
template <class T> static T scalar_recursion(const T* x, int n) { return power(x[0], n) * x[1] + power(x[1] * x[2], 2); }

template <class T> static T over_array(const T* x, int n) {
  if (n == 0) return T(1);
  T below = over_array(x + 1, n - 1);
  return below * x[0] + sin(below * x[0] * x[0]);
}
template <class T> static void scan(const T* x, T* y, int n) { // results through a pointer, local arrays in each frame
  if (n == 1) {
    y[0] = x[0] * x[0];
    return;
  }
  T left[4], right[4];
  int h = n / 2;
  scan(x, left, h);
  scan(x + h, right, n - h);
  for (int i = 0; i < h; ++i) y[i] = left[i] * right[0];
  for (int i = 0; i < n - h; ++i) y[h + i] = right[i] + left[h - 1] * right[i];
}
template <class T> static T through_pointers(const T* x, int n) {
  T y[kMost], s = T(0);
  scan(x, y, n);
  for (int i = 0; i < n; ++i) s += y[i] * y[i] * T(i + 1);
  return s;
}
template <class T> static T odd(const T* x, int n);
template <class T> static T even(const T* x, int n) { return n ? odd(x + 1, n - 1) * x[0] : T(1); }
template <class T> static T odd(const T* x, int n) { return n ? even(x + 1, n - 1) + sin(x[0] * x[0]) : T(2); }
template <class T> static T mutual(const T* x, int n) { return even(x, n) * odd(x, n); }
template <class T> static T loop_in_recursion(const T* x, int n) { // kept values in the record's own heap block
  if (n == 0) return T(1);
  T s = loop_in_recursion(x + 1, n - 1);
  for (int i = 0; i < n + 1; ++i) s = s * T(0.5) + sin(s * x[0]);
  while (s < T(3)) s = s * (T(1) + x[0] * x[0]);
  return s;
}
template <class T> static T recursion_in_loop(const T* x, int n) {
  T s = T(1);
  for (int i = 0; i < n; ++i) s = s * T(0.5) + over_array(x, i) * s;
  return s;
}
template <class T> NOINLINE static T weighed(const T* x, int n, T w) {
  T s = w;
  for (int i = 0; i < n; ++i) s = s * x[i] + w * w;
  return s;
}
template <class T> NOINLINE static void update(T* a, const T* x, int n) {
  for (int i = 0; i < n; ++i) a[i] = a[i] * x[i] + weighed(x, i, a[i]);
}
template <class T> static T not_inlined(const T* x, int n) {
  T a[kMost];
  for (int i = 0; i < n; ++i) a[i] = x[(i + 1) % n];
  update(a, x, n);
  update(a, x, n);
  return weighed(a, n, a[0]);
}

#define EACH(X) X(scalar_recursion) X(over_array) X(through_pointers) X(mutual) X(loop_in_recursion) X(recursion_in_loop) X(not_inlined)
NEST_MAIN(EACH, double, 4, 411, 0.3)
