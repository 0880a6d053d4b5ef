// std::deque at both ends: a moving window of products.
#include "compare.hpp"
#include <deque>

double f(const double *x, int n) {
  std::deque<double> window;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    window.push_back(x[i] * x[i]);
    if (i % 2)
      window.push_front(x[i]);
    if (window.size() > 3) {
      sum += window.front() * window.back();
      window.pop_front();
    }
    for (std::size_t k = 1; k < window.size(); ++k)
      sum += window[k] * window[k - 1];
  }
  return sum;
}

int main() {
  compare_at<f>("window", 6, -1, 1);
  return finish();
}
