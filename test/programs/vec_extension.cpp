// Clang vector types of four doubles and eight floats: arithmetic, element access, shuffles, selects, arrays of vectors.
#include "support.hpp"
#pragma clang diagnostic ignored "-Wpsabi"  // without AVX, 32-byte vectors travel in memory: meant here

typedef double double4 __attribute__((vector_size(32)));
typedef float float8 __attribute__((vector_size(32)));
// The reference: the same operations on an array of scalars.
template <class T, int N> struct Lanes {
  T v[N];
  T& operator[](int i) { return v[i]; }
  T operator[](int i) const { return v[i]; }
#define LANES(op) \
  friend Lanes operator op(Lanes a, Lanes b) { for (int i = 0; i < N; ++i) a.v[i] = a.v[i] op b.v[i]; return a; }
  LANES(+) LANES(-) LANES(*) LANES(/)
#undef LANES
  friend Lanes operator-(Lanes a) { for (T& x : a.v) x = -x; return a; }
};
inline double4 reversed(double4 a) { return __builtin_shufflevector(a, a, 3, 2, 1, 0); }
inline float8 reversed(float8 a) { return __builtin_shufflevector(a, a, 7, 6, 5, 4, 3, 2, 1, 0); }
template <class T, int N> Lanes<T, N> reversed(Lanes<T, N> a) {
  for (int i = 0; i < N / 2; ++i) { T t = a.v[i]; a.v[i] = a.v[N - 1 - i]; a.v[N - 1 - i] = t; }
  return a;
}
inline double4 larger(double4 a, double4 b) { return a > b ? a : b; }
inline float8 larger(float8 a, float8 b) { return a > b ? a : b; }
template <class T, int N> Lanes<T, N> larger(Lanes<T, N> a, Lanes<T, N> b) {
  for (int i = 0; i < N; ++i) a.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
  return a;
}
template <class V, class T> static V filled(T s, int lanes) {
  V v;
  for (int i = 0; i < lanes; ++i) v[i] = s;
  return v;
}

template <class V, class T, int N> static T f(const V* x, int n) {
  V sum = filled<V>(T(0), N), product = filled<V>(T(1), N);
  for (int i = 0; i < n; ++i) {
    V a = x[i] * x[i] + sum;
    product = product * (a + filled<V>(T(0.5), N)) / (filled<V>(T(1), N) + x[i] * x[i]);
    sum = larger(sum, reversed(x[i])) - a * filled<V>(T(0.25), N);
    sum[i % N] = sum[i % N] * product[0];               // one lane, chosen at run time
    product = -reversed(product) + x[i];
  }
  T s = T(0);
  for (int i = 0; i < N; ++i) s += sum[i] * product[N - 1 - i];
  return s;
}

template <class V, class T, int N> static void run(int argc) {
  constexpr int n = 3;
  T x[n * N];
  double want[n * N];
  fill(x, n * N, 330, -1, 1);
  reference(want, x, n * N, [&](auto* p) {
    using S = std::remove_reference_t<decltype(*p)>;
    Lanes<S, N> v[n];
    for (int i = 0; i < n * N; ++i) v[i / N].v[i % N] = p[i];
    return f<Lanes<S, N>, S, N>(v, n);
  });
  if (argc > 1) return;
  V v[n], dv[n] = {};
  std::memcpy(v, x, sizeof v);
  __enzyme_autodiff<void>((void*)f<V, T, N>, enzyme_dup, (const V*)v, dv, enzyme_const, n);
  std::memcpy(x, dv, sizeof dv);
  check_all("dv", x, want, n * N);
}

int main(int argc, char**) {
  run<double4, double, 4>(argc);
  run<float8, float, 8>(argc);
  return finish();
}
