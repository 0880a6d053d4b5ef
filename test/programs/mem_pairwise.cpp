// NOLANES: counts heap calls
// A double loop over all pairs of read-only data: nothing is kept, the heap is not touched.
#define TAPEFREE_COUNT_HEAP
#include "support.hpp"

enum { kSize = 3 * 60 };

template <class T> static T f(const T* p, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      T r2 = T(0);
      for (int k = 0; k < 3; ++k) {
        T d = p[3 * i + k] - p[3 * j + k];
        r2 += d * d;
      }
      s += exp(-r2) / (T(1) + r2);
    }
  return s;
}

template <class T> static void run(int argc, int n, int checked) {
  static T x[kSize], dx[kSize];
  static double want[kSize];
  fill(x, kSize, 501, -1, 1);
  std::memset(dx, 0, sizeof dx);
  reference(want, x, kSize, [&](auto* p) { return f(p, checked); });
  if (argc > 1) return;
  heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, checked); });
  check_all("dx", dx, want, kSize);
  fill(x, kSize, 501, -1, 1);
  HeapUse use = heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n); });
  check_at_most("heap calls", use.calls, 0);
}

int main(int argc, char**) {
  check_heap_counters();
  run<double>(argc, kSize / 3, 20);
  run<float>(argc, kSize / 3, 20);
  return finish();
}
