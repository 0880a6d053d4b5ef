// Unsigned, 64-bit, 16-bit and 8-bit counters, with wrap-around and size_t differences.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T s = T(0.5);
  for (unsigned i = 0; i < (unsigned)n; ++i) s = s * T(0.75) + x[i] * x[i];
  for (unsigned long i = 0, end = (unsigned long)n; i != end; ++i) s += sin(x[i] * s);
  for (long i = (long)n - 1; i > -1; --i) s = s * x[i] + T(1);
  for (std::size_t i = (std::size_t)n - 1; i < (std::size_t)n; --i) s += x[i] * s * T(0.125);  // ends by wrapping
  for (short i = 0; i < n; i += 2) s -= x[i] * x[i] * s * T(0.25);
  for (unsigned char i = 0; i < (unsigned char)n; ++i) s = s * T(0.9) + x[i] * T(double(i));
  long long big = 4000000000LL;
  for (long long i = big; i < big + n; ++i) s += x[i - big] * s * T(0.1);
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[12], dx[12] = {};
  double want[12];
  fill(x, 12, 109, -1, 1);
  reference(want, x, 12, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 12);
}

int main(int argc, char**) {
  run<double>(argc, 12);
  run<float>(argc, 12);
  run<double>(argc, 5);
  run<float>(argc, 5);
  return finish();
}
