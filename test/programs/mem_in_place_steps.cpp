// NOLANES: counts heap calls
// n non-linear steps over m cells in place: one value per step and cell is kept, in the type of the cells.
#define TAPEFREE_COUNT_HEAP
#include "support.hpp"

enum { kSize = 50 };

template <class T> static T f(T* x, int n) {
  for (int step = 0; step < n; ++step)
    for (int i = 0; i < kSize; ++i) x[i] = T(1.3) * x[i] * (T(1) - x[i]) + T(0.05);
  T s = T(0);
  for (int i = 0; i < kSize; ++i) s += x[i] * T(i % 5 + 1);
  return s;
}

template <class T> static void run(int argc, int n, int checked) {
  static T x[kSize], dx[kSize];
  static double want[kSize];
  fill(x, kSize, 503, 0.1, 0.6);
  std::memset(dx, 0, sizeof dx);
  reference(want, x, kSize, [&](auto* p) { return f(p, checked); });
  if (argc > 1) return;
  heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (T*)x, dx, enzyme_const, checked); });
  check_all("dx", dx, want, kSize);
  fill(x, kSize, 503, 0.1, 0.6);
  HeapUse use = heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (T*)x, dx, enzyme_const, n); });
  check_at_most("heap calls", use.calls, 16);
  check_at_most("peak bytes", use.peak, 2 * (long)sizeof(T) * n * kSize + 4096);
  check_at_most("bytes left", use.left, 0);
}

int main(int argc, char**) {
  check_heap_counters();
  run<double>(argc, 300, 12);
  run<float>(argc, 300, 12);
  return finish();
}
