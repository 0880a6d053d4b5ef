// Nested ifs with several merges, values that live across them, and branches without an else.
#include "support.hpp"

template <class T> static T f(const T* x, int n, int mode) {
  T s = T(0), u = T(1), v = T(2);
  for (int i = 0; i + 2 < n; ++i) {
    T a = x[i], b = x[i + 1], c = x[i + 2];
    if (a > b) {
      if (b > c) {
        u = a * b;
      } else {
        v = a + c;
        if (mode & 1) u = v * c;
      }
      s += u;
    } else if (a > c) {
      v = sin(a) * v;
      if (mode & 2) {
        s += v * v;
      } else {
        s -= v;
        u = u + b;
      }
    } else {
      if (c > T(0.5)) s = s * T(0.5) + c * u;
    }
    if (s > T(4)) s = s / T(2);
    s += u * v * T(0.1);
  }
  return s + u - v;
}

template <class T> static void run(int argc) {
  constexpr int n = 14;
  T x[n];
  double want[n];
  for (int mode = 0; mode < 4; ++mode) {
    T dx[n] = {};
    fill(x, n, 20 + mode, -0.5, 1.5);
    reference(want, x, n, [&](auto* p) { return f(p, n, mode); });
    if (argc > 1) continue;
    __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n, enzyme_const, mode);
    check_all("dx", dx, want, n);
  }
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
