// SANITIZE: address
// (UBSan puts tests into the primal before the plugin sees it, and with them this program is refused.)
// A struct of two doubles (and two floats) by value as argument and result: complex arithmetic, not inlined.
#include "support.hpp"

template <class T> struct Complex { T re, im; };

template <class T> NOINLINE static Complex<T> multiply(Complex<T> a, Complex<T> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T> NOINLINE static Complex<T> divide(Complex<T> a, Complex<T> b) {
  T r = b.re * b.re + b.im * b.im;
  return {(a.re * b.re + a.im * b.im) / r, (a.im * b.re - a.re * b.im) / r};
}
template <class T> NOINLINE static T norm(Complex<T> a) { return sqrt(a.re * a.re + a.im * a.im); }
template <class T> NOINLINE static Complex<T> choose(Complex<T> a, Complex<T> b) {
  if (norm(a) > norm(b)) return a;
  return {b.im, b.re};
}
template <class T> static T f(const Complex<T>* x, int n) {
  Complex<T> z = {T(1), T(0.5)}, w = x[0];
  for (int i = 0; i < n; ++i) {
    z = multiply(z, x[i]);
    w = divide(choose(w, x[i]), {z.re + T(1.5), z.im});
    z.re += T(0.5);
  }
  return norm(w) + z.re * w.im + norm(z);
}

template <class T> static void run(int argc) {
  constexpr int n = 4;
  T x[2 * n];
  Complex<T> z[n], dz[n] = {};
  double want[2 * n];
  fill(x, 2 * n, 320, -1, 1);
  reference(want, x, 2 * n, [&](auto* p) {
    Complex<std::remove_reference_t<decltype(*p)>> c[n];
    for (int i = 0; i < n; ++i) c[i] = {p[2 * i], p[2 * i + 1]};
    return f(c, n);
  });
  if (argc > 1) return;
  for (int i = 0; i < n; ++i) z[i] = {x[2 * i], x[2 * i + 1]};
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const Complex<T>*)z, dz, enzyme_const, n);
  for (int i = 0; i < n; ++i) {
    check("re", dz[i].re, want[2 * i], kTolerance<T>);
    check("im", dz[i].im, want[2 * i + 1], kTolerance<T>);
  }
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
