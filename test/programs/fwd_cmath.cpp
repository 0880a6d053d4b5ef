// Every function of <cmath> that the library promises, in double and float, one tangent each and in a chain.
#include "forward.hpp"

#define LIST(X)                                                                                                        \
  X(sin, sin(x), 0.7) X(cos, cos(x), 0.7) X(tan, tan(x), 0.7) X(asin, asin(x), 0.4) X(acos, acos(x), -0.3)              \
  X(atan, atan(x), 1.7) X(sinh, sinh(x), 0.9) X(cosh, cosh(x), -0.8) X(tanh, tanh(x), 0.6) X(asinh, asinh(x), 1.3)      \
  X(acosh, acosh(x), 2.3) X(atanh, atanh(x), 0.35) X(exp, exp(x), 1.1) X(exp2, exp2(x), 1.3) X(expm1, expm1(x), 0.01)   \
  X(log, log(x), 2.2) X(log2, log2(x), 3.1) X(log10, log10(x), 4.4) X(log1p, log1p(x), 0.02) X(sqrt, sqrt(x), 2.6)      \
  X(cbrt, cbrt(x), -1.9) X(fabs_neg, fabs(x) * x, -1.4) X(fabs_pos, fabs(x) * x, 1.4) X(erf, erf(x), 0.5)               \
  X(erfc, erfc(x), 0.8) X(floor, floor(x) * x, 2.3) X(ceil, ceil(x) * x, 2.3) X(trunc, trunc(x) * x, -2.7)              \
  X(round, round(x) * x, 2.7) X(self_power, pow(x, x), 1.6) X(square, pow(x, T(2)), -1.2) X(cube, pow(x, T(3)), 1.2)    \
  X(root, pow(x, T(0.5)), 1.2) X(base, pow(T(2.5), x), 0.6)                                                            \
  X(nest, exp(sin(log(x) * tanh(x))) / (T(1) + atan(x)), 1.8)
#define LIST2(X)                                                                                                       \
  X(atan2, atan2(x, y), 0.6, -1.2) X(pow, pow(x, y), 1.7, 2.3) X(hypot, hypot(x, y), 1.2, -0.7)                         \
  X(fmin, fmin(x, y) * x, 1.2, 0.9) X(fmax, fmax(x, y) * y, 1.2, 0.9) X(fmin2, fmin(x * y, x + y), 1.2, 0.9)            \
  X(fmod, fmod(x, y) * y, 7.3, 1.6) X(fmod_neg, fmod(x, y) * x, -7.3, 1.6) X(copysign, copysign(x, y) * x, 1.3, -0.2)   \
  X(copysign2, copysign(x, y) * y, -1.3, -0.2) X(fma, fma(x, y, x * x), 1.1, 0.4)

#define DEFINE(name, expr, at) template <class T> static T one_##name(T x) { return expr; }
#define DEFINE2(name, expr, at, bt) template <class T> static T two_##name(T x, T y) { return expr; }
LIST(DEFINE)
LIST2(DEFINE2)

template <class T> static void run(int argc) {
#define TEST(name, expr, at)                                                                          \
  {                                                                                                   \
    volatile T hidden = T(at);                                                                        \
    T x[1] = {hidden}, dx[1] = {T(1.5)};                                                              \
    auto w = tangent(x, dx, 1, [](auto* p) { return one_##name(p[0]); });                             \
    if (argc == 1) check(#name, __enzyme_fwddiff<T>((void*)one_##name<T>, x[0], dx[0]), w.tangent, kTolerance<T>); \
  }
#define TEST2(name, expr, at, bt)                                                                     \
  {                                                                                                   \
    volatile T hidden = T(at);                                                                        \
    T x[2] = {hidden, T(bt)};                                                                         \
    for (int mask = 1; mask < 4; ++mask) {                                                            \
      T dx[2] = {mask & 1 ? T(0.5) : T(0), mask & 2 ? T(-2) : T(0)};                                  \
      auto w = tangent(x, dx, 2, [](auto* p) { return two_##name(p[0], p[1]); });                     \
      if (argc == 1)                                                                                  \
        check(#name, __enzyme_fwddiff<T>((void*)two_##name<T>, x[0], dx[0], x[1], dx[1]), w.tangent, kTolerance<T>); \
    }                                                                                                 \
  }
  LIST(TEST)
  LIST2(TEST2)
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
