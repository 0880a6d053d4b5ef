// Functions with many returns, some from inside loops, some of constants, some after memory was written.
#include "support.hpp"

template <class T> static T pick(T a, T b) {
  if (a < T(0)) return T(0);
  if (b < T(0)) return a;
  if (a > T(2)) {
    if (b > T(2)) return a * b;
    return a / b;
  }
  T s = a;
  for (int i = 0; i < 6; ++i) {
    s = s * b + a;
    if (s > T(5)) return s * T(i + 1);
  }
  return s - b;
}
template <class T> static T scan(const T* x, T* out, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i];
    out[i] = s * x[i];
    if (s > T(3)) return out[i] + s;
  }
  return T(7);
}

struct Pair { double a, b; };

template <class T> static void run_scan(int argc, double hi) {
  constexpr int n = 8;
  T x[n], dx[n] = {}, out[n] = {}, dout[n];
  double want[n];
  fill(x, n, 9, 0.2, hi);
  fill(dout, n, 10, -1, 1);
  T seed[n];
  std::memcpy(seed, dout, sizeof seed);
  reference(want, x, n, [&](auto* p) {
    std::remove_reference_t<decltype(*p)> o[n] = {}, s = scan(p, o, n);
    for (int i = 0; i < n; ++i) s += o[i] * seed[i];
    return s;
  });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)scan<T>, enzyme_dup, (const T*)x, dx, enzyme_dup, (T*)out, dout, enzyme_const, n);
  check_all("scan", dx, want, n);
  T s = 0;
  for (int i = 0; i < n; ++i) {                      // seeds of locations that were not written stay
    bool written = s <= T(3);
    check("seed", dout[i], written ? 0 : seed[i], 0);
    s += x[i] * x[i];
  }
}

int main(int argc, char**) {
  const double at[][2] = {{-1, 2}, {1.5, -1}, {2.5, 3.5}, {2.5, 0.75}, {1.25, 1.5}, {0.25, 0.5}};
  for (auto& x : at) {
    double want[2];
    reference(want, x, 2, [](auto* p) { return pick(p[0], p[1]); });
    if (argc > 1) continue;
    Pair g = __enzyme_autodiff<Pair>((void*)pick<double>, enzyme_out, x[0], enzyme_out, x[1]);
    check("pick a", g.a, want[0]);
    check("pick b", g.b, want[1]);
  }
  run_scan<double>(argc, 1.4);
  run_scan<double>(argc, 0.5);
  run_scan<float>(argc, 1.4);
  return finish();
}
