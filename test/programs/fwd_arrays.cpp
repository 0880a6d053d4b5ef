// Arrays in and out: outputs overwrite their shadows whatever was there, updates in place, inputs stay as they are.
#include "forward.hpp"

template <class T> static void stencil(const T* x, T* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = T(0);
  for (int i = 1; i + 1 < n; ++i) y[i] = x[i - 1] * T(0.25) + x[i] * x[i + 1];
  y[0] = x[n - 1];
}
template <class T> static void in_place(T* u, int n, int steps) {
  for (int s = 0; s < steps; ++s)
    for (int i = 0; i < n; ++i) u[i] = u[i] * u[(i + 1) % n] + sin(u[(i + 2) % n]) * T(0.5);
}
template <class T> static T product(const T* a, const T* b, T* c, int n) {
  T trace = T(0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      T s = T(0);
      for (int k = 0; k < n; ++k) s += a[i * n + k] * b[k * n + j];
      c[i * n + j] = s;
      if (i == j) trace += s;
    }
  return trace;
}

template <class T> static void run(int argc) {
  enum { N = 9 };
  T x[N], dx[N], y[N], dy[N];
  double value[N + 1], want[N + 1];
  fill(x, N, 11, -1, 1);
  direction(dx, N, 12);
  tangents(value, want, N, x, dx, N, [](auto* p, auto* out) { stencil(p, out, N); });
  if (argc == 1) {
    fill(y, N, 1, -9, 9);
    fill(dy, N, 2, -9, 9); // overwritten, not added to
    T before[N], dbefore[N];
    std::memcpy(before, x, sizeof x);
    std::memcpy(dbefore, dx, sizeof dx);
    __enzyme_fwddiff<void>((void*)stencil<T>, enzyme_dup, (const T*)x, (const T*)dx, enzyme_dup, (T*)y, (T*)dy, enzyme_const, (int)N);
    check_all("y", y, value, N);
    check_all("dy", dy, want, N);
    check_true("inputs intact", !std::memcmp(before, x, sizeof x) && !std::memcmp(dbefore, dx, sizeof dx));
  }
  tangents(value, want, N, x, dx, N, [](auto* p, auto* out) {
    in_place(p, N, 3);
    for (int i = 0; i < N; ++i) out[i] = p[i];
  });
  if (argc == 1) {
    std::memcpy(y, x, sizeof x);
    std::memcpy(dy, dx, sizeof dx);
    __tapefree_fwddiff<void>((void*)in_place<T>, tapefree_dup, (T*)y, (T*)dy, tapefree_const, (int)N, tapefree_const, 3);
    check_all("u", y, value, N);
    check_all("du", dy, want, N);
  }
  T b[N], db[N] = {};
  fill(b, N, 13, -1, 1);
  tangents(value, want, N + 1, x, dx, N, [&](auto* p, auto* out) {
    using V = std::remove_reference_t<decltype(*p)>;
    V second[N];
    for (int i = 0; i < N; ++i) second[i] = V(b[i]);
    out[N] = product(p, (const V*)second, out, 3);
  });
  if (argc == 1) {
    T d = __enzyme_fwddiff<T>((void*)product<T>, enzyme_dup, (const T*)x, (const T*)dx, enzyme_const, (const T*)b, enzyme_dup, (T*)y, (T*)dy, enzyme_const, 3);
    check("trace", d, want[N], kTolerance<T>);
    check_all("const factor", dy, want, N);
    d = __enzyme_fwddiff<T>((void*)product<T>, enzyme_dup, (const T*)x, (const T*)dx, enzyme_dup, (const T*)b, (const T*)db, enzyme_dup, (T*)y, (T*)dy, enzyme_const, 3);
    check("trace, zero shadow", d, want[N], kTolerance<T>);
    check_all("zero shadow", dy, want, N);
  }
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
