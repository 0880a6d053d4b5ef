// Dual numbers inside the primal: a Newton iteration whose slope comes from them; a gradient of a derivative.
#include "compare.hpp"

template <class T> struct Inner {
  T v, d;
  friend Inner operator+(Inner a, Inner b) { return {a.v + b.v, a.d + b.d}; }
  friend Inner operator-(Inner a, Inner b) { return {a.v - b.v, a.d - b.d}; }
  friend Inner operator*(Inner a, Inner b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
  friend Inner sine(Inner a) { return {sin(a.v), cos(a.v) * a.d}; }
};
template <class T, class F> static T root(F g, T at) {
  for (int k = 0; k < 8; ++k) {
    Inner<T> y = g(Inner<T>{at, T(1)});
    at -= y.v / y.d;
  }
  return at;
}
template <class T> static T f(const T *x, int n) {
  T s = 0;
  for (int i = 0; i < n; ++i) {
    auto g = [&](auto t) { return t * t * t + Inner<T>{x[i], T(0)} * t - sine(t) - Inner<T>{T(2), T(0)}; };
    T r = root(g, T(1.2));
    s += r * r + g(Inner<T>{x[i], T(1)}).d;
  }
  return s;
}

int main() {
  compare_at<f<double>>("newton", 4, 0.2, 1);
  return finish();
}
