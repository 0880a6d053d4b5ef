// SANITIZE: address
// (UBSan puts tests into the primal before the plugin sees it, and with them this program is refused.)
// std::array, std::pair and std::tuple by value and by reference, with structured bindings.
#include <array>
#include <tuple>
#include <utility>
#include "support.hpp"

template <class T> NOINLINE static std::array<T, 3> outer(std::array<T, 3> a, const std::array<T, 3>& b) {
  std::array<T, 3> r{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) r[i] += a[i] * b[j] * a[j];
  return r;
}
template <class T> NOINLINE static std::pair<T, T> extremes(const std::array<T, 3>& a) {
  std::pair<T, T> r{a[0], a[0]};
  for (const T& v : a) {
    if (v < r.first) r.first = v;
    if (v > r.second) r.second = v;
  }
  return r;
}
template <class T> NOINLINE static std::tuple<T, int, T> describe(T v) { return {v * v, v > T(0) ? 2 : 3, sin(v)}; }

template <class T> static T f(const T* x, int n) {
  std::array<std::array<T, 3>, 3> m{};
  for (int i = 0; i < 9; ++i) m[i / 3][i % 3] = x[i];
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    m[i % 3] = outer(m[i % 3], m[(i + 1) % 3]);
    auto [low, high] = extremes(m[(i + 2) % 3]);
    auto [square, times, sine] = describe(high - low);
    s += square * T(times) + sine * low;
    std::swap(m[0], m[2]);
  }
  return s + m[0][0] * m[2][1];
}

template <class T> static void run(int argc, int n) {
  T x[9], dx[9] = {};
  double want[9];
  fill(x, 9, 324, -1, 1);
  reference(want, x, 9, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, 9);
}

int main(int argc, char**) {
  run<double>(argc, 4);
  run<float>(argc, 4);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
