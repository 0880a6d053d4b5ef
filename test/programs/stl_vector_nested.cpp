// A vector of vectors as a matrix: products, a transpose, rows of different lengths.
#include "compare.hpp"
#include <vector>

typedef std::vector<std::vector<double>> Matrix;
static Matrix product(const Matrix &a, const Matrix &b) {
  Matrix c(a.size(), std::vector<double>(b[0].size()));
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t j = 0; j < b[0].size(); ++j)
      for (std::size_t k = 0; k < b.size(); ++k)
        c[i][j] += a[i][k] * b[k][j];
  return c;
}
double f(const double *x, int n) {
  int rows = n / 3;
  Matrix a(rows, std::vector<double>(3)), t(3, std::vector<double>(rows));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < 3; ++j)
      t[j][i] = a[i][j] = x[3 * i + j];
  Matrix s = product(a, t);
  s = product(s, s);
  double trace = 0;
  for (std::size_t i = 0; i < s.size(); ++i)
    trace += s[i][i];
  return trace;
}
double ragged(const double *x, int n) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < n; ++i) {
    rows.push_back({});
    for (int j = 0; j <= i; ++j)
      rows[i].push_back(x[i] * x[j]);
  }
  double sum = 0;
  for (const auto &r : rows)
    for (double v : r)
      sum += v * r[0];
  return sum;
}

int main() {
  compare_at<f>("product", 6, -1, 1);
  compare_at<ragged>("ragged", 4, -1, 1);
  return finish();
}
