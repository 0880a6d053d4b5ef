// Structs of mixed members by value: {int, float}, {float, int, double}, {double, pointer}, {char, double}, not inlined.
#include "support.hpp"

template <class F> struct Tagged { int tag; F value; };
template <class F, class D> struct Wide { F a; int k; D b; };
template <class D> struct View { D scale; const D* data; };
template <class D> struct Small { char c; D v; };

template <class F> NOINLINE static Tagged<F> next(Tagged<F> t, F by) { return {t.tag + 1, t.value * by + F(t.tag)}; }
template <class F, class D> NOINLINE static Wide<F, D> widen_all(Tagged<F> t, D d) {
  return {t.value * t.value, t.tag * 2, widen(t.value) * d};
}
template <class F, class D> NOINLINE static D sum(Wide<F, D> w, View<D> v) {
  D s = widen(w.a) * v.scale;
  for (int i = 0; i < w.k; ++i) s += v.data[i] * w.b;
  return s;
}
template <class D> NOINLINE static Small<D> pack(D d, bool up) { return {up ? 'u' : 'd', up ? d * d : -d}; }

template <class F, class D> static D f(F a, F b, const D* x) {
  Tagged<F> t = {0, a};
  t = next(t, b);
  t = next(t, a);
  Wide<F, D> w = widen_all(t, x[0]);
  D s = sum(w, View<D>{x[1], x});
  Small<D> up = pack(s, s > D(0)), down = pack(x[2], false);
  return up.v * (up.c == 'u' ? D(0.5) : D(2)) + down.v * s;
}

struct FloatPair { float a, b; };

int main(int argc, char**) {
  float x[6];
  double want[6];
  fill(x, 6, 322, 0.2, 1.2);
  reference(want, x, 6, [](auto* p) { return f(p[0], p[1], p + 2); });
  if (argc > 1) return finish();
  double y[4], dy[4] = {};
  for (int i = 0; i < 4; ++i) y[i] = x[2 + i];
  FloatPair g = __tapefree_autodiff<FloatPair>((void*)f<float, double>, tapefree_out, x[0], tapefree_out, x[1], tapefree_dup,
                                               (const double*)y, dy);
  check("a", g.a, want[0], 1e-4);
  check("b", g.b, want[1], 1e-4);
  check_all("x", dy, want + 2, 4, 1e-5);
  return finish();
}
