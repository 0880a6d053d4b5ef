// NOLANES: counts heap calls
// A local scratch array that every iteration fills again: at most one iteration of it is kept, not all of them.
#define TAPEFREE_COUNT_HEAP
#include "support.hpp"

enum { kSize = 64 };

template <class T> static T f(const T* x, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    T scratch[64];
    for (int j = 0; j < 64; ++j) scratch[j] = sin(x[j] * T(i % 7) + x[(i + j) % 64]);
    for (int j = 0; j < 64; ++j) s += scratch[j] * scratch[63 - j] * x[i % 64] * T(0.01);
  }
  return s;
}

template <class T> static void run(int argc, int n, int checked) {
  static T x[kSize], dx[kSize];
  static double want[kSize];
  fill(x, kSize, 502, -1, 1);
  std::memset(dx, 0, sizeof dx);
  reference(want, x, kSize, [&](auto* p) { return f(p, checked); });
  if (argc > 1) return;
  heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, checked); });
  check_all("dx", dx, want, kSize);
  fill(x, kSize, 502, -1, 1);
  HeapUse use = heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n); });
  check_at_most("heap calls", use.calls, 8);
  check_at_most("peak bytes", use.peak, 4 * 64 * 8);
}

int main(int argc, char**) {
  check_heap_counters();
  run<double>(argc, 4000, 40);
  run<float>(argc, 4000, 40);
  return finish();
}
