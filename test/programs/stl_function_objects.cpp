// Function objects of the library: plus, multiplies, negate, compositions in transform_reduce and accumulate; not1-like lambdas.
#include "compare.hpp"
#include <functional>
#include <numeric>

double f(const double *x, int n) {
  double scaled[8];
  std::transform(x, x + n, scaled, std::negate<double>());
  double p = std::accumulate(scaled, scaled + n, 1.0, std::multiplies<>());
  double t = std::transform_reduce(x, x + n, scaled, 0.5, std::plus<>(), std::multiplies<>());
  double sums[8];
  std::inclusive_scan(x, x + n, sums, std::plus<>(), x[0]);
  std::exclusive_scan(sums, sums + n, scaled, 1.0, std::multiplies<>());
  return p * t + sums[n - 1] * scaled[n - 1];
}

int main() {
  compare_at<f>("functors", 5, -1, 1);
  return finish();
}
