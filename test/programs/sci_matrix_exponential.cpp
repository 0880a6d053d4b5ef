// The matrix exponential by scaling and squaring of a Taylor series, with a small matrix class.
#include "compare.hpp"

template <class T, int N> struct Matrix {
  T a[N][N] = {};
  static Matrix identity() {
    Matrix m;
    for (int i = 0; i < N; ++i)
      m.a[i][i] = T(1);
    return m;
  }
  Matrix operator*(const Matrix &b) const {
    Matrix c;
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j)
        for (int k = 0; k < N; ++k)
          c.a[i][j] += a[i][k] * b.a[k][j];
    return c;
  }
  Matrix operator+(const Matrix &b) const {
    Matrix c = *this;
    for (int i = 0; i < N * N; ++i)
      c.a[i / N][i % N] += b.a[i / N][i % N];
    return c;
  }
  Matrix operator*(T k) const {
    Matrix c = *this;
    for (auto &row : c.a)
      for (T &e : row)
        e *= k;
    return c;
  }
};
template <class T> static T f(const T *x, int n) {
  Matrix<T, 3> m, sum = Matrix<T, 3>::identity(), term = sum;
  for (int i = 0; i < n; ++i)
    m.a[i / 3][i % 3] = x[i] * T(0.25);
  for (int k = 1; k <= 6; ++k) {
    term = term * m * (T(1) / T(k));
    sum = sum + term;
  }
  sum = sum * sum;
  sum = sum * sum;
  return sum.a[0][0] * sum.a[1][2] + sum.a[2][1];
}

int main() {
  compare_at<f<float>, f<double>>("exponential", 9, -1, 1);
  return finish();
}
