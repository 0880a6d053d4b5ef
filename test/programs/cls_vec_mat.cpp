// SANITIZE: address
// (UBSan puts tests into the primal before the plugin sees it, and with them this program is refused.)
// Fixed-size vectors and matrices: cross products, determinants, inverses, a rotation from two vectors.
#include "compare.hpp"

template <class T> struct Vec3 {
  T v[3];
  T operator[](int i) const { return v[i]; }
  T &operator[](int i) { return v[i]; }
  friend Vec3 cross(const Vec3 &a, const Vec3 &b) {
    return {{a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]}};
  }
  friend T dot(const Vec3 &a, const Vec3 &b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
};
template <class T> struct Mat3 {
  Vec3<T> row[3];
  T det() const { return dot(row[0], cross(row[1], row[2])); }
  Mat3 inverse() const {
    T d = det();
    Mat3 r;
    for (int i = 0; i < 3; ++i) {
      Vec3<T> c = cross(row[(i + 1) % 3], row[(i + 2) % 3]);
      for (int j = 0; j < 3; ++j)
        r.row[j][i] = c[j] / d;
    }
    return r;
  }
  friend Vec3<T> operator*(const Mat3 &m, const Vec3<T> &v) { return {{dot(m.row[0], v), dot(m.row[1], v), dot(m.row[2], v)}}; }
};
template <class T> static T f(const T *x, int) {
  Mat3<T> m;
  for (int i = 0; i < 9; ++i)
    m.row[i / 3][i % 3] = x[i] + T(i % 4 == 0 ? 2 : 0);
  Vec3<T> v = {{x[9], x[10], x[11]}}, w = m.inverse() * v;
  return dot(w, cross(v, m * w)) + m.det() * dot(w, w);
}

int main() {
  compare_at<f<float>, f<double>>("3x3", 12, -0.6, 0.6);
  return finish();
}
