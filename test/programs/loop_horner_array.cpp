// Horner's scheme in an array: repeated synthetic division overwrites the coefficients (Taylor shift).
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T c[8], at = x[8] * T(0.5);
  for (int i = 0; i < n; ++i) c[i] = x[i];
  for (int i = 0; i < n; ++i)
    for (int j = n - 2; j >= i; --j) c[j] += at * c[j + 1];
  T s = T(0);
  for (int i = 0; i < n; ++i) s += c[i] * c[i] * T(i + 1);
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[9], dx[9] = {};
  double want[9];
  fill(x, 9, 114, -1, 1);
  reference(want, x, 9, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 9);
}

int main(int argc, char**) {
  run<double>(argc, 8);
  run<float>(argc, 8);
  run<double>(argc, 2);
  run<float>(argc, 2);
  return finish();
}
