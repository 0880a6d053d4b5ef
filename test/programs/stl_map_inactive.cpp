// std::map and std::unordered_map that hold no differentiated data: names of columns, ids of nodes.
#include "compare.hpp"
#include <map>
#include <unordered_map>

static const std::map<int, int> column = {{10, 2}, {20, 0}, {30, 1}};

double f(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    auto at = column.find(10 * (i % 4));
    if (at == column.end())
      sum += x[i];
    else
      sum += x[i] * x[at->second];
  }
  return sum;
}

int main() {
  compare_at<f>("table", 6, -1, 1);
  return finish();
}
