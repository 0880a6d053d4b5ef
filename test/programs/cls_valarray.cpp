// std::valarray: arithmetic, functions, slices, sum; expressions of it are not made until they are assigned.
#include "compare.hpp"
#include <valarray>

double f(const double *x, int n) {
  std::valarray<double> a(x, n), b = a * a + 1.0, c(0.5, n);
  c += sin(a) * b;
  c[std::slice(0, n / 2, 2)] *= std::valarray<double>(a[std::slice(0, n / 2, 1)]);
  std::valarray<double> d = c.shift(1) + a.cshift(2);
  return (d * b).sum() * a[0] + c.max();
}

int main() {
  compare_at<f>("valarray", 6, -1, 1);
  return finish();
}
