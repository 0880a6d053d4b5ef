// LEVELS: O0 O2 fast
// All chains of modes up to three deep, for every kind of function of <cmath>.
#include "nest.hpp"

#define EACH(X)                                                                                                         \
  X(sines, sin(x) * cos(x * x)) X(tangent, tan(x) * x) X(arcs, asin(x * 0.5) + acos(x * x * 0.5) * atan(x))              \
  X(hyper, sinh(x) * tanh(x) + cosh(x * 0.5)) X(area, asinh(x) * acosh(x + 1.5) + atanh(x * 0.5))                        \
  X(exps, exp(x) * x + exp2(x * x) + expm1(x * 0.5)) X(logs, log(x) * x + log2(x) * log10(x) + log1p(x * x))             \
  X(roots, sqrt(x) * cbrt(x + 0.3)) X(powers, pow(x, T(2.5)) + pow(T(1.7), x) + pow(x, x))                               \
  X(errors, erf(x) * x + erfc(x * x)) X(lengths, hypot(x, x * x) * atan2(x, x + 1.0) + fma(x, x * x, x))                 \
  X(choices, fabs(x - 2.0) * x * x + fmax(x * x * x, x * 0.2) * fmin(x * x, x + 1.0) + floor(x) * x)                     \
  X(quotient, x / (x * x + 1.0) / x * x)
#define DEFINE(f, e)                                                                                                    \
  template <class T> static T f(T x) { return e; }
EACH(DEFINE)

// The same source where the argument of each function is stored and loaded, and behind calls.
template <class T> NOINLINE static T square(T x) { return x * x; }
template <class T> NOINLINE static void twice(T* x) { *x = *x * *x + sin(*x); }
template <class T> static T called(T x) {
  T y = square(x) * x;
  twice(&y);
  return square(y) + x;
}

int main(int argc, char**) {
  double want[3], x = 0.7 + argc * 0.01;
#define TEST(f, e)                                                                                                      \
  derivatives(want, x, [](auto p) { return f(p); });                                                                    \
  check_chains<&f<double>>(#f, x, want);
  EACH(TEST)
  TEST(called, )
  double q = x;
  derivatives(want, q, [](auto p) { return exps(p); });
  check("tapefree RF", TF1<TR1<exps<double>>>(q), want[1]);
  check("tapefree FR", TR1<TF1<exps<double>>>(q), want[1]);
  check("mixed spellings", TR1<F1<R1<exps<double>>>>(q), want[2]);
  return finish();
}
