// jet.cpp: the functions of Jet, each with its first and second derivative written out. jet_test.cpp checks them.
#include "jet.hpp"

double jet_noise = 0;

namespace {
unsigned long noise_state = 1;

double noise(double unit) { // a random number in ±unit·jet_noise
  noise_state = noise_state * 6364136223846793005u + 1442695040888963407u;
  return ((double)(noise_state >> 33) / 1073741824.0 - 1) * unit * jet_noise;
}

template <class V> Jet<V> rounded(V v, double a, double b, double ab) {
  if (jet_noise == 0) return {v, a, b, ab};
  const double unit = sizeof(V) == 4 ? 6e-8 : 1.1e-16;
  return {V(v * (1 + noise(unit))), a * (1 + noise(unit)), b * (1 + noise(unit)), ab * (1 + noise(unit))};
}

// f(x) with value f, slope f1 and curvature f2; an infinite slope times a zero tangent is zero, as in the plugin.
double times(double slope, double tangent) { return tangent == 0 ? 0 : slope * tangent; }
template <class V> Jet<V> chain(const Jet<V> &x, V f, double f1, double f2) {
  return rounded<V>(f, times(f1, x.a), times(f1, x.b), times(f1, x.ab) + times(f2, x.a * x.b));
}
template <class V>
Jet<V> chain(const Jet<V> &x, const Jet<V> &y, V f, double fx, double fy, double fxx, double fxy, double fyy) {
  return rounded<V>(f, times(fx, x.a) + times(fy, y.a), times(fx, x.b) + times(fy, y.b),
                    times(fx, x.ab) + times(fy, y.ab) + times(fxx, x.a * x.b) + times(fyy, y.a * y.b) +
                        times(fxy, x.a * y.b + x.b * y.a));
}
template <class V> Jet<V> exactly(const Jet<V> &x, double sign) { // ±x, without rounding
  return {V(sign * x.v), sign * x.a, sign * x.b, sign * x.ab};
}

double digamma(double x) {
  double sum = 0;
  for (; x < 12; ++x) sum -= 1 / x;
  const double q = 1 / (x * x);
  return sum + std::log(x) - 0.5 / x - q * (1 / 12. - q * (1 / 120. - q * (1 / 252. - q * (1 / 240. - q / 132))));
}
double trigamma(double x) {
  double sum = 0;
  for (; x < 12; ++x) sum += 1 / (x * x);
  const double q = 1 / (x * x);
  return sum + 1 / x + q / 2 + q / x * (1 / 6. - q * (1 / 30. - q * (1 / 42. - q * (1 / 30. - q * 5 / 66))));
}
} // namespace

void jet_noise_seed(unsigned seed) { noise_state = seed * 2862933555777941757u + 3037000493u; }

template <> template <> Jet<float>::Jet(const Jet<double> &x) {
  const Jet<float> r = rounded<float>(float(x.v), x.a, x.b, x.ab);
  *this = r;
}
template <> template <> Jet<double>::Jet(const Jet<float> &x) : v(x.v), a(x.a), b(x.b), ab(x.ab) {}

// One line a function: its value in V, then slope and curvature in double, of x (the argument as a double).
#define UNARY(name, slope, curvature)                                                                                  \
  template <class V> Jet<V> name(const Jet<V> &jet) {                                                                  \
    const double x = jet.v;                                                                                            \
    (void)x;                                                                                                           \
    return chain<V>(jet, name(jet.v), slope, curvature);                                                               \
  }
namespace {
double cube(double x) { return x * x * x; }
double square(double x) { return x * x; }
const double ln2 = M_LN2, ln10 = M_LN10, bell = M_2_SQRTPI;
} // namespace
UNARY(sin, std::cos(x), -std::sin(x))
UNARY(cos, -std::sin(x), -std::cos(x))
UNARY(tan, 1 + square(std::tan(x)), 2 * std::tan(x) * (1 + square(std::tan(x))))
UNARY(asin, 1 / std::sqrt(1 - x * x), x / cube(std::sqrt(1 - x * x)))
UNARY(acos, -1 / std::sqrt(1 - x * x), -x / cube(std::sqrt(1 - x * x)))
UNARY(atan, 1 / (1 + x * x), -2 * x / square(1 + x * x))
UNARY(sinh, std::cosh(x), std::sinh(x))
UNARY(cosh, std::sinh(x), std::cosh(x))
UNARY(tanh, 1 / square(std::cosh(x)), -2 * std::tanh(x) / square(std::cosh(x)))
UNARY(asinh, 1 / std::sqrt(x * x + 1), -x / cube(std::sqrt(x * x + 1)))
UNARY(acosh, 1 / std::sqrt(x * x - 1), -x / cube(std::sqrt(x * x - 1)))
UNARY(atanh, 1 / (1 - x * x), 2 * x / square(1 - x * x))
UNARY(exp, std::exp(x), std::exp(x))
UNARY(exp2, ln2 *std::exp2(x), ln2 *ln2 *std::exp2(x))
UNARY(exp10, ln10 *std::pow(10, x), ln10 *ln10 *std::pow(10, x))
UNARY(expm1, std::exp(x), std::exp(x))
UNARY(log, 1 / x, -1 / (x * x))
UNARY(log2, 1 / (x * ln2), -1 / (x * x * ln2))
UNARY(log10, 1 / (x * ln10), -1 / (x * x * ln10))
UNARY(log1p, 1 / (1 + x), -1 / square(1 + x))
UNARY(sqrt, 0.5 / std::sqrt(x), -0.25 / cube(std::sqrt(x)))
UNARY(cbrt, 1 / (3 * square(std::cbrt(x))), -2 / (9 * x * square(std::cbrt(x))))
UNARY(erf, bell *std::exp(-x * x), -2 * x * bell * std::exp(-x * x))
UNARY(erfc, -bell *std::exp(-x * x), 2 * x * bell * std::exp(-x * x))
UNARY(lgamma, digamma(x), trigamma(x))
UNARY(tgamma, std::tgamma(x) * digamma(x), std::tgamma(x) * (square(digamma(x)) + trigamma(x)))
UNARY(floor, 0, 0)
UNARY(ceil, 0, 0)
UNARY(trunc, 0, 0)
UNARY(round, 0, 0)
UNARY(rint, 0, 0)
UNARY(nearbyint, 0, 0)
UNARY(roundeven, 0, 0)
template <class V> Jet<V> operator-(const Jet<V> &x) { return exactly(x, -1); }
template <class V> Jet<V> fabs(const Jet<V> &x) {
  return x.v == 0 ? Jet<V>(V(0)) : exactly(x, std::signbit(x.v) ? -1 : 1);
}

