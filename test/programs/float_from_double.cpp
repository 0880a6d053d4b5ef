// A float result of a double computation and a double result of a float one; the seed of a float return is 1.0f.
#include "support.hpp"

template <class D> static auto shrink(D x, D y) { return narrow(x * x * y + sin(y)); }
template <class F> static auto grow(F x, F y) { return widen(x) * widen(y) * widen(x * y); }
template <class D> static auto total(const D* x, int n) {
  D s = D(0);
  for (int i = 0; i < n; ++i) s += x[i] * x[i] * x[i];
  return narrow(s);
}

struct Pair { double a, b; };
struct FloatPair { float a, b; };

int main(int argc, char**) {
  double x[2] = {1.5, 0.625}, want[5];
  reference(want, x, 2, [](auto* p) { return shrink(p[0], p[1]); }, 1e-2, 1e-2);
  if (argc == 1) {
    Pair g = __enzyme_autodiff<Pair>((void*)shrink<double>, enzyme_out, x[0], enzyme_out, x[1]);
    check("shrink x", g.a, want[0], 1e-6);
    check("shrink y", g.b, want[1], 1e-6);
  }
  reference(want, x, 2, [](auto* p) { return grow(p[0], p[1]); });
  if (argc == 1) {
    FloatPair g = __enzyme_autodiff<FloatPair>((void*)grow<float>, enzyme_out, (float)x[0], enzyme_out, (float)x[1]);
    check("grow x", g.a, want[0], 1e-5);
    check("grow y", g.b, want[1], 1e-5);
  }
  double v[5], dv[5] = {};
  fill(v, 5, 60, -1, 1);
  reference(want, v, 5, [](auto* p) { return total(p, 5); }, 1e-2, 1e-3);
  if (argc == 1) {
    __enzyme_autodiff<void>((void*)total<double>, enzyme_dup, (const double*)v, dv, enzyme_const, 5);
    check_all("total", dv, want, 5, 1e-6);
  }
  return finish();
}
