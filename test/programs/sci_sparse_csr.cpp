// A sparse matrix in compressed rows, built from triplets, times a vector and transposed; power of it; its own values differentiated.
#include "compare.hpp"

template <class T> struct Csr {
  int rows, start[9], column[32];
  T value[32];
  void times(const T *v, T *out) const {
    for (int i = 0; i < rows; ++i) {
      out[i] = 0;
      for (int k = start[i]; k < start[i + 1]; ++k)
        out[i] += value[k] * v[column[k]];
    }
  }
  void transposed(const T *v, T *out) const {
    for (int i = 0; i < rows; ++i)
      out[i] = 0;
    for (int i = 0; i < rows; ++i)
      for (int k = start[i]; k < start[i + 1]; ++k)
        out[column[k]] += value[k] * v[i];
  }
};
template <class T> static T f(const T *x, int n) {
  Csr<T> m;
  m.rows = 5;
  int used = 0;
  for (int i = 0; i < m.rows; ++i) {
    m.start[i] = used;
    for (int j = i % 2; j < m.rows; j += 2) {
      m.column[used] = j;
      m.value[used] = x[used % n] + T(i == j);
      ++used;
    }
  }
  m.start[m.rows] = used;
  T v[8], w[8], s = 0;
  for (int i = 0; i < m.rows; ++i)
    v[i] = x[i] * x[0];
  for (int k = 0; k < 3; ++k) {
    m.times(v, w);
    m.transposed(w, v);
  }
  for (int i = 0; i < m.rows; ++i)
    s += v[i] * T(i + 1);
  return s;
}

int main() {
  compare_at<f<float>, f<double>>("csr", 9, -0.5, 0.5);
  return finish();
}
