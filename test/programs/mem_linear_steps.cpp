// NOLANES: counts heap calls
// n linear in-place steps (their partial derivatives are constants): nothing is kept at all.
#define TAPEFREE_COUNT_HEAP
#include "support.hpp"

enum { kSize = 40 };

template <class T> static T f(T* x, int n) {
  for (int step = 0; step < n; ++step) {
    for (int i = 1; i < kSize; ++i) x[i] = T(0.5) * x[i] + T(0.25) * x[i - 1];
    for (int i = kSize - 2; i >= 0; --i) x[i] += T(0.125) * x[i + 1];
  }
  T s = T(0);
  for (int i = 0; i < kSize; ++i) s += x[i] * T(i % 5 - 2);
  return s;
}

template <class T> static void run(int argc, int n, int checked) {
  static T x[kSize], dx[kSize];
  static double want[kSize];
  fill(x, kSize, 504, -1, 1);
  std::memset(dx, 0, sizeof dx);
  reference(want, x, kSize, [&](auto* p) { return f(p, checked); });
  if (argc > 1) return;
  heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (T*)x, dx, enzyme_const, checked); });
  check_all("dx", dx, want, kSize);
  fill(x, kSize, 504, -1, 1);
  HeapUse use = heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (T*)x, dx, enzyme_const, n); });
  check_at_most("heap calls", use.calls, 0);
}

int main(int argc, char**) {
  check_heap_counters();
  run<double>(argc, 500, 12);
  run<float>(argc, 500, 12);
  return finish();
}
