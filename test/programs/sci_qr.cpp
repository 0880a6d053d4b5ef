// QR by Householder reflections and by Givens rotations: the logarithm of |det R| and a least-squares solution.
#include "compare.hpp"

static void read(double a[4][3], const double *x) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j)
      a[i][j] = x[3 * i + j] + (i == j ? 2 : 0);
}
double householder(const double *x, int) {
  double a[4][3], b[4] = {1, 2, 3, 4};
  read(a, x);
  for (int k = 0; k < 3; ++k) {
    double norm = 0, v[4];
    for (int i = k; i < 4; ++i)
      norm += a[i][k] * a[i][k];
    norm = sqrt(norm);
    double alpha = a[k][k] > 0 ? -norm : norm, vv = 0;
    for (int i = k; i < 4; ++i) {
      v[i] = a[i][k] - (i == k ? alpha : 0);
      vv += v[i] * v[i];
    }
    for (int j = k; j <= 3; ++j) {
      double dot = 0;
      for (int i = k; i < 4; ++i)
        dot += v[i] * (j < 3 ? a[i][j] : b[i]);
      for (int i = k; i < 4; ++i)
        (j < 3 ? a[i][j] : b[i]) -= 2 * dot / vv * v[i];
    }
  }
  double s = 0;
  for (int k = 2; k >= 0; --k) {
    for (int j = k + 1; j < 3; ++j)
      b[k] -= a[k][j] * b[j];
    b[k] /= a[k][k];
    s += b[k] * b[k] + log(fabs(a[k][k]));
  }
  return s;
}
double givens(const double *x, int) {
  double a[4][3], s = 0;
  read(a, x);
  for (int j = 0; j < 3; ++j)
    for (int i = j + 1; i < 4; ++i) {
      double r = hypot(a[j][j], a[i][j]), c = a[j][j] / r, t = a[i][j] / r;
      for (int k = j; k < 3; ++k) {
        double up = c * a[j][k] + t * a[i][k];
        a[i][k] = c * a[i][k] - t * a[j][k];
        a[j][k] = up;
      }
    }
  for (int k = 0; k < 3; ++k)
    s += log(fabs(a[k][k])) * (k + 1) + a[0][k] * a[1][2];
  return s;
}

int main() {
  compare_at<householder>("householder", 12, -0.5, 0.5);
  compare_at<givens>("givens", 12, -0.5, 0.5);
  return finish();
}
