// Gradients are added: shadows that start non-zero keep their values, also through const-qualified and repeated reads.
#include "support.hpp"

template <class T> static T f(const T* x, T* io, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i] * io[i];
    io[i] = io[i] * x[0];                                // overwritten: this shadow is a seed
  }
  return s + x[n - 1] * x[n - 1];
}

template <class T> static void run(int argc) {
  constexpr int n = 5;
  T x[2 * n], io[n], dx[n], dio[n], start[n], seed[n];
  double want[2 * n], total[n];
  fill(x, 2 * n, 390, -1, 1);
  fill(start, n, 391, -3, 3);
  fill(seed, n, 392, -1, 1);
  reference(want, x, 2 * n, [&](auto* p) {
    auto s = f(p, p + n, n);
    for (int i = 0; i < n; ++i) s += p[n + i] * seed[i];
    return s;
  });
  if (argc > 1) return;
  std::memcpy(dx, start, sizeof start);
  for (int i = 0; i < n; ++i) total[i] = start[i];
  for (int times = 0; times < 3; ++times) {
    std::memcpy(io, x + n, sizeof io);
    std::memcpy(dio, seed, sizeof seed);
    __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_dup, (T*)io, dio, enzyme_const, n);
    for (int i = 0; i < n; ++i) total[i] += want[i];
    check_all("added", dx, total, n);
    check_all("in-out", dio, want + n, n);
  }
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
