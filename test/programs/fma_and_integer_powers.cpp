// fma and powers with integer exponents, run-time, negative, zero and constant (they become powi or products).
#include "support.hpp"

template <class T> static T horner(const T* c, int n, T x) {
  T s = T(0);
  for (int i = n - 1; i >= 0; --i) s = fma(s, x, c[i]);
  return s;
}
template <class T> static T powers(T x, int k) {
  return pow(x, k) + pow(x, -2) * T(0.5) + pow(x, 2) - pow(x, 5) + pow(x, 1) * pow(x, k - 4);
}
template <class T> static T negative_base(T x, int k) { return pow(-x, 3) + pow(-x, k); }

int main(int argc, char**) {
  double c[6], want[6];
  fill(c, 5, 70, -1, 1);
  c[5] = 1.25;
  reference(want, c, 6, [](auto* p) { return horner(p, 5, p[5]); });
  if (argc == 1) {
    double dc[5] = {};
    double dx = __enzyme_autodiff<double>((void*)horner<double>, enzyme_dup, (const double*)c, dc, enzyme_const, 5, enzyme_out, c[5]);
    check_all("coefficients", dc, want, 5);
    check("point", dx, want[5]);
  }
  for (int k = 0; k < 7; ++k) {
    double x[1] = {1.25};
    reference(want, x, 1, [&](auto* p) { return powers(p[0], k); });
    if (argc == 1) check("powers", __enzyme_autodiff<double>((void*)powers<double>, enzyme_out, x[0], enzyme_const, k), want[0]);
    if (argc == 1) check("powers float", __enzyme_autodiff<float>((void*)powers<float>, enzyme_out, 1.25f, enzyme_const, k), want[0], 1e-4);
    reference(want, x, 1, [&](auto* p) { return negative_base(p[0], k); });
    if (argc == 1) check("negative", __enzyme_autodiff<double>((void*)negative_base<double>, enzyme_out, x[0], enzyme_const, k), want[0]);
  }
  return finish();
}
