// Unions: a vector by name and by index, a struct against an array, a tagged union whose number is read by its tag.
#include "compare.hpp"

template <class T> union Vec3 {
  struct { T x, y, z; } at;
  T e[3];
};
template <class T> struct Tagged {
  int tag;
  union { T number; int whole; } as;
};
template <class T> static T f(const T *x, int n) {
  T s = 0;
  for (int i = 0; i + 2 < n; ++i) {
    Vec3<T> v;
    for (int k = 0; k < 3; ++k)
      v.e[k] = x[i + k];
    v.at.y *= v.at.x;
    Vec3<T> w = v;
    w.e[i % 3] += w.at.z * T(0.5);
    s += w.e[0] * w.at.y + w.e[2];
  }
  Tagged<T> list[4];
  for (int i = 0; i < 4; ++i) {
    list[i].tag = i % 2;
    if (i % 2)
      list[i].as.number = x[i] * x[0];
    else
      list[i].as.whole = i;
  }
  for (const auto &t : list)
    s += t.tag ? t.as.number * t.as.number : T(t.as.whole);
  return s;
}

int main() {
  compare_at<f<float>, f<double>>("unions", 6, -1, 1);
  return finish();
}