// The same for two arguments: slopes in x and y, then the curvatures xx, xy, yy.
#define BINARY(name, value, fx, fy, fxx, fxy, fyy)                                                                     \
  template <class V> Jet<V> name(const Jet<V> &jx, const Jet<V> &jy) {                                                 \
    const double x = jx.v, y = jy.v;                                                                                   \
    (void)x, (void)y;                                                                                                  \
    return chain<V>(jx, jy, V(value), fx, fy, fxx, fxy, fyy);                                                          \
  }
BINARY(operator+, jx.v + jy.v, 1, 1, 0, 0, 0)
BINARY(operator-, jx.v - jy.v, 1, -1, 0, 0, 0)
BINARY(operator*, jx.v *jy.v, y, x, 0, 1, 0)
BINARY(operator/, jx.v / jy.v, 1 / y, -x / (y * y), 0, -1 / (y * y), 2 * x / cube(y))
BINARY(atan2, std::atan2(jx.v, jy.v), y / (x * x + y * y), -x / (x * x + y * y), -2 * x * y / square(x * x + y * y),
       (x * x - y * y) / square(x * x + y * y), 2 * x * y / square(x * x + y * y))
BINARY(hypot, std::hypot(jx.v, jy.v), x / std::hypot(x, y), y / std::hypot(x, y), y *y / cube(std::hypot(x, y)),
       -x *y / cube(std::hypot(x, y)), x *x / cube(std::hypot(x, y)))
BINARY(pow, std::pow(jx.v, jy.v), y *std::pow(x, y - 1), x <= 0 ? 0 : std::pow(x, y) * std::log(x),
       y *(y - 1) * std::pow(x, y - 2), x <= 0 ? 0 : std::pow(x, y - 1) * (1 + y * std::log(x)),
       x <= 0 ? 0 : std::pow(x, y) * square(std::log(x)))
BINARY(fmod, std::fmod(jx.v, jy.v), 1, -std::trunc(x / y), 0, 0, 0)
BINARY(remainder, std::remainder(jx.v, jy.v), 1, -std::rint(x / y), 0, 0, 0)
template <class V> Jet<V> fmin(const Jet<V> &x, const Jet<V> &y) { return x.v <= y.v ? x : y; }
template <class V> Jet<V> fmax(const Jet<V> &x, const Jet<V> &y) { return x.v >= y.v ? x : y; }
template <class V> Jet<V> fdim(const Jet<V> &x, const Jet<V> &y) { return x.v > y.v ? x - y : Jet<V>(V(0)); }
template <class V> Jet<V> copysign(const Jet<V> &x, const Jet<V> &y) {
  if (x.v == 0) return Jet<V>(std::copysign(x.v, y.v));
  return exactly(x, std::signbit(x.v) == std::signbit(y.v) ? 1 : -1);
}
template <class V> Jet<V> fma(const Jet<V> &x, const Jet<V> &y, const Jet<V> &z) {
  return rounded<V>(std::fma(x.v, y.v, z.v), x.a * y.v + x.v * y.a + z.a, x.b * y.v + x.v * y.b + z.b,
                    x.ab * y.v + x.v * y.ab + x.a * y.b + x.b * y.a + z.ab);
}
template <class V> Jet<V> ldexp(const Jet<V> &x, int n) {
  return {std::ldexp(x.v, n), std::ldexp(x.a, n), std::ldexp(x.b, n), std::ldexp(x.ab, n)};
}
template <class V> Jet<V> powi(const Jet<V> &x, int n) {
  const double v = x.v;
  return chain<V>(x, powi(x.v, n), n == 0 ? 0 : n * std::pow(v, n - 1),
                  n == 0 || n == 1 ? 0 : n * (n - 1.0) * std::pow(v, n - 2));
}

#define X(name)                                                                                                        \
  template Jet<double> name(const Jet<double> &);                                                                      \
  template Jet<float> name(const Jet<float> &);
TAPEFREE_FUZZ_UNARY(X)
#undef X
#define X(name)                                                                                                        \
  template Jet<double> name(const Jet<double> &, const Jet<double> &);                                                 \
  template Jet<float> name(const Jet<float> &, const Jet<float> &);
TAPEFREE_FUZZ_BINARY(X)
#undef X
template Jet<double> fma(const Jet<double> &, const Jet<double> &, const Jet<double> &);
template Jet<float> fma(const Jet<float> &, const Jet<float> &, const Jet<float> &);
template Jet<double> ldexp(const Jet<double> &, int);
template Jet<float> ldexp(const Jet<float> &, int);
template Jet<double> powi(const Jet<double> &, int);
template Jet<float> powi(const Jet<float> &, int);
