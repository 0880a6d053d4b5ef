// Derivatives of derivatives: chains of modes to any depth, and the exact reference: dual numbers of dual numbers.
#pragma once
#define TAPEFREE_COUNT_HEAP
#include "forward.hpp"

// ---- dual numbers of any scalar ------------------------------------------------------------------------------------

template <class T> struct Nested {
  T v, d;
  Nested() = default;
  constexpr Nested(double value) : v(value), d(0) {}
  constexpr Nested(T value, T tangent) : v(value), d(tangent) {}
  friend Nested operator+(Nested a, Nested b) { return {a.v + b.v, a.d + b.d}; }
  friend Nested operator-(Nested a, Nested b) { return {a.v - b.v, a.d - b.d}; }
  friend Nested operator*(Nested a, Nested b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
  friend Nested operator/(Nested a, Nested b) {
    T q = a.v / b.v;
    return {q, (a.d - q * b.d) / b.v};
  }
  friend Nested operator-(Nested a) { return {-a.v, -a.d}; }
  Nested& operator+=(Nested b) { return *this = *this + b; }
  Nested& operator-=(Nested b) { return *this = *this - b; }
  Nested& operator*=(Nested b) { return *this = *this * b; }
  Nested& operator/=(Nested b) { return *this = *this / b; }
  friend bool operator<(Nested a, Nested b) { return a.v < b.v; }
  friend bool operator>(Nested a, Nested b) { return a.v > b.v; }
  friend bool operator<=(Nested a, Nested b) { return a.v <= b.v; }
  friend bool operator>=(Nested a, Nested b) { return a.v >= b.v; }
};
using Dual1 = Nested<double>;
using Dual2 = Nested<Dual1>;
using Dual3 = Nested<Dual2>;

// f with value y and slope s at x.
template <class T> Nested<T> chain(T y, T s, Nested<T> x) { return {y, s * x.d}; }
template <class T> Nested<T> sin(Nested<T> x) { return chain(sin(x.v), cos(x.v), x); }
template <class T> Nested<T> cos(Nested<T> x) { return chain(cos(x.v), -sin(x.v), x); }
template <class T> Nested<T> tan(Nested<T> x) { T t = tan(x.v); return chain(t, T(1) + t * t, x); }
template <class T> Nested<T> asin(Nested<T> x) { return chain(asin(x.v), T(1) / sqrt(T(1) - x.v * x.v), x); }
template <class T> Nested<T> acos(Nested<T> x) { return chain(acos(x.v), T(-1) / sqrt(T(1) - x.v * x.v), x); }
template <class T> Nested<T> atan(Nested<T> x) { return chain(atan(x.v), T(1) / (T(1) + x.v * x.v), x); }
template <class T> Nested<T> sinh(Nested<T> x) { return chain(sinh(x.v), cosh(x.v), x); }
template <class T> Nested<T> cosh(Nested<T> x) { return chain(cosh(x.v), sinh(x.v), x); }
template <class T> Nested<T> tanh(Nested<T> x) { T t = tanh(x.v); return chain(t, T(1) - t * t, x); }
template <class T> Nested<T> asinh(Nested<T> x) { return chain(asinh(x.v), T(1) / sqrt(x.v * x.v + T(1)), x); }
template <class T> Nested<T> acosh(Nested<T> x) { return chain(acosh(x.v), T(1) / sqrt(x.v * x.v - T(1)), x); }
template <class T> Nested<T> atanh(Nested<T> x) { return chain(atanh(x.v), T(1) / (T(1) - x.v * x.v), x); }
template <class T> Nested<T> exp(Nested<T> x) { T e = exp(x.v); return chain(e, e, x); }
template <class T> Nested<T> exp2(Nested<T> x) { T e = exp2(x.v); return chain(e, e * T(M_LN2), x); }
template <class T> Nested<T> expm1(Nested<T> x) { return chain(expm1(x.v), exp(x.v), x); }
template <class T> Nested<T> log(Nested<T> x) { return chain(log(x.v), T(1) / x.v, x); }
template <class T> Nested<T> log2(Nested<T> x) { return chain(log2(x.v), T(1) / (x.v * T(M_LN2)), x); }
template <class T> Nested<T> log10(Nested<T> x) { return chain(log10(x.v), T(1) / (x.v * T(M_LN10)), x); }
template <class T> Nested<T> log1p(Nested<T> x) { return chain(log1p(x.v), T(1) / (T(1) + x.v), x); }
template <class T> Nested<T> sqrt(Nested<T> x) { T r = sqrt(x.v); return chain(r, T(0.5) / r, x); }
template <class T> Nested<T> cbrt(Nested<T> x) { T r = cbrt(x.v); return chain(r, T(1) / (T(3) * r * r), x); }
template <class T> Nested<T> erf(Nested<T> x) { return chain(erf(x.v), T(M_2_SQRTPI) * exp(-x.v * x.v), x); }
template <class T> Nested<T> erfc(Nested<T> x) { return chain(erfc(x.v), -T(M_2_SQRTPI) * exp(-x.v * x.v), x); }
template <class T> Nested<T> fabs(Nested<T> x) { return x < Nested<T>(0) ? -x : x; }
template <class T> Nested<T> floor(Nested<T> x) { return {floor(x.v), T(0)}; }
template <class T> Nested<T> fmin(Nested<T> a, Nested<T> b) { return a < b ? a : b; }
template <class T> Nested<T> fmax(Nested<T> a, Nested<T> b) { return a > b ? a : b; }
template <class T> Nested<T> fma(Nested<T> a, Nested<T> b, Nested<T> c) { return a * b + c; }
template <class T> Nested<T> pow(Nested<T> x, Nested<T> y) { return exp(y * log(x)); }
template <class T> Nested<T> hypot(Nested<T> x, Nested<T> y) { return sqrt(x * x + y * y); }
template <class T> Nested<T> atan2(Nested<T> y, Nested<T> x) {
  T r = x.v * x.v + y.v * y.v;
  return {atan2(y.v, x.v), (y.d * x.v - y.v * x.d) / r};
}
template <class T> double val(Nested<T> x) { return val(x.v); }
template <class T> Nested<T> narrow(Nested<T> x) { return x; }
template <class T> Nested<T> widen(Nested<T> x) { return x; }

// ---- functions of one scalar: S is double(double) ------------------------------------------------------------------

template <auto S> double F1(double x) { return __enzyme_fwddiff<double>((void*)S, enzyme_dup, x, 1.0); }
template <auto S> double R1(double x) { return __enzyme_autodiff<double>((void*)S, enzyme_out, x); }
template <auto S> double TF1(double x) { return __tapefree_fwddiff<double>((void*)S, tapefree_dup, x, 1.0); }
template <auto S> double TR1(double x) { return __tapefree_autodiff<double>((void*)S, tapefree_out, x); }

// fn takes any scalar: the first three derivatives.
template <class F> NOINLINE void derivatives(double want[3], double x, F fn) {
  Dual3 y = fn(Dual3(Dual2(Dual1(x, 1), Dual1(1)), Dual2(1)));
  want[0] = y.d.v.v;
  want[1] = y.d.d.v;
  want[2] = y.d.d.d;
}

// All chains of one, two and three modes, inner mode first.
template <auto S> NOINLINE void check_chains(const char* what, double x, const double want[3], double tol = 1e-9) {
  char name[96];
  auto is = [&](const char* chain, double got, double value) {
    std::snprintf(name, sizeof name, "%s %s", what, chain);
    check(name, got, value, tol);
  };
  is("F", F1<S>(x), want[0]);
  is("R", R1<S>(x), want[0]);
  is("FF", F1<F1<S>>(x), want[1]);
  is("FR", R1<F1<S>>(x), want[1]);
  is("RF", F1<R1<S>>(x), want[1]);
  is("RR", R1<R1<S>>(x), want[1]);
  is("FFF", F1<F1<F1<S>>>(x), want[2]);
  is("FFR", R1<F1<F1<S>>>(x), want[2]);
  is("FRF", F1<R1<F1<S>>>(x), want[2]);
  is("FRR", R1<R1<F1<S>>>(x), want[2]);
  is("RFF", F1<F1<R1<S>>>(x), want[2]);
  is("RFR", R1<F1<R1<S>>>(x), want[2]);
  is("RRF", F1<R1<R1<S>>>(x), want[2]);
  is("RRR", R1<R1<R1<S>>>(x), want[2]);
}

// ---- functions of an array -----------------------------------------------------------------------------------------
// A functional S is T(const T* x, const T* along, int n), a field V is void(const T* x, T* y, const T* along, int n) with
// y +=. Level L of a chain goes along the direction `along + L n`: forward takes the tangent there, reverse of a field has
// it for a seed. So every chain is the same symmetric derivative, with one free index if any of its modes is reverse.

enum { kMost = 8 }; // entries of an array at most

template <class T, auto S, int L> T forward_of_functional(const T* x, const T* along, int n) {
  return __enzyme_fwddiff<T>((void*)S, enzyme_dup, x, along + L * n, enzyme_const, along, enzyme_const, n);
}
template <class T, auto S, int L> void reverse_of_functional(const T* x, T* y, const T* along, int n) {
  __enzyme_autodiff<void>((void*)S, enzyme_dup, x, y, enzyme_const, along, enzyme_const, n);
}
template <class T, auto V, int L> void forward_of_field(const T* x, T* y, const T* along, int n) {
  T value[kMost] = {};
  __enzyme_fwddiff<void>((void*)V, enzyme_dup, x, along + L * n, enzyme_dup, (T*)value, y, enzyme_const, along, enzyme_const, n);
}
template <class T, auto V, int L> void reverse_of_field(const T* x, T* y, const T* along, int n) {
  T value[kMost] = {}, seed[kMost];
  for (int i = 0; i < n; ++i) seed[i] = along[L * n + i];
  __enzyme_autodiff<void>((void*)V, enzyme_dup, x, y, enzyme_dup, (T*)value, (T*)seed, enzyme_const, along, enzyme_const, n);
}

// Modes from the inside out: 'F' or 'R'. chain_of<T, S, L, modes...>::call has the type of a functional or a field.
template <class T, auto Inner, bool Field, int L, char... Modes> struct chain_of {
  static constexpr bool field = Field;
  static constexpr auto call = Inner;
};
template <class T, auto Inner, int L, char... Modes>
struct chain_of<T, Inner, false, L, 'F', Modes...> : chain_of<T, &forward_of_functional<T, Inner, L>, false, L + 1, Modes...> {};
template <class T, auto Inner, int L, char... Modes>
struct chain_of<T, Inner, false, L, 'R', Modes...> : chain_of<T, &reverse_of_functional<T, Inner, L>, true, L + 1, Modes...> {};
template <class T, auto Inner, int L, char... Modes>
struct chain_of<T, Inner, true, L, 'F', Modes...> : chain_of<T, &forward_of_field<T, Inner, L>, true, L + 1, Modes...> {};
template <class T, auto Inner, int L, char... Modes>
struct chain_of<T, Inner, true, L, 'R', Modes...> : chain_of<T, &reverse_of_field<T, Inner, L>, true, L + 1, Modes...> {};

// fn(x, n) for x an array of any scalar: its derivative of order `order` along the directions u[0], u[1], u[2] (n each).
template <class X, class F> NOINLINE double derivative_along(const X* x, const double* const u[3], int order, int n, F fn) {
  Dual3 p[kMost];
  for (int i = 0; i < n; ++i)
    p[i] = Dual3(Dual2(Dual1(x[i], u[0][i]), Dual1(order > 1 ? u[1][i] : 0)), Dual2(order > 2 ? u[2][i] : 0));
  Dual3 y = fn(p, n);
  return order == 1 ? y.v.v.d : order == 2 ? y.v.d.d : y.d.d.d;
}

template <class F> NOINLINE void check_nothing_left(const char* what, F call) {
  if (long left = heap_use(call).left; left && ++failures <= 10) std::printf("FAIL %s: %ld bytes left on the heap\n", what, left);
}

// One chain: its values, by dual numbers of dual numbers, and that nothing is left on the heap.
template <class T, class chain, char... Modes, class F>
NOINLINE void check_values(const char* what, const T* x, const T* along, int n, F fn, double tol = kTolerance<T>) {
  constexpr int order = sizeof...(Modes);
  const char modes[] = {Modes..., 0};
  char name[96];
  std::snprintf(name, sizeof name, "%s %s", what, modes);
  double direction[order][kMost], unit[kMost];
  const double* u[3];
  for (int l = 0; l < order; ++l) {
    for (int i = 0; i < n; ++i) direction[l][i] = along[l * n + i];
    u[l] = direction[l];
  }
  if constexpr (chain::field) {
    int free = 0; // the first reverse mode leaves its index free
    while (modes[free] != 'R') ++free;
    u[free] = unit;
    T y[kMost] = {};
    check_nothing_left(name, [&] { chain::call(x, y, along, n); });
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < n; ++k) unit[k] = k == i;
      check(name, y[i], derivative_along(x, u, order, n, fn), tol);
    }
  } else {
    T got = 0;
    check_nothing_left(name, [&] { got = chain::call(x, along, n); });
    check(name, got, derivative_along(x, u, order, n, fn), tol);
  }
}

