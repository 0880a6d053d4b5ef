// In-out arguments: dx is the seed of the final values before the call and the gradient of the initial ones after it.
#include "support.hpp"

template <class T> static void f(T* x, T* carry, int n, int steps) {
  for (int s = 0; s < steps; ++s)
    for (int i = 0; i < n; ++i) {
      T old = x[i];
      x[i] = old * x[(i + 1) % n] + sin(*carry);
      *carry += old * T(0.25);
      if (i == s) x[i] += *carry * *carry;
    }
}

template <class T> static void run(int argc, int steps) {
  constexpr int n = 5;
  T x[n + 1], y[n + 1], dy[n + 1], seed[n + 1];
  double want[n + 1];
  fill(x, n + 1, 360, -0.9, 0.9);
  fill(seed, n + 1, 361, -1, 1);
  reference(want, x, n + 1, [&](auto* p) {
    f(p, p + n, n, steps);
    std::remove_reference_t<decltype(*p)> s = 0;
    for (int i = 0; i <= n; ++i) s += p[i] * seed[i];
    return s;
  });
  if (argc > 1) return;
  std::memcpy(y, x, sizeof x);
  std::memcpy(dy, seed, sizeof seed);
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (T*)y, dy, tapefree_dup, (T*)(y + n), dy + n, tapefree_const, n, tapefree_const, steps);
  check_all("dx", dy, want, n + 1);
  f(x, x + n, n, steps);
  check_all("final values kept", y, x, n + 1);
}

int main(int argc, char**) {
  for (int steps : {0, 1, 4}) run<double>(argc, steps);
  run<float>(argc, 3);
  return finish();
}
