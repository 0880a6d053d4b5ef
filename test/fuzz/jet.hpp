// jet.hpp: a number with its exact first and second derivatives, the reference of every fuzzed program.
//
// Jet<V> is v + a·A + b·B + ab·AB with A² = B² = 0, a dual number of dual numbers in one class: from one run come the
// value, the derivatives along two directions, and the second derivative along both. V is the type that the program
// computes with (double or float), so that the values, and every decision on them, are the program's own. Derivatives
// are double also where V is float: they are what the plugin's float derivatives are measured with.
//
// The functions are defined in jet.cpp, so that a unit of many programs compiles nothing of them.
#ifndef TAPEFREE_FUZZ_JET_HPP
#define TAPEFREE_FUZZ_JET_HPP
#include <cmath>
#include <cstdlib>
#include <cstring>

template <class V> struct Jet {
  V v;
  double a, b, ab;
  // Not initialised is NaN: a program that reads what it never wrote is found and thrown away.
  Jet() : v(NAN), a(NAN), b(NAN), ab(NAN) {}
  explicit Jet(V value) : v(value), a(0), b(0), ab(0) {}
  Jet(V value, double along_a, double along_b, double along_ab) : v(value), a(along_a), b(along_b), ab(along_ab) {}
  template <class W> explicit Jet(const Jet<W> &x);
  template <class I> explicit Jet(I number) : Jet(V(number)) {}
  Jet &operator+=(const Jet &x) { return *this = *this + x; }
  Jet &operator-=(const Jet &x) { return *this = *this - x; }
  Jet &operator*=(const Jet &x) { return *this = *this * x; }
  Jet &operator/=(const Jet &x) { return *this = *this / x; }
};

// Rounding errors in units of the last place that each operation adds at random; 0 for the reference itself. Results
// that move with them say nothing about the plugin.
extern double jet_noise;
void jet_noise_seed(unsigned seed);

template <class V> bool operator<(const Jet<V> &x, const Jet<V> &y) { return x.v < y.v; }
template <class V> bool operator>(const Jet<V> &x, const Jet<V> &y) { return x.v > y.v; }
template <class V> bool operator<=(const Jet<V> &x, const Jet<V> &y) { return x.v <= y.v; }
template <class V> bool operator>=(const Jet<V> &x, const Jet<V> &y) { return x.v >= y.v; }

#define TAPEFREE_FUZZ_UNARY(X)                                                                                         \
  X(operator-) X(sin) X(cos) X(tan) X(asin) X(acos) X(atan) X(sinh) X(cosh) X(tanh) X(asinh) X(acosh) X(atanh)         \
  X(exp) X(exp2) X(exp10) X(expm1) X(log) X(log2) X(log10) X(log1p) X(sqrt) X(cbrt) X(erf) X(erfc) X(lgamma)           \
  X(tgamma) X(fabs) X(floor) X(ceil) X(trunc) X(round) X(rint) X(nearbyint) X(roundeven)
#define TAPEFREE_FUZZ_BINARY(X)                                                                                        \
  X(operator+) X(operator-) X(operator*) X(operator/) X(atan2) X(pow) X(hypot) X(fmin) X(fmax) X(fdim) X(fmod)         \
  X(remainder) X(copysign)
#define X(name) template <class V> Jet<V> name(const Jet<V> &);
TAPEFREE_FUZZ_UNARY(X)
#undef X
#define X(name) template <class V> Jet<V> name(const Jet<V> &, const Jet<V> &);
TAPEFREE_FUZZ_BINARY(X)
#undef X
template <class V> Jet<V> fma(const Jet<V> &, const Jet<V> &, const Jet<V> &);
template <class V> Jet<V> ldexp(const Jet<V> &, int);
template <class V> Jet<V> powi(const Jet<V> &, int);

// What <cmath> lacks, or has for double only.
inline double powi(double x, int n) { return __builtin_powi(x, n); }
inline float powi(float x, int n) { return __builtin_powif(x, n); }
inline float exp10(float x) { return __builtin_exp10f(x); }
inline double roundeven(double x) { return __builtin_roundeven(x); }
inline float roundeven(float x) { return __builtin_roundevenf(x); }
using std::acosh; using std::asinh; using std::atanh; using std::cbrt; using std::copysign; using std::erf;
using std::erfc; using std::exp2; using std::expm1; using std::fabs; using std::fdim; using std::fma; using std::fmax;
using std::fmin; using std::fmod; using std::hypot; using std::ldexp; using std::lgamma; using std::log1p;
using std::log2; using std::nearbyint; using std::remainder; using std::rint; using std::round; using std::tgamma;
using std::trunc; using std::sin; using std::cos; using std::tan; using std::asin; using std::acos; using std::atan;
using std::sinh; using std::cosh; using std::tanh; using std::exp; using std::log; using std::log10; using std::sqrt;
using std::floor; using std::ceil; using std::atan2; using std::pow;

// The plain number, for decisions that are made on integers.
inline double plain(double x) { return x; }
inline float plain(float x) { return x; }
template <class V> V plain(const Jet<V> &x) { return x.v; }
#endif
