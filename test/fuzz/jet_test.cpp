// jet_test.cpp: the reference itself, against central differences. Exit status 0 where all of it holds.
#include "jet.hpp"
#include <cstdio>

static int failures = 0;

static void compare(const char *name, const char *what, double got, double want) {
  if (std::fabs(got - want) <= 2e-6 * (1 + std::fabs(want))) return;
  ++failures;
  std::printf("%s: %s is %.9g, central differences say %.9g\n", name, what, got, want);
}

// f along x + h·A, once more differentiated along B: slope against values, curvature against slopes.
template <class F> static void check(const char *name, F f, double x, double y) {
  const double h = 1e-6, dx = 0.7, dy = -0.4, ex = -0.3, ey = 0.9;
  using J = Jet<double>;
  const J r = f(J(x, dx, ex, 0.25), J(y, dy, ey, -0.5));
  const J up = f(J(x + h * dx, 0, ex, 0), J(y + h * dy, 0, ey, 0));
  const J down = f(J(x - h * dx, 0, ex, 0), J(y - h * dy, 0, ey, 0));
  const J second = f(J(x, 0.25, 0, 0), J(y, -0.5, 0, 0));
  compare(name, "slope", r.a, (up.v - down.v) / (2 * h));
  compare(name, "curvature", r.ab, (up.b - down.b) / (2 * h) + second.a);
}

int main() {
#define X(name) check(#name, [](Jet<double> x, Jet<double>) { return name(x); }, 0.37, 0.2);
#define ACOSH(name) check(#name, [](Jet<double> x, Jet<double>) { return name(x); }, 1.37, 0.2);
  X(operator-) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(atanh) X(exp) X(exp2)
  X(exp10) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sqrt) X(cbrt) X(erf) X(erfc) X(lgamma) X(tgamma) X(fabs)
  X(floor) X(ceil) X(trunc) X(round) X(rint) X(nearbyint) X(roundeven) ACOSH(acosh) ACOSH(lgamma) ACOSH(tgamma)
#undef X
#define X(name)                                                                                                        \
  check(#name, [](Jet<double> x, Jet<double> y) { return name(x, y); }, 1.3, 0.45);                                    \
  check(#name, [](Jet<double> x, Jet<double> y) { return name(x, y); }, 0.6, -1.7);
  TAPEFREE_FUZZ_BINARY(X)
#undef X
  check("fma", [](Jet<double> x, Jet<double> y) { return fma(x, y, x * y); }, 1.3, 0.45);
  check("ldexp", [](Jet<double> x, Jet<double>) { return ldexp(x, -2); }, 1.3, 0.45);
  check("powi", [](Jet<double> x, Jet<double>) { return powi(x, 3) + powi(x, -2); }, -1.3, 0.45);
  if (failures == 0) std::puts("ok");
  return failures != 0;
}
