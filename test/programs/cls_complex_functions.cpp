// SANITIZE: address
// (UBSan puts tests into the primal before the plugin sees it, and with them this program is refused.)
// Complex functions written out: exp, the argument and the modulus, polar form and back, a square root.
#include "compare.hpp"

template <class T> struct Complex {
  T re, im;
  friend Complex operator*(Complex a, Complex b) { return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
  friend Complex operator+(Complex a, Complex b) { return {a.re + b.re, a.im + b.im}; }
  T abs() const { return hypot(re, im); }
  T arg() const { return atan2(im, re); }
};
template <class T> static Complex<T> polar(T r, T a) { return {r * cos(a), r * sin(a)}; }
template <class T> static Complex<T> exponential(Complex<T> z) { return polar(exp(z.re), z.im); }
template <class T> static Complex<T> root(Complex<T> z) { return polar(sqrt(z.abs()), z.arg() / T(2)); }
template <class T> static T f(const T *x, int n) {
  Complex<T> s = {T(1), T(0)};
  for (int i = 0; i + 1 < n; ++i) {
    Complex<T> z = {x[i], x[i + 1]};
    s = root(s * exponential(z) + Complex<T>{T(2), T(0.5)});
  }
  return s.re * s.abs() + s.arg();
}

int main() {
  compare_at<f<float>, f<double>>("functions", 5, -1, 1);
  return finish();
}
