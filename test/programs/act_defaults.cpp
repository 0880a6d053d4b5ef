// No markers at all: a floating value is out, a pointer is dup (its shadow follows), an integer is const.
#include "support.hpp"

template <class T> static T f(T a, const T* x, int n, T b, bool twice, T* y) {
  T s = a;
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * x[i] * b + s;
    s += y[i] * a;
  }
  return twice ? s * T(2) : s;
}

template <class T> struct Pair { T a, b; };

template <class T> static void run(int argc) {
  constexpr int n = 4;
  T x[n + 2], dx[n] = {}, y[n] = {}, dy[n], seed[n];
  double want[n + 2];
  fill(x, n + 2, 340, -1, 1);
  fill(seed, n, 341, -1, 1);
  reference(want, x, n + 2, [&](auto* p) {
    using S = std::remove_reference_t<decltype(*p)>;
    S o[n], s = f<S>(p[n], p, n, p[n + 1], true, o);
    for (int i = 0; i < n; ++i) s += o[i] * seed[i];
    return s;
  });
  if (argc > 1) return;
  std::memcpy(dy, seed, sizeof seed);
  Pair<T> g = __enzyme_autodiff<Pair<T>>((void*)f<T>, x[n], (const T*)x, dx, n, x[n + 1], true, (T*)y, dy);
  check("a", g.a, want[n], kTolerance<T>);
  check("b", g.b, want[n + 1], kTolerance<T>);
  check_all("dx", dx, want, n);
  check_zero("consumed", dy, n);
  std::memcpy(dy, seed, sizeof seed);                    // defaults and markers mixed
  T a = __tapefree_autodiff<T>((void*)f<T>, x[n], tapefree_const, (const T*)x, n, tapefree_const, x[n + 1], true, (T*)y, dy);
  check("a alone", a, want[n], kTolerance<T>);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
