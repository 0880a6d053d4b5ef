// A root by bisection and one step of Newton, which carries the derivative (the bisection's is piecewise constant).
#include "compare.hpp"

double f(const double *c, int n) {
  auto value = [&](double t) {
    double v = 1;
    for (int i = n - 1; i >= 0; --i)
      v = v * t + c[i];
    return v;
  };
  auto slope = [&](double t) {
    double v = 1, d = 0;
    for (int i = n - 1; i >= 0; --i) {
      d = d * t + v;
      v = v * t + c[i];
    }
    return d;
  };
  double lo = -10, hi = 10;
  for (int k = 0; k < 60; ++k) {
    double mid = (lo + hi) / 2;
    (value(mid) < 0 ? lo : hi) = mid;
  }
  double t = lo - value(lo) / slope(lo);
  return t * t + t;
}

int main() {
  double c[3] = {-2.3, 0.9, 0.4};
  compare<f>("root", c, 3, 1e-6);
  return finish();
}
