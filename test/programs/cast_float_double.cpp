// float <-> double conversions inside the computation (fpext, fptrunc), in scalars and in arrays of both types.
#include "support.hpp"

template <class T> static T through(T x) {
  auto f = narrow(x * x);
  auto g = narrow(sin(widen(f)) + x);
  return widen(f * g) + T(0.5) * widen(g);
}
template <class F, class T> static T blend(const F* f, const T* d, int n) {
  F single = F(0);
  T wide = T(0);
  for (int i = 0; i < n; ++i) {
    single += f[i] * narrow(d[i]);
    wide += widen(single) * d[i] - widen(f[i] * f[i]);
  }
  return wide + widen(single);
}

int main(int argc, char**) {
  constexpr int n = 6;
  double x[1] = {1.125}, want[2 * n], d[n], dd[n] = {}, both[2 * n];
  float f[n], df[n] = {};
  reference(want, x, 1, [](auto* p) { return through(p[0]); }, 1e-2, 1e-3);
  if (argc == 1) check("through", __enzyme_autodiff<double>((void*)through<double>, enzyme_out, x[0]), want[0], 1e-6);

  fill(f, n, 3, -1, 1);
  fill(d, n, 4, 0.5, 1.5);
  for (int i = 0; i < n; ++i) both[i] = f[i], both[n + i] = d[i];
  reference(want, both, 2 * n, [&](auto* p) { return blend(p, p + n, n); }, 1e-2, 1e-3);
  if (argc > 1) return finish();
  __enzyme_autodiff<void>((void*)blend<float, double>, enzyme_dup, (const float*)f, df, enzyme_dup, (const double*)d, dd,
                          enzyme_const, n);
  check_all("df", df, want, n);
  check_all("dd", dd, want + n, n, 1e-5);
  return finish();
}
