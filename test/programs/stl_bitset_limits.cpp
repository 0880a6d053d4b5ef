// std::bitset, numeric_limits, clamp, midpoint, lerp, hypot of three, exchange: small things of the library.
#include "compare.hpp"
#include <bitset>
#include <limits>
#include <utility>

double f(const double *x, int n) {
  std::bitset<8> on;
  double least = std::numeric_limits<double>::max(), s = 0;
  for (int i = 0; i < n; ++i) {
    on[i] = x[i] > 0;
    least = std::fmin(least, x[i]);
    double before = std::exchange(s, s * x[i] + 1);
    s += std::lerp(before, x[i], 0.25) * std::hypot(x[i], x[0], 1.0);
  }
  return s * double(on.count() + 1) + least;
}

int main() {
  compare_at<f>("small things", 6, -1, 1);
  return finish();
}
