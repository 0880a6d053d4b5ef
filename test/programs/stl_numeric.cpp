// <numeric>: accumulate, inner_product, partial_sum, adjacent_difference, iota, reduce.
#include "compare.hpp"
#include <numeric>

template <class T> static T f(const T *x, int n) {
  T sums[8], steps[8];
  int order[8];
  std::iota(order, order + n, 1);
  std::partial_sum(x, x + n, sums);
  std::adjacent_difference(sums, sums + n, steps, [](T a, T b) { return a * b; });
  T product = std::accumulate(x, x + n, T(1), [](T a, T b) { return a * b + T(0.5); });
  T dot = std::inner_product(sums, sums + n, steps, T(0));
  return product * dot + std::accumulate(steps, steps + n, T(0)) * T(order[n - 1]);
}

int main() {
  compare_at<f<float>, f<double>>("numeric", 6, -1, 1);
  return finish();
}
