// NOLANES: derivatives of derivatives
// LEVELS: O0 O2 fast
// Chains of modes over functions of arrays: loops whose gradient keeps nothing, or a fixed number of values on the stack, or
// as many as the arguments say on the heap, or as many as only the run knows.
#include "nest.hpp"

template <class T> static T kept_nothing(const T* x, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) s += x[i] * x[(i + 1) % n] * sin(x[i]);
  return s;
}
template <class T> static T recurrence(const T* x, int n) { // one value for each iteration, on the heap
  T s = T(1);
  for (int i = 0; i < 3 * n; ++i) s = s * x[i % n] + sin(s);
  return s;
}
template <class T> static T in_place(const T* x, int n) { // rounds of a local array, on the heap
  T a[kMost];
  for (int i = 0; i < n; ++i) a[i] = x[i];
  for (int r = 0; r < n - 1; ++r)
    for (int i = 0; i < n; ++i) a[i] = sin(a[i]) + a[(i + 1) % n] * a[i] * T(0.25);
  T s = T(0);
  for (int i = 0; i < n; ++i) s += a[i] * a[i] * T(i + 1);
  return s;
}
template <class T> static T on_the_stack(const T* x, int) { // the number of rows is a constant
  T s = x[0];
  for (int r = 0; r < 20; ++r) s = s * x[1] + cos(s * x[2]);
  return s;
}
template <class T> static T unknown_trips(const T* x, int n) { // a while loop: the store grows
  T s = x[0];
  int i = 0;
  while (s < T(200)) {
    s = s * (T(1) + x[i % n] * x[i % n] * T(0.001)) + exp(x[(i + 1) % n]) * T(0.001);
    ++i;
  }
  return s * s * T(0.0001);
}
template <class T> static T unknown_nests(const T* x, int n) { // the inner loop's length depends on the data
  T total = T(0);
  for (int i = 0; i < n; ++i) {
    T s = x[i];
    for (int k = 0; s < T(2 + i) && k < 50; ++k) s = s + s * x[(i + k) % n] * T(0.25);
    total += s * s;
  }
  return total;
}
template <class T> static T branches(const T* x, int n) {
  T s = T(1), t = T(0);
  for (int i = 0; i < 2 * n; ++i) {
    const T y = x[i % n];
    if (y > T(0.6)) {
      s = s * y + t;
      if (i % 3 == 0) continue;
    } else if (s > T(2)) {
      s = s / (T(1) + y * y);
    } else {
      t = t + s * y * y;
    }
    switch (i % 4) {
      case 0: t = t * y; break;
      case 1: t = t + sin(y * s); break;
      default: s = s + t * T(0.125);
    }
    if (t > T(50)) return s * t;
  }
  return s * s + t;
}

#define EACH(X) X(kept_nothing) X(recurrence) X(in_place) X(on_the_stack) X(unknown_trips) X(unknown_nests) X(branches)
NEST_MAIN(EACH, double, 5, 401, 0.3)
