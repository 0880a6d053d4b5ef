// Several outputs at once: an array, a scalar by reference, a struct, and the returned value (whose seed is 1).
#include "support.hpp"

template <class T> struct Stats { T mean; int count; T spread; };

template <class T> static T f(const T* x, int n, T* squares, T& largest, Stats<T>* stats) {
  T sum = T(0), sum2 = T(0);
  largest = x[0];
  for (int i = 0; i < n; ++i) {
    squares[i] = x[i] * x[i];
    sum += x[i];
    sum2 += squares[i];
    if (x[i] > largest) largest = x[i];
  }
  stats->count = n;
  stats->mean = sum / T(n);
  stats->spread = sum2 / T(n) - stats->mean * stats->mean;
  return sqrt(stats->spread) * largest;
}

template <class T> static void run(int argc) {
  constexpr int n = 6;
  T x[n], dx[n] = {}, squares[n], dsquares[n], seed[n], largest = 0, dlargest = T(0.75);
  Stats<T> stats = {0, 0, 0}, dstats = {T(-0.5), 0, T(1.25)};
  double want[n];
  fill(x, n, 370, -1, 1);
  fill(seed, n, 371, -1, 1);
  reference(want, x, n, [&](auto* p) {
    using S = std::remove_reference_t<decltype(*p)>;
    S sq[n], big, s;
    Stats<S> st;
    s = f<S>(p, n, sq, big, &st) + big * S(0.75) - st.mean * S(0.5) + st.spread * S(1.25);
    for (int i = 0; i < n; ++i) s += sq[i] * seed[i];
    return s;
  });
  if (argc > 1) return;
  std::memcpy(dsquares, seed, sizeof seed);
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n, enzyme_dup, (T*)squares, dsquares,
                          enzyme_dup, &largest, &dlargest, enzyme_dup, &stats, &dstats);
  check_all("dx", dx, want, n);
  check_zero("squares consumed", dsquares, n);
  check("largest consumed", dlargest, 0, 0);
  check("mean consumed", dstats.mean, 0, 0);
  check("spread consumed", dstats.spread, 0, 0);
  check_true("count", stats.count == n);
  check("squares", squares[2], x[2] * x[2], kTolerance<T>);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
