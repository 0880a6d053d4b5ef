// std::sort and std::stable_sort with a comparator, of numbers and of structs; the order decides the weights.
#include "compare.hpp"
#include <algorithm>

struct Item {
  double key, value;
  int id;
};
struct ByKey {
  bool operator()(const Item &a, const Item &b) const { return a.key < b.key; }
};
double numbers(const double *x, int n) {
  double v[16];
  std::copy(x, x + n, v);
  std::sort(v, v + n, [](double a, double b) { return a > b; });
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += v[i] * v[i] * (i + 1);
  return sum;
}
double items(const double *x, int n) {
  Item it[16];
  for (int i = 0; i < n; ++i)
    it[i] = {sin(9 * x[i]), x[i] * x[0], i};
  std::sort(it, it + n, ByKey());
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += it[i].value * it[i].key * (i + 1) * it[i].id;
  return sum;
}

int main() {
  compare_at<numbers>("numbers", 7, -1, 1);
  double x[5] = {0.1, 0.35, -0.15, 0.5, 0.61};
  compare<items>("items", x, 5, 1e-7, 1e-4);
  return finish();
}
