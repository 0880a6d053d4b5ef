// LU with partial pivoting over row pointers that change places; determinant with its sign, and a solve.
#include "compare.hpp"

double f(const double *x, int n) {
  double store[4][4], *row[4], b[4] = {1, -2, 0.5, 3}, sign = 1;
  for (int i = 0; i < 4; ++i) {
    row[i] = store[i];
    for (int j = 0; j < 4; ++j)
      row[i][j] = x[(4 * i + j) % n] * (1 + 0.1 * i);
  }
  int at[4] = {0, 1, 2, 3};
  for (int k = 0; k < 4; ++k) {
    int best = k;
    for (int i = k + 1; i < 4; ++i)
      if (fabs(row[i][k]) > fabs(row[best][k]))
        best = i;
    if (best != k) {
      std::swap(row[k], row[best]);
      std::swap(at[k], at[best]);
      sign = -sign;
    }
    for (int i = k + 1; i < 4; ++i) {
      row[i][k] /= row[k][k];
      for (int j = k + 1; j < 4; ++j)
        row[i][j] -= row[i][k] * row[k][j];
    }
  }
  double y[4], det = sign;
  for (int i = 0; i < 4; ++i) {
    y[i] = b[at[i]];
    for (int j = 0; j < i; ++j)
      y[i] -= row[i][j] * y[j];
    det *= row[i][i];
  }
  for (int i = 3; i >= 0; --i) {
    for (int j = i + 1; j < 4; ++j)
      y[i] -= row[i][j] * y[j];
    y[i] /= row[i][i];
  }
  return det + y[0] * y[3] + y[1] - y[2];
}

int main() {
  double x[16];
  fill(x, 16, 8, -1, 1);
  compare<f>("lu", x, 16, 1e-6, 1e-4);
  return finish();
}
