// NOLANES: counts heap calls
// Loops whose sizes are small compile-time constants: what must be kept is on the stack.
#define TAPEFREE_COUNT_HEAP
#include "support.hpp"

enum { kSize = 4 };

template <class T> static T f(T* x, int n) {
  for (int step = 0; step < 6; ++step)
    for (int i = 0; i < kSize; ++i) x[i] = sin(x[i]) * x[(i + 1) % kSize] + T(0.2);
  T s = T(n);
  for (int i = 0; i < 5; ++i) s = s * x[i % kSize] + T(0.5);
  return s;
}

template <class T> static void run(int argc, int n, int checked) {
  static T x[kSize], dx[kSize];
  static double want[kSize];
  fill(x, kSize, 507, 0.2, 0.9);
  std::memset(dx, 0, sizeof dx);
  reference(want, x, kSize, [&](auto* p) { return f(p, checked); });
  if (argc > 1) return;
  heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (T*)x, dx, enzyme_const, checked); });
  check_all("dx", dx, want, kSize);
  fill(x, kSize, 507, 0.2, 0.9);
  HeapUse use = heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (T*)x, dx, enzyme_const, n); });
  check_at_most("heap calls", use.calls, 0);
}

int main(int argc, char**) {
  check_heap_counters();
  run<double>(argc, 3, 3);
  run<float>(argc, 3, 3);
  return finish();
}
