// Bezier curves by de Casteljau and by Bernstein polynomials; the length of a curve by its pieces.
#include "compare.hpp"

template <class T> static T casteljau(const T *p, int n, T t) {
  T v[8];
  for (int i = 0; i < n; ++i)
    v[i] = p[i];
  for (int k = n - 1; k > 0; --k)
    for (int i = 0; i < k; ++i)
      v[i] = v[i] * (T(1) - t) + v[i + 1] * t;
  return v[0];
}
template <class T> static T bernstein(const T *p, int n, T t) {
  T s = 0, binomial = 1;
  for (int i = 0; i < n; ++i) {
    s += binomial * pow(t, i) * pow(T(1) - t, n - 1 - i) * p[i];
    binomial = binomial * T(n - 1 - i) / T(i + 1);
  }
  return s;
}
template <class T> static T f(const T *x, int n) {
  T length = 0, lx = x[0], ly = x[n / 2];
  for (int k = 1; k <= 6; ++k) {
    T t = T(k) / T(7), px = casteljau(x, n / 2, t), py = bernstein(x + n / 2, n - n / 2, t);
    length += hypot(px - lx, py - ly);
    lx = px, ly = py;
  }
  return length;
}

int main() {
  compare_at<f<float>, f<double>>("bezier", 8, -1, 1);
  return finish();
}