template <class T, auto S, char... Modes, class F>
void check_chain(const char* what, const T* x, const T* along, int n, F fn) {
  check_values<T, chain_of<T, S, false, 0, Modes...>, Modes...>(what, x, along, n, fn);
}
// The same from a field V, reverse mode first: that is the gradient of fn(x, n) = the sum of along[i] V(x)[i].
template <class T, auto V, char... Modes, class F>
void check_field_chain(const char* what, const T* x, const T* along, int n, F fn) {
  check_values<T, chain_of<T, V, true, 0, Modes...>, Modes...>(what, x, along, n, fn);
}

// Two deep and three deep.
template <class T, auto S, class F> void check_twice(const char* what, const T* x, const T* along, int n, F fn) {
  check_chain<T, S, 'F', 'F'>(what, x, along, n, fn);
  check_chain<T, S, 'F', 'R'>(what, x, along, n, fn);
  check_chain<T, S, 'R', 'F'>(what, x, along, n, fn);
  check_chain<T, S, 'R', 'R'>(what, x, along, n, fn);
}
template <class T, auto S, class F> void check_thrice(const char* what, const T* x, const T* along, int n, F fn) {
  check_chain<T, S, 'F', 'F', 'F'>(what, x, along, n, fn);
  check_chain<T, S, 'F', 'F', 'R'>(what, x, along, n, fn);
  check_chain<T, S, 'F', 'R', 'F'>(what, x, along, n, fn);
  check_chain<T, S, 'F', 'R', 'R'>(what, x, along, n, fn);
  check_chain<T, S, 'R', 'F', 'F'>(what, x, along, n, fn);
  check_chain<T, S, 'R', 'F', 'R'>(what, x, along, n, fn);
  check_chain<T, S, 'R', 'R', 'F'>(what, x, along, n, fn);
  check_chain<T, S, 'R', 'R', 'R'>(what, x, along, n, fn);
}

// ---- main of a program whose functions are all f(x, n): EACH(X) lists them -------------------------------------------

#define NEST_DEFINE(f) \
  template <class T> static T f##_of(const T* x, const T*, int n) { return f(x, n); }
#define NEST_TWICE(f) check_twice<Scalar, &f##_of<Scalar>>(#f, x, along, N, [](auto* p, int n) { return f(p, n); });
#define NEST_THRICE(f) check_thrice<Scalar, &f##_of<Scalar>>(#f, x, along, N, [](auto* p, int n) { return f(p, n); });
// Each function in all chains of two modes and all of three, at `count` numbers in [low, 1].
#define NEST_MAIN(EACH, T, count, seed, low) \
  EACH(NEST_DEFINE) \
  int main() { \
    using Scalar = T; \
    enum { N = count }; \
    check_heap_counters(); \
    Scalar x[N], along[3 * N]; \
    fill(x, N, seed, low, 1); \
    direction(along, 3 * N, seed + 1); \
    EACH(NEST_TWICE) \
    EACH(NEST_THRICE) \
    return finish(); \
  }
