// The shadow of an output is the seed: zero afterwards where the function wrote, kept where it did not write.
#include "support.hpp"

template <class T> static void f(const T* x, T* out, int n, int m) {
  for (int i = 0; i < m; ++i) {
    T s = T(0);
    for (int j = 0; j < n; ++j) s += x[j] * x[(i + j) % n] * T(j + 1);
    if (i % 3 != 1) out[i] = s;                          // 1, 4, ... are never written
    if (i % 3 == 2) out[i] = out[i] * x[0];              // written twice
  }
}

template <class T> static void run(int argc) {
  constexpr int n = 5, m = 7;
  T x[n], out[m], dout[m], seed[m];
  double want[n];
  fill(x, n, 350, -1, 1);
  for (int trial = 0; trial < 3; ++trial) {              // the vector-Jacobian product for several seeds
    T dx[n] = {};
    fill(seed, m, 351 + trial, -1, 1);
    reference(want, x, n, [&](auto* p) {
      using S = std::remove_reference_t<decltype(*p)>;
      S o[m], s = S(0);
      for (int i = 0; i < m; ++i) o[i] = S(1);
      f<S>(p, o, n, m);
      for (int i = 0; i < m; ++i) s += o[i] * seed[i];
      return s;
    });
    if (argc > 1) continue;
    std::memcpy(dout, seed, sizeof seed);
    for (T& o : out) o = 1;
    __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_dup, (T*)out, dout, enzyme_const, n, enzyme_const, m);
    check_all("dx", dx, want, n);
    for (int i = 0; i < m; ++i) check("seed", dout[i], i % 3 == 1 ? seed[i] : 0, 0);
    check("unwritten primal", out[4], 1, 0);
  }
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
