// A const buffer that is only written, with active values, and never read back: it gets its values and no derivative.
#include "support.hpp"

template <class T> static T f(const T* __restrict x, T* __restrict log, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    T v = x[i] * x[i] + sin(x[n - 1 - i]);
    log[i] = v;                                          // for the caller's eyes only
    s += v * v + x[i];
  }
  return s;
}

template <class T> static void run(int argc) {
  constexpr int n = 6;
  T x[n], dx[n] = {}, log[n] = {}, plain[n];
  double want[n];
  fill(x, n, 442, -1, 1);
  reference(want, x, n, [&](auto* p) {
    std::remove_reference_t<decltype(*p)> l[n];
    return f<std::remove_reference_t<decltype(*p)>>(p, l, n);
  });
  if (argc > 1) return;
  f((const T*)x, (T*)plain, n);
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, (T*)log, tapefree_const, n);
  check_all("dx", dx, want, n);
  check_all("log", log, plain, n);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
