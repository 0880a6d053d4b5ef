// A malloc'd scratch buffer: allocated once, filled and overwritten in a loop, freed at the end.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T* scratch = (T*)std::malloc(sizeof(T) * n);
  for (int i = 0; i < n; ++i) scratch[i] = x[i];
  T s = T(0);
  for (int round = 0; round < 4; ++round)
    for (int i = 0; i < n; ++i) {
      scratch[i] = scratch[i] * scratch[(i + 1) % n] + x[i] * T(0.5);
      s += scratch[i] * sin(scratch[n - 1 - i]);
    }
  std::free(scratch);
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[8], dx[8] = {};
  double want[8];
  fill(x, 8, 301, -1, 1);
  reference(want, x, 8, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 8);
}

int main(int argc, char**) {
  run<double>(argc, 8);
  run<float>(argc, 8);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
