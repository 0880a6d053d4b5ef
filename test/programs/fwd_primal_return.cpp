// NOLANES: results of two kinds
// primal_return: {value, tangent} as C lays the struct out, and the value alone where the result is not differentiated.
#include "forward.hpp"

template <class T> static T f(T a, const T* x, int n) {
  T s = a;
  for (int i = 0; i < n; ++i) s = s * x[i] + cos(x[i] * a);
  return s;
}
template <class T> static int count_positive(const T* x, T* out, int n) {
  int c = 0;
  for (int i = 0; i < n; ++i) {
    out[i] = x[i] * x[i] * T(i + 1);
    if (x[i] > T(0)) ++c;
  }
  return c;
}

template <class T> static void run(int argc) {
  T x[6], dx[6];
  fill(x, 6, 3, -1, 1);
  direction(dx, 6, 4);
  auto want = tangent(x, dx, 6, [](auto* p) { return f(p[5], p, 5); });
  if (argc > 1) return;
  const double tol = kTolerance<T>;
  auto got = __enzyme_fwddiff<ValueAndTangent<T>>((void*)f<T>, enzyme_primal_return, enzyme_dup, x[5], dx[5], enzyme_dup, (const T*)x, (const T*)dx, enzyme_const, 5);
  check("value", got.value, want.value, tol);
  check("tangent", got.tangent, want.tangent, tol);
  check("tangent alone", __enzyme_fwddiff<T>((void*)f<T>, enzyme_dup, x[5], dx[5], enzyme_dup, (const T*)x, (const T*)dx, enzyme_const, 5), want.tangent, tol);
  T alone = __tapefree_fwddiff<T>((void*)f<T>, tapefree_primal_return, enzyme_noret, tapefree_dup, x[5], dx[5], tapefree_dup, (const T*)x, (const T*)dx, tapefree_const, 5);
  check("value alone", alone, want.value, tol);
  T out[6], dout[6];
  int positive = 0;
  for (T v : x) positive += v > 0;
  int got_count = __enzyme_fwddiff<int>((void*)count_positive<T>, enzyme_primal_return, enzyme_dup, (const T*)x, (const T*)dx, enzyme_dup, (T*)out, (T*)dout, enzyme_const, 6);
  check("count", got_count, positive, 0);
  for (int i = 0; i < 6; ++i) {
    check("out", out[i], (double)x[i] * x[i] * (i + 1), tol);
    check("dout", dout[i], 2.0 * x[i] * dx[i] * (i + 1), tol);
  }
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
