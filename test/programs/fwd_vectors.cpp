// Vector values: arithmetic, comparisons, shuffles, lanes, reductions, and what the vectoriser makes of plain loops.
#include "forward.hpp"

typedef double V4 __attribute__((vector_size(32)));
typedef float F4 __attribute__((vector_size(16)));

template <class V, class T> static void f(const V* x, V* y, T scale, int n) {
  V carry = x[0];
  for (int i = 0; i < n; ++i) {
    V a = x[i] * scale + carry;
    V b = __builtin_shufflevector(a, x[i], 3, 4, 1, 6);
    V c = a > b ? a * b : b - a;
    c[i & 3] = c[(i + 1) & 3] * T(2);
    carry = c / (a * a + T(1));
    y[i] = c;
  }
  y[n] = carry;
}
template <class T> static void plain(const T* x, T* y, T scale, int n) {
  T carry[4];
  for (int k = 0; k < 4; ++k) carry[k] = x[k];
  for (int i = 0; i < n; ++i) {
    const T* xi = x + 4 * i;
    T a[4], c[4];
    for (int k = 0; k < 4; ++k) a[k] = xi[k] * scale + carry[k];
    T b[4] = {a[3], xi[0], a[1], xi[2]};
    for (int k = 0; k < 4; ++k) c[k] = a[k] > b[k] ? a[k] * b[k] : b[k] - a[k];
    c[i & 3] = c[(i + 1) & 3] * T(2);
    for (int k = 0; k < 4; ++k) carry[k] = c[k] / (a[k] * a[k] + T(1)), y[4 * i + k] = c[k];
  }
  for (int k = 0; k < 4; ++k) y[4 * n + k] = carry[k];
}
template <class T> static T dot(const T* __restrict x, const T* __restrict y, T* __restrict out, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    out[i] = x[i] * y[i] + x[i];
    s += out[i] * x[i];
  }
  return s;
}

template <class V, class T> static void run(int argc) {
  enum { N = 4, M = 4 * N + 4, L = 37 };
  alignas(32) T x[4 * N + 1], dx[4 * N + 1], y[M], dy[M];
  double value[M], want[M];
  fill(x, 4 * N + 1, 91, -1, 1);
  direction(dx, 4 * N + 1, 92);
  tangents(value, want, M, x, dx, 4 * N + 1, [](auto* p, auto* out) { plain(p, out, p[4 * N], N); });
  if (argc == 1) {
    __enzyme_fwddiff<void>((void*)f<V, T>, enzyme_dup, (const V*)x, (const V*)dx, enzyme_dup, (V*)y, (V*)dy, enzyme_dup, x[4 * N], dx[4 * N], enzyme_const, (int)N);
    check_all("y", y, value, M);
    check_all("dy", dy, want, M);
  }
  T a[2 * L], da[2 * L], out[L], dout[L];
  double values[L + 1], wants[L + 1];
  fill(a, 2 * L, 93, -1, 1);
  direction(da, 2 * L, 94);
  tangents(values, wants, L + 1, a, da, 2 * L, [](auto* p, auto* o) { o[L] = dot(p, p + L, o, L); });
  if (argc == 1) {
    T d = __enzyme_fwddiff<T>((void*)dot<T>, enzyme_dup, (const T*)a, (const T*)da, enzyme_dup, (const T*)(a + L), (const T*)(da + L), enzyme_dup, (T*)out, (T*)dout, enzyme_const, (int)L);
    check_all("dout", dout, wants, L);
    check("dot", d, wants[L], kTolerance<T>);
  }
}

int main(int argc, char**) {
  run<V4, double>(argc);
  run<F4, float>(argc);
  return finish();
}
