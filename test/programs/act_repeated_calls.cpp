// The gradient called many times gives bit-equal results and leaves nothing on the heap (fixed, growing and allocating primals).
#include "support.hpp"

template <class T> static T fixed(const T* x, int n) {
  T a[16], s = T(0);
  for (int i = 0; i < n; ++i) a[i] = x[i];
  for (int k = 0; k < 5; ++k)
    for (int i = 0; i < n; ++i) s += (a[i] = sin(a[i]) * a[(i + 1) % n] + x[i]);
  return s;
}
template <class T> static T growing(const T* x, int n) {
  T v = x[0], s = T(0);
  int i = 0;
  while (v < T(500)) {
    v = v * (T(1) + x[i % n] * x[i % n] * T(0.2)) + T(0.01);
    s += v * x[i++ % n];
    if (s > T(1e7)) return s;
  }
  return s * T(0.001);
}
template <class T> static T allocating(const T* x, int n) {
  T* buffer = new T[n];
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    buffer[i] = x[i] * x[i];
    T* small = new T(buffer[i / 2] * x[i]);
    s += *small * *small;
    if (s > T(1e6)) {
      delete small;
      delete[] buffer;
      return T(0);
    }
    delete small;
  }
  for (int i = 0; i < n; ++i) s += buffer[i] * buffer[n - 1 - i];
  delete[] buffer;
  return s;
}

// One copy of the call, so that -ffast-math cannot shape two copies differently.
template <class T, T (*F)(const T*, int)> NOINLINE static void gradient(const T* x, T* dx, int n) {
  std::memset(dx, 0, sizeof(T) * n);
  __enzyme_autodiff<void>((void*)F, enzyme_dup, x, dx, enzyme_const, n);
}

template <class T> static void run(int argc) {
  constexpr int n = 12;
  T x[n], first[n], dx[n];
  double want[n];
  fill(x, n, 400, 0.3, 1.2);
#define TRY(f)                                                       \
  reference(want, x, n, [&](auto* p) { return f(p, n); });           \
  if (argc == 1) {                                                   \
    int different = 0;                                               \
    gradient<T, f<T>>(x, first, n);                                  \
    check_all(#f, first, want, n);                                   \
    check_no_leak(#f, 300, [&] {                                     \
      gradient<T, f<T>>(x, dx, n);                                   \
      different += std::memcmp(dx, first, sizeof dx) != 0;           \
    });                                                              \
    check_true(#f " repeats bit for bit", different == 0);           \
  }
  TRY(fixed) TRY(growing) TRY(allocating)
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
