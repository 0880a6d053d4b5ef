// NOLANES: counts heap calls
// A while loop whose trip count only the data knows: what is kept grows geometrically, so the calls are few.
#define TAPEFREE_COUNT_HEAP
#include "support.hpp"

enum { kSize = 3 };

template <class T> static T f(T* x, int n) {
  T v = x[0], time = T(0);
  while (time < T(n)) {                                  // about n trips
    v = v - T(0.01) * sin(v) * v + T(0.001) * x[1];
    time += T(1) + T(0.01) * v;
  }
  return v * v + x[2] * v + time - T(n);
}

template <class T> static void run(int argc, int n, int checked) {
  static T x[kSize], dx[kSize];
  static double want[kSize];
  fill(x, kSize, 506, 0.2, 0.3);
  std::memset(dx, 0, sizeof dx);
  reference(want, x, kSize, [&](auto* p) { return f(p, checked); });
  if (argc > 1) return;
  heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (T*)x, dx, enzyme_const, checked); });
  check_all("dx", dx, want, kSize);
  fill(x, kSize, 506, 0.2, 0.3);
  HeapUse use = heap_use([&] { __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (T*)x, dx, enzyme_const, n); });
  check_at_most("heap calls", use.calls, 64);
  check_at_most("peak bytes", use.peak, 6L * 8 * n);
  check_at_most("bytes left", use.left, 0);
}

int main(int argc, char**) {
  check_heap_counters();
  run<double>(argc, 40000, 30);
  run<float>(argc, 40000, 30);
  return finish();
}
