// insert and erase in the middle, at the ends and of ranges; pop_back, resize, assign, clear, reserve, shrink.
#include "compare.hpp"
#include <vector>

double f(const double *x, int n) {
  std::vector<double> v;
  v.assign(x, x + n);
  v.insert(v.begin() + 1, x[0] * x[1]);
  v.insert(v.end(), v[1] * v[2]);
  v.erase(v.begin());
  v.insert(v.begin(), x[2]);
  v.insert(v.begin() + 2, x[3] * x[0]);
  v.erase(v.begin() + 2, v.begin() + 4);
  double sum = 0;
  for (std::size_t i = 1; i < v.size(); ++i)
    sum += v[i] * v[i - 1];
  return sum;
}
double sizes(const double *x, int n) {
  std::vector<double> v;
  double sum = 0;
  v.reserve(3);
  for (int round = 0; round < 3; ++round) {
    v.resize(n + round, x[round]);
    for (int i = 0; i < n; ++i)
      v[i] += x[i] * x[(i + round) % n];
    while (v.size() > 2) {
      sum += v.back() * v.front();
      v.pop_back();
    }
    if (round == 1)
      v.clear();
  }
  return sum;
}

int main() {
  compare_at<f>("insert, erase", 5, -1, 1);
  compare_at<sizes>("sizes", 4, -1, 1);
  return finish();
}
