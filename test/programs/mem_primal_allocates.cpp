// NOLANES: counts heap calls
// A primal that allocates: its own call, a shadow and a bounded rest; all released on every way out; 1000 calls leak nothing.
#define TAPEFREE_COUNT_HEAP
#include "support.hpp"

template <class T> static T once(const T* x, int n) {
  T* a = (T*)std::malloc(sizeof(T) * n);
  for (int i = 0; i < n; ++i) a[i] = x[i] * x[i];
  T s = T(0);
  for (int i = 0; i < n; ++i) s += a[i] * a[n - 1 - i] * x[i];
  std::free(a);
  return s;
}
template <class T> static T leaving(const T* x, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    T* a = new T[3];
    for (int k = 0; k < 3; ++k) a[k] = x[i] * T(k) + s * s * T(0.1);
    s = a[0] * a[2] + sin(a[1]);
    delete[] a;
    if (s > T(2.5)) return s * x[0];
    if (s < T(-2.5)) break;
  }
  return s - x[n - 1];
}

template <class T> static void run(int argc) {
  constexpr int n = 50;
  T x[n], dx[n] = {};
  double want[n];
  fill(x, n, 510, 0.1, 0.9);
  reference(want, x, n, [&](auto* p) { return once(p, n); });
  if (argc == 1) {
    HeapUse use = heap_use([&] { __enzyme_autodiff<void>((void*)once<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n); });
    check_all("once", dx, want, n);
    check_at_most("heap calls", use.calls, 4);
    check_at_most("peak bytes", use.peak, 4 * (long)sizeof x + 64);
    check_at_most("bytes left", use.left, 0);
  }
  for (double up : {0.0, 1.0}) {                         // to the end, and out by the early return
    for (T& v : x) v += T(up);
    reference(want, x, n, [&](auto* p) { return leaving(p, n); });
    if (argc > 1) continue;
    HeapUse use = heap_use([&] {
      for (int k = 0; k < 1000; ++k) {
        std::memset(dx, 0, sizeof dx);
        __tapefree_autodiff<void>((void*)leaving<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
      }
    });
    check_all("leaving", dx, want, n);
    check_at_most("bytes left by 1000 calls", use.left, 0);
  }
}

int main(int argc, char**) {
  check_heap_counters();
  run<double>(argc);
  run<float>(argc);
  return finish();
}
