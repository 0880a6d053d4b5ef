// NOLANES: counts heap calls
// Triangular loops: over read-only data nothing is kept; a recurrence along each row keeps no more than the triangle.
#define TAPEFREE_COUNT_HEAP
#include "support.hpp"

enum { kSize = 300 };

template <class T> static T f(T* x, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    T run = T(1);
    for (int j = 0; j < i; ++j) {
      run = sin(run) * T(0.5) + x[i] * x[j];
      s += run * run * T(0.01);
    }
  }
  return s;
}
template <class T> static T pairs(const T* x, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) s += sin(x[i] * x[j]) * x[j];
  return s;
}

template <class T> static void run(int argc, int n, int checked) {
  static T x[kSize], dx[kSize];
  static double want[kSize];
  fill(x, kSize, 505, -1, 1);
  std::memset(dx, 0, sizeof dx);
  reference(want, x, kSize, [&](auto* p) { return f(p, checked); });
  if (argc > 1) return;
  heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (T*)x, dx, enzyme_const, checked); });
  check_all("dx", dx, want, kSize);
  fill(x, kSize, 505, -1, 1);
  HeapUse use = heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (T*)x, dx, enzyme_const, n); });
  check_at_most("heap calls", use.calls, 16);
  check_at_most("peak bytes", use.peak, (long)sizeof(T) * n * n + 8192);
  check_at_most("bytes left", use.left, 0);
  HeapUse none = heap_use([&] { __tapefree_autodiff<void>((void*)pairs<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n); });
  check_at_most("heap calls of pairs", none.calls, 0);
}

int main(int argc, char**) {
  check_heap_counters();
  run<double>(argc, kSize, 20);
  run<float>(argc, kSize, 20);
  return finish();
}
