// dupnoneed in forward mode: the shadow gets its tangents all the same, for pointers and for values.
#include "forward.hpp"

template <class T> static T f(T a, const T* x, T* scratch, T* out, int n) {
  for (int i = 0; i < n; ++i) scratch[i] = x[i] * a + (i ? scratch[i - 1] : T(0));
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    out[i] = scratch[i] * scratch[n - 1 - i];
    s += out[i] * a;
  }
  return s;
}

template <class T> static void run(int argc) {
  enum { N = 5 };
  T x[N + 1], dx[N + 1];
  double value[2 * N + 1], want[2 * N + 1];
  fill(x, N + 1, 81, -1, 1);
  direction(dx, N + 1, 82);
  tangents(value, want, 2 * N + 1, x, dx, N + 1, [](auto* p, auto* out) { out[2 * N] = f(p[N], p, out, out + N, N); });
  if (argc > 1) return;
  T scratch[N] = {}, dscratch[N] = {}, out[N] = {}, dout[N] = {};
  T d = __enzyme_fwddiff<T>((void*)f<T>, enzyme_dupnoneed, x[N], dx[N], enzyme_dup, (const T*)x, (const T*)dx, enzyme_dup, (T*)scratch, (T*)dscratch,
                            enzyme_dupnoneed, (T*)out, (T*)dout, enzyme_const, (int)N);
  check("ds", d, want[2 * N], kTolerance<T>);
  check_all("dscratch", dscratch, want, N);
  check_all("dout", dout, want + N, N);
  check_all("scratch", scratch, value, N);
  d = __tapefree_fwddiff<T>((void*)f<T>, tapefree_dup, x[N], dx[N], tapefree_dupnoneed, (const T*)x, (const T*)dx, tapefree_dupnoneed, (T*)scratch, (T*)dscratch,
                            tapefree_dup, (T*)out, (T*)dout, tapefree_const, (int)N);
  check("ds again", d, want[2 * N], kTolerance<T>);
  check_all("dout again", dout, want + N, N);
  check_all("out", out, value + N, N);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
