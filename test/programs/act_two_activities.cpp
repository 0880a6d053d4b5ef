// NOLANES: two shadows that are one
// One function differentiated with five different activities in one file; inactive arguments cost and change nothing.
#include "support.hpp"

template <class T> static T f(const T* x, const T* w, T scale, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    T v = x[i] * w[i] * scale;
    s += v * v + w[i] * x[n - 1 - i];
  }
  return s * scale;
}

template <class T> static void run(int argc) {
  constexpr int n = 5;
  T x[2 * n + 1];
  double want[2 * n + 1];
  fill(x, 2 * n + 1, 410, -1, 1);
  reference(want, x, 2 * n + 1, [&](auto* p) { return f(p, p + n, p[2 * n], n); });
  if (argc > 1) return;
  const T *in = x, *w = x + n;
  T scale = x[2 * n], dx[n] = {}, dw[n] = {}, d;
  d = __enzyme_autodiff<T>((void*)f<T>, enzyme_dup, in, dx, enzyme_dup, w, dw, enzyme_out, scale, enzyme_const, n);
  check_all("all x", dx, want, n);
  check_all("all w", dw, want + n, n);
  check("all scale", d, want[2 * n], kTolerance<T>);
  std::memset(dx, 0, sizeof dx);
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, in, dx, enzyme_const, w, enzyme_const, scale, enzyme_const, n);
  check_all("x only", dx, want, n);
  std::memset(dw, 0, sizeof dw);
  __tapefree_autodiff<void>((void*)f<T>, tapefree_const, in, tapefree_dup, w, dw, tapefree_const, scale, tapefree_const, n);
  check_all("w only", dw, want + n, n);
  d = __enzyme_autodiff<T>((void*)f<T>, enzyme_const, in, enzyme_const, w, enzyme_out, scale, enzyme_const, n);
  check("scale only", d, want[2 * n], kTolerance<T>);
  std::memset(dw, 0, sizeof dw);
  d = __tapefree_autodiff<T>((void*)f<T>, tapefree_const, in, tapefree_dup, w, dw, tapefree_out, scale, tapefree_const, n);
  check_all("w and scale", dw, want + n, n);
  check("w and scale", d, want[2 * n], kTolerance<T>);
  __enzyme_autodiff<void>((void*)f<T>, enzyme_const, in, enzyme_const, w, enzyme_const, scale, enzyme_const, n);  // nothing active
  T same[n] = {};                                        // the same array as both inputs, one shadow
  double square[n];
  reference(square, x, n, [&](auto* p) { return f(p, p, std::remove_reference_t<decltype(*p)>(scale), n); });
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, in, same, enzyme_dup, in, same, enzyme_const, scale, enzyme_const, n);
  check_all("same", same, square, n);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
