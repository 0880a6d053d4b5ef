// std::ranges and views: transform, take, reverse, iota; ranges::sort with a projection.
#include "compare.hpp"
#include <algorithm>
#include <ranges>
#include <span>

double f(const double *x, int n) {
  std::span<const double> all(x, n);
  double sum = 0;
  for (double v : all | std::views::transform([](double e) { return e * e; }) | std::views::take(3))
    sum += v * x[0];
  for (double v : all | std::views::reverse | std::views::drop(1))
    sum = sum * 0.5 + v * v;
  for (int i : std::views::iota(0, n))
    sum += x[i] * x[n - 1 - i];
  double copy[8];
  std::ranges::copy(all, copy);
  std::ranges::sort(copy, copy + n, {}, [](double v) { return -v; });
  return sum * copy[0] + copy[1] * copy[n - 1];
}

int main() {
  compare_at<f>("ranges", 5, -1, 1);
  return finish();
}
