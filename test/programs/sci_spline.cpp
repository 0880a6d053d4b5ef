// A natural cubic spline through points that are the input, read at fixed places.
#include "compare.hpp"

template <class T> static T f(const T *y, int n) {
  T m[16] = {}, c[16] = {}, d[16] = {};
  for (int i = 1; i < n - 1; ++i) { // tridiagonal 1 4 1
    T rhs = T(6) * (y[i + 1] - T(2) * y[i] + y[i - 1]), w = T(4) - c[i - 1];
    c[i] = T(1) / w;
    d[i] = (rhs - d[i - 1]) / w;
  }
  for (int i = n - 2; i > 0; --i)
    m[i] = d[i] - c[i] * m[i + 1];
  T sum = 0;
  for (double at = 0.3; at < n - 1; at += 0.7) {
    int i = (int)at;
    T t = T(at - i), u = T(1) - t;
    T v = u * y[i] + t * y[i + 1] + ((u * u * u - u) * m[i] + (t * t * t - t) * m[i + 1]) / T(6);
    sum += v * v;
  }
  return sum;
}

int main() {
  compare_at<f<float>, f<double>>("spline", 7, -1, 1);
  return finish();
}
