// NOLANES: counts heap calls
// A scalar recurrence over n terms keeps at most its n values (Horner), in one allocation.
#define TAPEFREE_COUNT_HEAP
#include "support.hpp"

enum { kSize = 400 };

template <class T> static T f(T* x, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) s = s * x[n] + x[i];
  return s;
}

template <class T> static void run(int argc, int n, int checked) {
  static T x[kSize], dx[kSize];
  static double want[kSize];
  fill(x, kSize, 508, 0.3, 0.9);
  std::memset(dx, 0, sizeof dx);
  reference(want, x, kSize, [&](auto* p) { return f(p, checked); });
  if (argc > 1) return;
  heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (T*)x, dx, enzyme_const, checked); });
  check_all("dx", dx, want, kSize);
  fill(x, kSize, 508, 0.3, 0.9);
  HeapUse use = heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (T*)x, dx, enzyme_const, n); });
  check_at_most("heap calls", use.calls, 2);
  check_at_most("peak bytes", use.peak, (long)sizeof(T) * (n + 8) + 64);
  check_at_most("bytes left", use.left, 0);
}

int main(int argc, char**) {
  check_heap_counters();
  run<double>(argc, kSize - 1, 30);
  run<float>(argc, kSize - 1, 30);
  return finish();
}
