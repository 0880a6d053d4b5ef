// Pointers that alternate between two arrays by a select or a phi, inside and outside loops.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T a[5], b[5];
  for (int i = 0; i < n; ++i) {
    a[i] = x[i];
    b[i] = x[i + 5];
  }
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    T* p = i & 1 ? a : b;                      // by position
    T* q = x[i] > T(0) ? a : b;                // by data
    p[i] = p[i] * q[n - 1 - i] + q[i] * T(0.5);
    s += *p * q[i];
  }
  T* walk = a;
  for (int step = 0; step < 12; ++step) {
    *walk = sin(*walk) + s * T(0.1);
    s += *walk;
    walk = walk == a + n - 1 ? b : walk == b + n - 1 ? a : walk + 1;
  }
  for (int i = 0; i < n; ++i) s += a[i] * b[i];
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[10], dx[10] = {};
  double want[10];
  fill(x, 10, 121, -1, 1);
  reference(want, x, 10, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 10);
}

int main(int argc, char**) {
  run<double>(argc, 5);
  run<float>(argc, 5);
  run<double>(argc, 4);
  run<float>(argc, 4);
  return finish();
}
