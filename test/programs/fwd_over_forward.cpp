// NOLANES: derivatives of derivatives
// Forward over forward: second and third derivatives, of scalars and through arrays.
#include "forward.hpp"

static double f(double x) { return x * x * x * std::sin(x) + std::exp(x / 2); }
static double f1(double x) { return __enzyme_fwddiff<double>((void*)f, enzyme_dup, x, 1.0); }
static double f2(double x) { return __enzyme_fwddiff<double>((void*)f1, enzyme_dup, x, 1.0); }
static double f3(double x) { return __enzyme_fwddiff<double>((void*)f2, enzyme_dup, x, 1.0); }

// Second directional derivatives by hand: value, along u, along v, along both.
struct H { double v, a, b, ab; };
static H operator+(H p, H q) { return {p.v + q.v, p.a + q.a, p.b + q.b, p.ab + q.ab}; }
static H operator*(H p, H q) { return {p.v * q.v, p.a * q.v + p.v * q.a, p.b * q.v + p.v * q.b, p.ab * q.v + p.a * q.b + p.b * q.a + p.v * q.ab}; }
static H sin(H p) { return {std::sin(p.v), std::cos(p.v) * p.a, std::cos(p.v) * p.b, std::cos(p.v) * p.ab - std::sin(p.v) * p.a * p.b}; }

template <class T> static T step(const T* x, T* y, int n) {
  T s = x[0];
  for (int i = 0; i < n; ++i) {
    y[i] = sin(x[i]) * x[(i + 1) % n];
    s = s * y[i] + x[i] * y[i];
  }
  return s;
}
NOINLINE static H by_hand(const H* x, H* y, int n) { return step(x, y, n); }
static double inner(const double* x, const double* u, double* y, double* dy, int n) {
  return __enzyme_fwddiff<double>((void*)step<double>, enzyme_dup, x, u, enzyme_dup, y, dy, enzyme_const, n);
}

int main(int argc, char**) {
  double x = 0.8, s = std::sin(x), c = std::cos(x), e = std::exp(x / 2);
  if (argc == 1) {
    check("first", f1(x), 3 * x * x * s + x * x * x * c + e / 2);
    check("second", f2(x), 6 * x * s + 6 * x * x * c - x * x * x * s + e / 4);
    check("third", f3(x), 6 * s + 18 * x * c - 9 * x * x * s - x * x * x * c + e / 8);
  }
  enum { N = 5 };
  double p[N], u[N], v[N], y[N], dy[N], ey[N], edy[N];
  fill(p, N, 111, 0.3, 1);
  direction(u, N, 112);
  direction(v, N, 113);
  H h[N], hy[N];
  for (int i = 0; i < N; ++i) h[i] = {p[i], u[i], v[i], 0};
  H want = by_hand(h, hy, N);
  if (argc > 1) return finish();
  double got = __enzyme_fwddiff<double>((void*)inner, enzyme_dup, (const double*)p, (const double*)v, enzyme_const, (const double*)u, enzyme_dup, (double*)y, (double*)ey,
                                        enzyme_dup, (double*)dy, (double*)edy, enzyme_const, (int)N);
  check("second, both ways", got, want.ab);
  for (int i = 0; i < N; ++i) {
    check("y", y[i], hy[i].v);
    check("y along u", dy[i], hy[i].a);
    check("y along v", ey[i], hy[i].b);
    check("y along both", edy[i], hy[i].ab);
  }
  return finish();
}
