// Algorithms that choose: min_element, max_element, minmax, nth_element, clamp, lower_bound in a table of knots.
#include "compare.hpp"
#include <algorithm>

template <class T> static T f(const T *x, int n) {
  T v[16];
  std::copy(x, x + n, v);
  T spread = *std::max_element(v, v + n) - *std::min_element(v, v + n);
  std::nth_element(v, v + n / 2, v + n);
  T median = v[n / 2];
  T sum = spread * median;
  for (int i = 0; i < n; ++i)
    sum += std::clamp(x[i], T(-0.3), T(0.4)) * x[i] + std::max(x[i], median * x[0]) * std::min(x[i], spread);
  return sum;
}
double interpolate(const double *x, int n) {
  static const double knots[] = {-1, -0.5, 0, 0.25, 0.75, 2}, values[] = {1, 3, -2, 0.5, 4, 1};
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    long k = std::lower_bound(knots, knots + 6, x[i]) - knots;
    double t = (x[i] - knots[k - 1]) / (knots[k] - knots[k - 1]);
    sum += (values[k - 1] * (1 - t) + values[k] * t) * t;
  }
  return sum;
}

int main() {
  compare_at<f<float>, f<double>>("select", 7, -1, 1);
  compare_at<interpolate>("interpolate", 5, -0.9, 1.5);
  return finish();
}
