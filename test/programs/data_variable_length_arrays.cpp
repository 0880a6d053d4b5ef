// Run-time sized stack memory: C variable-length arrays, one outside and one of changing size inside a loop, and alloca.
#pragma clang diagnostic ignored "-Wvla-extension"
#include <alloca.h>
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T whole[n];
  for (int i = 0; i < n; ++i) whole[i] = x[i] * x[i];
  T s = T(0);
  for (int i = 1; i < n; ++i) {
    T part[i];
    for (int j = 0; j < i; ++j) part[j] = whole[j] * x[i] + s * T(0.1);
    for (int j = 1; j < i; ++j) part[j] += part[j - 1] * part[j];
    s = s * T(0.5) + part[i - 1];
    whole[i] += s;
  }
  T* raw = (T*)alloca(sizeof(T) * n);
  for (int i = 0; i < n; ++i) raw[i] = sin(whole[n - 1 - i]);
  for (int i = 0; i < n; ++i) s += raw[i] * whole[i];
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[9], dx[9] = {};
  double want[9];
  fill(x, 9, 224, -0.9, 0.9);
  reference(want, x, 9, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 9);
}

int main(int argc, char**) {
  run<double>(argc, 9);
  run<double>(argc, 1);
  run<float>(argc, 6);
  return finish();
}
