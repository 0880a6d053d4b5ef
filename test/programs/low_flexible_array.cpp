// Flexible array members, variable length arrays, arrays of arrays by pointer, negative strides.
#include "compare.hpp"
#pragma clang diagnostic ignored "-Wvla-cxx-extension"
#pragma clang diagnostic ignored "-Wc99-extensions"

struct Row { int n; double v[]; };
double f(const double *x, int n) {
  Row *row = static_cast<Row *>(std::malloc(sizeof(Row) + n * sizeof(double)));
  row->n = n;
  for (int i = 0; i < row->n; ++i)
    row->v[i] = x[i] * x[0];
  double table[n][2], s = 0;
  for (int i = 0; i < n; ++i) {
    table[i][0] = row->v[n - 1 - i];
    table[i][1] = x[i] + table[i][0];
  }
  double(*last)[2] = table + n - 1;
  for (int i = 0; i < n; ++i, --last)
    s += (*last)[0] * (*last)[1] * (i + 1);
  const double *end = x + n - 1;
  for (int i = 0; i < n; ++i)
    s += end[-i] * row->v[i];
  std::free(row);
  return s;
}

int main() {
  compare_at<f>("arrays", 5, -1, 1);
  return finish();
}
