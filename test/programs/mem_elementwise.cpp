// NOLANES: counts heap calls
// Elementwise loops over restrict buffers, every intermediate in caller memory: the gradient touches the heap not once.
#define TAPEFREE_COUNT_HEAP
#include "support.hpp"

template <class T>
static T f(const T* __restrict x, T* __restrict u, T* __restrict v, int n) {
  for (int i = 0; i < n; ++i) u[i] = sin(x[i]) * x[i];
  for (int i = 0; i < n; ++i) v[i] = exp(-u[i]) + u[i] * u[i];
  T s = 0;
  for (int i = 0; i < n; ++i) s += sqrt(v[i]) * x[i];
  return s;
}

template <class T> static void run(int argc) {
  constexpr int n = 300;
  static T x[n], u[n], v[n], dx[n], du[n], dv[n];
  static double want[n];
  fill(x, n, 1, 0.3, 1.5);
  reference(want, x, n, [&](auto* p) {
    using S = std::remove_reference_t<decltype(*p)>;
    static S a[n], b[n];
    return f<S>(p, a, b, n);
  });
  if (argc > 1) return;
  HeapUse use = heap_use([&] {
    __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_dup, (T*)u, du, enzyme_dup, (T*)v, dv,
                            enzyme_const, n);
  });
  check_all("dx", dx, want, n);
  check_at_most("heap calls", use.calls, 0);
}

int main(int argc, char**) {
  check_heap_counters();
  run<double>(argc);
  run<float>(argc);
  return finish();
}
