// Lambdas with captures by value and reference, passed to templates, recursion by a template, fold expressions.
#include "support.hpp"

template <class T, class F> static T accumulate(const T* x, int n, F step) {
  T s = T(0);
  for (int i = 0; i < n; ++i) s = step(s, x[i]);
  return s;
}
template <int K, class T> static T chebyshev(T x) {
  if constexpr (K == 0) return T(1);
  else if constexpr (K == 1) return x;
  else return T(2) * x * chebyshev<K - 1>(x) - chebyshev<K - 2>(x);
}
template <class... A> static auto product(A... a) { return (a * ...); }
template <class T, class F> static T integrate(F g, T lo, T hi, int n) {
  T h = (hi - lo) / T(n), s = (g(lo) + g(hi)) * T(0.5);
  for (int i = 1; i < n; ++i) s += g(lo + T(i) * h);
  return s * h;
}

template <class T> static T f(const T* x, int n) {
  T scale = x[0], total = T(0);
  int calls = 0;
  auto step = [scale, &total, &calls](T s, T v) {
    total += v * s;
    ++calls;
    return s * scale + v;
  };
  T a = accumulate(x, n, step);
  T b = integrate([&](T t) { return sin(t * a) * x[1] + t * t; }, x[2], x[3] + T(2), 8);
  auto twice = [](auto g, T v) { return g(g(v)); };
  T c = twice([x](T v) { return v * v + x[4]; }, b * T(0.3));
  return product(a, b, T(0.5)) + chebyshev<5>(x[5]) + c + total * T(calls);
}

template <class T> static void run(int argc, int n) {
  T x[6], dx[6] = {};
  double want[6];
  fill(x, 6, 325, -1, 1);
  reference(want, x, 6, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 6);
}

int main(int argc, char**) {
  run<double>(argc, 6);
  run<float>(argc, 6);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
