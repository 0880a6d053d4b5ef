// NOLANES: derivatives of derivatives
// Reverse over forward: the gradient of a directional derivative.
#include "forward.hpp"

template <class T> static T f(const T* x, int n) {
  T s = T(1), m[8];
  for (int i = 0; i < n; ++i) m[i] = x[i] * s;
  for (int i = 0; i < n; ++i) s = s * sin(m[i]) + m[(i + 1) % n] * x[i];
  return s;
}
static double along(const double* x, const double* v, int n) {
  return __enzyme_fwddiff<double>((void*)f<double>, enzyme_dup, x, v, enzyme_const, n);
}
template <class T> static T power(T x, int n) { return n ? power(x, n - 1) * x + sin(x) : x; }
static double power1(double x, int n) { return __enzyme_fwddiff<double>((void*)power<double>, enzyme_dup, x, 1.0, enzyme_const, n); }
static double power2(double x, int n) { return __enzyme_autodiff<double>((void*)power1, enzyme_out, x, enzyme_const, n); }

int main(int argc, char**) {
  enum { N = 5 };
  double x[N], v[N], want[N];
  fill(x, N, 131, 0.3, 1);
  direction(v, N, 132);
  const double h = 1e-5;
  for (int i = 0; i < N; ++i) {
    double side[2];
    for (int s = 0; s < 2; ++s) {
      Dual d[N];
      for (int k = 0; k < N; ++k) d[k] = {x[k] + (k == i ? (s ? h : -h) : 0), v[k]};
      side[s] = f(d, N).d;
    }
    want[i] = (side[1] - side[0]) / (2 * h);
  }
  if (argc == 1) {
    double dx[N] = {}, dv[N] = {};
    __enzyme_autodiff<void>((void*)along, enzyme_dup, (const double*)x, dx, enzyme_dup, (const double*)v, dv, enzyme_const, (int)N);
    double first[N];
    reference(first, x, N, [](auto* p) { return f(p, N); });
    for (int i = 0; i < N; ++i) {
      check("hessian", dx[i], want[i], 1e-7);
      check("gradient", dv[i], first[i]); // the derivative along v is linear in v
    }
    double y = 0.9, side[2];
    for (int s = 0; s < 2; ++s) side[s] = power(Dual(y + (s ? h : -h), 1), 5).d;
    check("recursive", power2(y, 5), (side[1] - side[0]) / (2 * h), 1e-7);
  }
  return finish();
}
