// std::min, std::max and std::clamp return references: the derivative must reach the chosen variable through a pointer.
#include <algorithm>
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T s = T(0), low = T(-0.4), high = T(0.9) + x[0] * T(0.01);
  for (int i = 0; i + 1 < n; ++i) {
    const T& m = std::min(x[i], x[i + 1]);
    s += m * std::max(x[i] * x[i], x[i + 1]);
    s += std::clamp(x[i], low, high) * x[i + 1];
    s += std::max({x[i], x[i + 1], s * T(0.2)});
  }
  T a = x[0], b = x[1];
  T& target = a < b ? a : b;                  // written through the reference
  target *= x[2];
  return s + a * T(3) + b * b;
}

template <class T> static void run(int argc) {
  constexpr int n = 7;
  T x[n], dx[n] = {};
  double want[n];
  fill(x, n, 50, -1, 1.5);
  reference(want, x, n, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, n);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
