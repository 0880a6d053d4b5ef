// A store through (c ? a : b) into one of two local numbers, of which only one is read again.
#include <cmath>
#include <cstdio>
#include <tapefree/abi.h>

double f(double a, double b, const double *x, int n) {
  a = 0.5 * (a - x[n % 2]);
  (n % 3 == 1 ? a : b) = std::sin(x[0] + a);
  return std::tanh(x[1] - b);
}
struct Gradient {
  double a, b;
};
int main() {
  int failures = 0;
  for (int n = 0; n < 2; ++n) {
    double x[] = {0.3, 0.2}, dx[] = {0, 0}, a = 0.7, b = 0.4;
    Gradient g = __tapefree_autodiff<Gradient>((void *)f, a, b, x, dx, n);
    double t[] = {0, 0};
    double da = __tapefree_fwddiff<double>((void *)f, a, 1.0, b, 0.0, x, t, n);
    double c = x[0] + 0.5 * (a - x[n]), last = n == 1 ? b : std::sin(c);
    double slope = 1 - std::tanh(x[1] - last) * std::tanh(x[1] - last);
    double wantA = n == 1 ? 0 : -slope * std::cos(c) * 0.5, wantB = n == 1 ? -slope : 0;
    failures += std::fabs(g.a - wantA) > 1e-12 || std::fabs(g.b - wantB) > 1e-12 || std::fabs(da - wantA) > 1e-12;
    failures += std::fabs(dx[1] - slope) > 1e-12 || std::fabs(dx[0] - wantA) > 1e-12;
  }
  std::puts(failures ? "FAIL" : "ok");
  return failures != 0;
}
