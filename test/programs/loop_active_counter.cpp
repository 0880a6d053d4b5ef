// Loops whose counter is itself active: integration from x to y by a step computed from both.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T total = T(0);
  T lo = x[0], hi = x[1] + T(2), h = (hi - lo) / T(8.5);
  for (T t = lo; t < hi; t += h) total += h * (x[2] * t * t + sin(t * x[3]));
  for (T t = x[2]; t < T(20); t = t * x[3] + t) total += t * T(0.1);
  return total * T(n);
}

template <class T> static void run(int argc, int n) {
  T x[4], dx[4] = {};
  double want[4];
  fill(x, 4, 111, 0.5, 1.1);
  reference(want, x, 4, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 4);
}

int main(int argc, char**) {
  run<double>(argc, 4);
  run<float>(argc, 4);
  return finish();
}
