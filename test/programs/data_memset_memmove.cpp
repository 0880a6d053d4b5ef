// memset to zero cuts derivatives, memmove shifts them, in local arrays and in the caller's memory (in and out).
#include "support.hpp"

template <class T> static T f(T* x, int n, int shift) {
  T history[4];
  std::memset(history, 0, sizeof history);
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    std::memmove(history + 1, history, sizeof(T) * 3);           // a delay line
    history[0] = x[i] * x[i];
    s += history[0] * history[3] + history[1] * history[2];
    if (i == 5) std::memset(history + 1, 0, sizeof(T) * 2);
  }
  std::memmove(x + shift, x, sizeof(T) * (n - shift));            // overlaps
  std::memset(x, 0, sizeof(T) * shift);
  for (int i = 0; i < n; ++i) s += x[i] * T(i + 1) * x[n - 1];
  return s;
}

template <class T> static void run(int argc, int shift) {
  constexpr int n = 9;
  T x[n], y[n], dy[n], seed[n];
  double want[n];
  fill(x, n, 221, -1, 1);
  fill(seed, n, 222, -1, 1);
  reference(want, x, n, [&](auto* p) {
    auto s = f(p, n, shift);
    for (int i = 0; i < n; ++i) s += p[i] * seed[i];
    return s;
  });
  if (argc > 1) return;
  std::memcpy(y, x, sizeof x);
  std::memcpy(dy, seed, sizeof seed);
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (T*)y, dy, enzyme_const, n, enzyme_const, shift);
  check_all("dx", dy, want, n);
}

int main(int argc, char**) {
  for (int shift : {0, 2, 9}) run<double>(argc, shift);
  run<float>(argc, 1);
  return finish();
}
