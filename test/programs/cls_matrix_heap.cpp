// A matrix class that owns its memory: rule of five, operators that return by value, moved temporaries.
#include "compare.hpp"

template <class T> class Matrix {
public:
  Matrix(int r, int c) : rows(r), cols(c), data(new T[r * c]()) {}
  Matrix(const Matrix &o) : Matrix(o.rows, o.cols) {
    for (int i = 0; i < rows * cols; ++i)
      data[i] = o.data[i];
  }
  Matrix(Matrix &&o) : rows(o.rows), cols(o.cols), data(o.data) { o.data = nullptr; }
  Matrix &operator=(Matrix o) {
    std::swap(rows, o.rows);
    std::swap(cols, o.cols);
    std::swap(data, o.data);
    return *this;
  }
  ~Matrix() { delete[] data; }
  T &operator()(int i, int j) { return data[i * cols + j]; }
  T operator()(int i, int j) const { return data[i * cols + j]; }
  friend Matrix operator*(const Matrix &a, const Matrix &b) {
    Matrix c(a.rows, b.cols);
    for (int i = 0; i < a.rows; ++i)
      for (int j = 0; j < b.cols; ++j)
        for (int k = 0; k < a.cols; ++k)
          c(i, j) += a(i, k) * b(k, j);
    return c;
  }
  Matrix transposed() const {
    Matrix t(cols, rows);
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < cols; ++j)
        t(j, i) = (*this)(i, j);
    return t;
  }
  int rows, cols;
  T *data;
};
template <class T> static T f(const T *x, int n) {
  Matrix<T> a(2, n / 2), b = a;
  for (int i = 0; i < n; ++i)
    a.data[i] = x[i];
  b = a.transposed();
  Matrix<T> c = a * b;
  for (int k = 0; k < 2; ++k)
    c = c * c;
  return c(0, 0) + c(0, 1) * c(1, 0);
}

int main() {
  compare_at<f<float>, f<double>>("matrix", 6, -0.7, 0.7);
  return finish();
}
