// Conversions between integers and floating point: signed, unsigned, 64 bit, bool and char; truncations cut the derivative.
#include "support.hpp"

template <class T> static T f(const T* x, int n, unsigned long scale, signed char shift) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    int whole = (int)val(x[i]);                   // an inactive copy of active data
    unsigned rounded = (unsigned)(val(x[i]) + T(0.5) > T(2) ? 3 : 1);
    long big = (long)i * 100000;
    bool odd = i & 1;
    s += x[i] * T(whole) + (x[i] - T(whole)) * T(rounded) + T(double(big)) * x[i] * T(1e-5);
    s += T(odd) * x[i] * x[i] + T(double(scale)) * x[i] * T(1e-3) - T(shift) * x[i];
  }
  return s;
}

template <class T> static void run(int argc) {
  constexpr int n = 5;
  T x[n] = {0.25, 1.375, 2.75, 3.125, -1.625}, dx[n] = {};
  double want[n];
  reference(want, x, n, [&](auto* p) { return f(p, n, 12345ul, (signed char)-3); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n, enzyme_const, 12345ul, enzyme_const,
                          (signed char)-3);
  check_all("dx", dx, want, n);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
