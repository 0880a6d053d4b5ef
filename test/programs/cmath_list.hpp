// Every function of <cmath> that has a rule: LIST(X) has X(name, expression in x, a point), LIST2(X) has
// X(name, expression in x and y, a point). The expressions hold for float, double and Dual (T).
#pragma once
#include "support.hpp"

using std::lgamma; using std::tgamma; using std::rint; using std::nearbyint; using std::ldexp; using std::fdim;
using std::remainder;

// Names that C++ does not overload.
inline double ten_to(double x) { return __builtin_exp10(x); }
inline float ten_to(float x) { return __builtin_exp10f(x); }
inline double to_even(double x) { return __builtin_roundeven(x); }
inline float to_even(float x) { return __builtin_roundevenf(x); }

// d/dx log|gamma(x)|: the recurrence up to where the asymptotic series of Abramowitz and Stegun, 6.3.18, has all digits.
inline double digamma(double x) {
  double sum = 0;
  for (; x < 12; x += 1) sum -= 1 / x;
  double r = 1 / (x * x);
  return sum + std::log(x) - 0.5 / x - r * (1. / 12 - r * (1. / 120 - r * (1. / 252 - r * (1. / 240 - r / 132))));
}

inline Dual lgamma(Dual x) { return chain(std::lgamma(x.v), digamma(x.v), x); }
inline Dual tgamma(Dual x) { return chain(std::tgamma(x.v), std::tgamma(x.v) * digamma(x.v), x); }
inline Dual ten_to(Dual x) { return chain(ten_to(x.v), ten_to(x.v) * M_LN10, x); }
inline Dual rint(Dual x) { return std::rint(x.v); }
inline Dual nearbyint(Dual x) { return std::nearbyint(x.v); }
inline Dual to_even(Dual x) { return to_even(x.v); }
inline Dual ldexp(Dual x, int n) { return {std::ldexp(x.v, n), std::ldexp(x.d, n)}; }
inline Dual fdim(Dual x, Dual y) { return x.v > y.v ? x - y : Dual(0); }
inline Dual remainder(Dual x, Dual y) {
  double r = std::remainder(x.v, y.v);
  return {r, x.d - std::rint((x.v - r) / y.v) * y.d};
}

#define LIST(X)                                                                                                        \
  X(sin, sin(x), 0.7) X(cos, cos(x), 0.7) X(tan, tan(x), 0.7) X(asin, asin(x), 0.4) X(acos, acos(x), -0.3)              \
  X(atan, atan(x), 1.7) X(sinh, sinh(x), 0.9) X(cosh, cosh(x), -0.8) X(tanh, tanh(x), 0.6) X(asinh, asinh(x), 1.3)      \
  X(acosh, acosh(x), 2.3) X(atanh, atanh(x), 0.35) X(exp, exp(x), 1.1) X(exp2, exp2(x), 1.3) X(expm1, expm1(x), 0.01)   \
  X(log, log(x), 2.2) X(log2, log2(x), 3.1) X(log10, log10(x), 4.4) X(log1p, log1p(x), 0.02) X(sqrt, sqrt(x), 2.6)      \
  X(cbrt, cbrt(x), -1.9) X(fabs_neg, fabs(x) * x, -1.4) X(fabs_pos, fabs(x) * x, 1.4) X(erf, erf(x), 0.5)               \
  X(erfc, erfc(x), 0.8) X(floor, floor(x) * x, 2.3) X(ceil, ceil(x) * x, 2.3) X(trunc, trunc(x) * x, -2.7)              \
  X(round, round(x) * x, 2.7) X(self_power, pow(x, x), 1.6) X(square, pow(x, T(2)), -1.2) X(cube, pow(x, 3), 1.2)      \
  X(root, pow(x, T(0.5)), 1.2) X(base, pow(T(2.5), x), 0.6)                                                            \
  X(lgamma, lgamma(x), 3.3) X(lgamma_neg, lgamma(x), -1.6) X(tgamma, tgamma(x), 2.2) X(exp10, ten_to(x), 0.3)          \
  X(rint, rint(x) * x, 2.7) X(nearbyint, nearbyint(x) * x, -2.7) X(roundeven, to_even(x) * x, 3.6)                      \
  X(ldexp, ldexp(x, 3) * x, 0.8)                                                                                        \
  X(nest, exp(sin(log(x) * tanh(x))) / (T(1) + atan(x)), 1.8)
#define LIST2(X)                                                                                                       \
  X(atan2, atan2(x, y), 0.6, -1.2) X(pow, pow(x, y), 1.7, 2.3) X(hypot, hypot(x, y), 1.2, -0.7)                         \
  X(fmin, fmin(x, y) * x, 1.2, 0.9) X(fmax, fmax(x, y) * y, 1.2, 0.9) X(fmin2, fmin(x * y, x + y), 1.2, 0.9)            \
  X(fmod, fmod(x, y) * y, 7.3, 1.6) X(fmod_neg, fmod(x, y) * x, -7.3, 1.6) X(copysign, copysign(x, y) * x, 1.3, -0.2)   \
  X(fdim, fdim(x, y) * x, 1.7, 0.4) X(fdim_none, fdim(x, y) * x + y, 0.4, 1.7)                                          \
  X(remainder, remainder(x, y) * y, 7.3, 1.6) X(remainder_up, remainder(x, y) * x, 7.9, 1.6)                            \
  X(copysign2, copysign(x, y) * y, -1.3, -0.2) X(fma, fma(x, y, x * x), 1.1, 0.4)
