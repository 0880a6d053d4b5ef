// Ternaries and selects: on data, on integers, nested, and where both arms are computed.
#include "support.hpp"

template <class T> static T f(const T* x, int n, int k) {
  T s = T(0), best = x[0];
  for (int i = 0; i < n; ++i) {
    T a = x[i] * x[i], b = sin(x[i]);
    s += x[i] > T(0) ? a : b;
    s += (i & 1 ? a : -b) * (i < k ? T(2) : x[i]);
    T hi = x[i] > T(0.5) ? (x[i] > T(1) ? a * b : a) : (x[i] < T(-0.5) ? b : T(1));
    s = hi < s ? s + hi : s - hi;
    best = best > a ? best : a;
  }
  return s * best;
}

template <class T> static void run(int argc) {
  constexpr int n = 8;
  T x[n], dx[n] = {};
  double want[n];
  fill(x, n, 11, -1.8, 1.8);
  reference(want, x, n, [&](auto* p) { return f(p, n, 3); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n, enzyme_const, 3);
  check_all("dx", dx, want, n);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
