// NOFASTMATH
// Infinities and NaNs where they belong and nowhere else: guarded poles, zero times infinity, unused NaNs, huge scales.
#include "support.hpp"

static double guarded(double x) { return x != 0 ? sin(x) / x : 1.0; }
static double guarded_log(double x, double y) { return y + (x > 0 ? x * log(x) : 0.0); }
static double wasted(double x) {
  double unused = sqrt(-1 - x * x);
  return x * x + (unused > 0 ? unused : x);
}
static double pole(double x) { return 1 / x; }
static double clipped(double x) { return fmin(exp(x), 1e300); }
static double huge(double x) { return (x * 1e200) * (x * 1e-200) * x; }
static double norm(const double* x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += x[i] * x[i];
  return s > 0 ? sqrt(s) : 0;
}

struct Pair { double a, b; };

int main(int argc, char**) {
  if (argc > 1) return finish();
  volatile double zero = 0, three = 3, inf = INFINITY;
  check("sin x / x at 0", __enzyme_autodiff<double>((void*)guarded, (double)zero), 0, 0);
  check("sin x / x at 3", __enzyme_autodiff<double>((void*)guarded, (double)three), (3 * std::cos(3.0) - std::sin(3.0)) / 9);
  Pair g = __tapefree_autodiff<Pair>((void*)guarded_log, (double)zero, (double)three);
  check("x log x at 0", g.a, 0, 0);
  check("y", g.b, 1, 0);
  check("unused NaN", __enzyme_autodiff<double>((void*)wasted, (double)three), 7);
  double at_pole = __enzyme_autodiff<double>((void*)pole, (double)zero);
  check_true("pole", std::isinf(at_pole) && at_pole < 0);
  check("far away", __enzyme_autodiff<double>((void*)pole, (double)inf), 0, 0);
  check("clipped", __enzyme_autodiff<double>((void*)clipped, 1000.0), 0, 0);
  check("scales", __enzyme_autodiff<double>((void*)huge, (double)three), 27, 1e-12);
  double x[3] = {0, 0, 0}, dx[3] = {0, 0, 0};
  __enzyme_autodiff<void>((void*)norm, enzyme_dup, (const double*)x, dx, enzyme_const, 3);
  for (double d : dx) check("norm of nothing", d, 0, 0);
  x[1] = -2;
  __enzyme_autodiff<void>((void*)norm, enzyme_dup, (const double*)x, dx, enzyme_const, 3);
  check("norm", dx[1], -1);
  x[0] = NAN;
  __enzyme_autodiff<void>((void*)norm, enzyme_dup, (const double*)x, dx, enzyme_const, 3);
  check("NaN input takes the other branch", dx[1], -1);
  return finish();
}
