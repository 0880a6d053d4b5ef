// && and || in conditions, with operands that may only be evaluated when the left side allows it.
#include "support.hpp"

template <class T> static T f(const T* x, const T* extra, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    if (x[i] > T(0) && (sqrt(x[i]) < T(0.7) || i % 3 == 0)) s += sqrt(x[i]) * x[i];
    if (i > 0 && x[i] * x[i - 1] < T(0)) s += x[i] * x[i - 1];
    if ((extra && extra[0] > x[i]) || x[i] > T(0.8)) s += x[i] * s * T(0.5);
    bool wild = !(x[i] < T(0.3)) || (s > T(1) && x[i] > T(-0.7));
    s += wild ? x[i] * T(3) : x[i] * x[i];
    if (extra != nullptr && i < 3) s += extra[0] * x[i];
  }
  return s;
}

template <class T> static void run(int argc) {
  constexpr int n = 9;
  T x[n + 1], dx[n + 1] = {};
  double want[n + 1];
  fill(x, n + 1, 31, -1, 1);
  reference(want, x, n + 1, [&](auto* p) { return f(p, p + n, n); });
  if (argc == 1) {
    __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_dup, (const T*)(x + n), dx + n, enzyme_const, n);
    check_all("with extra", dx, want, n + 1);
  }
  reference(want, x, n, [&](auto* p) { return f(p, decltype(p)(nullptr), n); });
  if (argc == 1) {
    std::memset(dx, 0, sizeof dx);
    __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, (const T*)nullptr, enzyme_const, n);
    check_all("without", dx, want, n);
  }
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
