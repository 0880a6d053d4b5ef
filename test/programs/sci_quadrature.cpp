// Simpson, Gauss-Legendre with a constant table, and adaptive Simpson by recursion; the integrand is a lambda with captures.
#include "compare.hpp"

template <class F> static double simpson(F g, double a, double b, int n) {
  double h = (b - a) / n, s = g(a) + g(b);
  for (int i = 1; i < n; ++i)
    s += g(a + i * h) * (i % 2 ? 4 : 2);
  return s * h / 3;
}
template <class F> static double gauss(F g, double a, double b) {
  static constexpr double at[] = {-0.7745966692414834, 0, 0.7745966692414834}, weight[] = {5. / 9, 8. / 9, 5. / 9};
  double s = 0;
  for (int i = 0; i < 3; ++i)
    s += weight[i] * g((a + b) / 2 + at[i] * (b - a) / 2);
  return s * (b - a) / 2;
}
template <class F> static double adaptive(F g, double a, double b, double whole, int depth) {
  double m = (a + b) / 2, left = simpson(g, a, m, 2), right = simpson(g, m, b, 2);
  if (depth == 0 || fabs(left + right - whole) < 1e-6)
    return left + right;
  return adaptive(g, a, m, left, depth - 1) + adaptive(g, m, b, right, depth - 1);
}
double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; ++i) {
    auto g = [p = x[i], q = x[i + 1]](double t) { return exp(-p * t) * sin(q * t); };
    s += simpson(g, 0, x[0], 8) * gauss(g, x[i], 1);
  }
  return s;
}
double by_recursion(const double *x, int) {
  auto g = [&](double t) { return x[0] * t * t + cos(x[1] * t); };
  return adaptive(g, 0, x[2], simpson(g, 0, x[2], 2), 6);
}

int main() {
  compare_at<f>("fixed", 4, 0.4, 0.9);
  double x[] = {0.7, 2.1, 1.3};
  compare<by_recursion>("adaptive", x, 3, 1e-6, 1e-5);
  return finish();
}
