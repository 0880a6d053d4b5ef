// The gradient called in a loop (descent), within a function template, a lambda, a struct member, recursion and a callback.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) s += (x[i] - T(i)) * (x[i] - T(i)) * T(1 + i % 2) + T(0.1) * x[i] * x[(i + 1) % n];
  return s;
}

template <class T> struct Descent {
  T x[5], g[5];
  void step(T rate, int n) {
    std::memset(g, 0, sizeof g);
    __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, (T*)g, enzyme_const, n);
    for (int i = 0; i < n; ++i) x[i] -= rate * g[i];
  }
};
template <class T> static T slope(const T* x, T* g, int n, int depth) {      // recursion around the call
  if (depth > 0) return slope(x, g, n, depth - 1);
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, x, g, tapefree_const, n);
  return g[0];
}
template <class T, class G> static void twice(T* sum, int n, G gradient) {
  T g[5];
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < n; ++i) g[i] = 0;
    gradient(g);
    for (int i = 0; i < n; ++i) sum[i] += g[i];
  }
}

template <class T> static void run(int argc) {
  constexpr int n = 5;
  T x[n], g[n] = {}, sum[n] = {};
  double want[n], both[n];
  fill(x, n, 420, -1, 1);
  reference(want, x, n, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  check("recursion", slope((const T*)x, g, n, 3), want[0], kTolerance<T>);
  check_all("recursion", g, want, n);
  twice(sum, n, [&](T* to) { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, to, enzyme_const, n); });
  for (int i = 0; i < n; ++i) both[i] = 2 * want[i];
  check_all("lambda", sum, both, n);
  Descent<T> d = {};
  for (int k = 0; k < 400; ++k) d.step(T(0.1), n);
  reference(want, d.x, n, [&](auto* p) { return f(p, n); });
  for (int i = 0; i < n; ++i) check("minimum", want[i], 0, sizeof(T) == 4 ? 1e-4 : 1e-9);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
