// NOLANES: derivatives of derivatives
// Forward over reverse: Hessian times vector, where the gradient keeps values on the stack, on the heap and in a recursion.
#include "forward.hpp"

// The gradient is differentiated along v by central differences of exact gradients (dual numbers).
template <class F> static void hessian_vector(double* want, const double* x, const double* v, int n, F fn) {
  const double h = 1e-5;
  double up[16], down[16], p[16];
  for (int s = 0; s < 2; ++s) {
    for (int i = 0; i < n; ++i) p[i] = x[i] + (s ? h : -h) * v[i];
    for (int i = 0; i < n; ++i) {
      Dual d[16];
      for (int k = 0; k < n; ++k) d[k] = {p[k], k == i ? 1.0 : 0.0};
      (s ? up : down)[i] = fn(d).d;
    }
  }
  for (int i = 0; i < n; ++i) want[i] = (up[i] - down[i]) / (2 * h);
}

template <class T> static T fixed(const T* x, int n) {
  T s[8], e = T(0);
  for (int i = 0; i < n; ++i) s[i] = x[i];
  for (int r = 0; r < 3; ++r) {
    for (int i = 0; i < n; ++i) s[i] = sin(s[i]) + s[(i + 1) % n] * s[i] * T(0.25);
    for (int i = 0; i < n; ++i) e += s[i] * s[i] * T(i + 1);
  }
  return e;
}
template <class T> static T unknown(const T* x, int n) { // the number of rounds depends on the data
  T s = x[0];
  int i = 0;
  while (s < T(30)) {
    s = s * (T(1) + x[i % n] * x[i % n]) + exp(x[(i + 1) % n]);
    ++i;
  }
  return s * s;
}
template <class T> static T recursive(const T* x, int n) {
  if (n == 0) return T(1);
  T below = recursive(x + 1, n - 1);
  return below * x[0] + sin(below * x[0] * x[0]);
}
template <class T> static T heap(const T* x, int n) {
  T* a = new T[n];
  for (int i = 0; i < n; ++i) a[i] = x[i] * x[(i + 1) % n];
  T s = T(0);
  for (int i = 0; i < n; ++i) s = s * T(0.5) + a[i] * a[i] * a[(i + 1) % n];
  delete[] a;
  return s;
}
template <class T> static T scalar(T a, T b) { return a * a * b + cos(a * b) / b; }
struct Pair { double a, b; };
static double da(double a, double b) { return __enzyme_autodiff<Pair>((void*)scalar<double>, a, b).a; }

#define EACH(X) X(fixed) X(unknown) X(recursive) X(heap)
#define DEFINE(f)                                                                                          \
  static void gradient_##f(const double* x, double* g, int n) {                                            \
    __enzyme_autodiff<void>((void*)f<double>, enzyme_dup, x, g, enzyme_const, n);                          \
  }
EACH(DEFINE)

int main(int argc, char**) {
  enum { N = 5 };
  double x[N], v[N], want[N], first[N];
  fill(x, N, 121, 0.3, 1);
  direction(v, N, 122);
#define TEST(f)                                                                                                     \
  {                                                                                                                 \
    hessian_vector(want, x, v, N, [](auto* p) { return f(p, N); });                                                 \
    reference(first, x, N, [](auto* p) { return f(p, N); });                                                        \
    double g[N] = {}, hv[N] = {};                                                                                   \
    auto call = [&] {                                                                                               \
      __enzyme_fwddiff<void>((void*)gradient_##f, enzyme_dup, (const double*)x, (const double*)v, enzyme_dup, (double*)g, (double*)hv, enzyme_const, (int)N); \
    };                                                                                                              \
    if (argc == 1) {                                                                                                \
      call();                                                                                                       \
      for (int i = 0; i < N; ++i) {                                                                                 \
        check(#f " gradient", g[i], first[i]);                                                                      \
        check(#f " hessian", hv[i], want[i], 1e-7);                                                                 \
      }                                                                                                             \
      check_no_leak(#f, 100, call);                                                                                 \
    }                                                                                                               \
  }
  EACH(TEST)
  double a = 0.7, b = 1.3, t = a * b;
  if (argc == 1) {
    check("d2/da2", __enzyme_fwddiff<double>((void*)da, a, 1.0, b, 0.0), 2 * b - b * std::cos(t));
    check("d2/dadb", __enzyme_fwddiff<double>((void*)da, a, 0.0, b, 1.0), 2 * a - a * std::cos(t));
  }
  return finish();
}
