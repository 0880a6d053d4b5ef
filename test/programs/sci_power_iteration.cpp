// The largest eigenvalue of a symmetric matrix by power iteration, until it changes no more.
#include "compare.hpp"

double f(const double *x, int n) {
  double a[4][4], v[4] = {1, 0.5, 0.25, 0.125}, last = 0, value = 1;
  for (int i = 0, k = 0; i < 4; ++i)
    for (int j = 0; j <= i; ++j, ++k)
      a[i][j] = a[j][i] = x[k % n] + (i == j ? 4.0 * (4 - i) : 0);
  while (fabs(value - last) > 1e-14) {
    double w[4], norm = 0;
    for (int i = 0; i < 4; ++i) {
      w[i] = 0;
      for (int j = 0; j < 4; ++j)
        w[i] += a[i][j] * v[j];
      norm += w[i] * w[i];
    }
    last = value;
    value = sqrt(norm);
    for (int i = 0; i < 4; ++i)
      v[i] = w[i] / value;
  }
  return value;
}

int main() {
  double x[10];
  fill(x, 10, 1, -0.3, 0.3);
  compare<f>("eigenvalue", x, 10, 1e-6);
  return finish();
}
