// Fixed matrices T[4][4]: products, transposes in place, a power of a matrix through two local matrices, a determinant.
#include "support.hpp"

template <class T> static void multiply(T (*c)[4], const T (*a)[4], const T (*b)[4]) {
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      T s = T(0);
      for (int k = 0; k < 4; ++k) s += a[i][k] * b[k][j];
      c[i][j] = s;
    }
}
template <class T> static void f(const T (*a)[4], T (*out)[4], int power) {
  T p[4][4], q[4][4];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) p[i][j] = T(i == j);
  for (int k = 0; k < power; ++k) {
    multiply(q, p, a);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) p[i][j] = q[j][i] * T(0.5);   // transposed back
  }
  multiply(out, p, q);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) {
      T t = out[i][j];
      out[i][j] = out[j][i] + a[i][j];
      out[j][i] = t * a[j][i];
    }
}

template <class T> static void run(int argc) {
  T a[4][4], da[4][4] = {}, out[4][4] = {}, dout[4][4], seed[4][4];
  double want[16];
  fill(&a[0][0], 16, 213, -0.9, 0.9);
  fill(&seed[0][0], 16, 214, -1, 1);
  reference(want, &a[0][0], 16, [&](auto* p) {
    using S = std::remove_reference_t<decltype(*p)>;
    S m[4][4], o[4][4], s = S(0);
    for (int i = 0; i < 16; ++i) m[i / 4][i % 4] = p[i];
    f<S>(m, o, 3);
    for (int i = 0; i < 16; ++i) s += o[i / 4][i % 4] * seed[i / 4][i % 4];
    return s;
  });
  if (argc > 1) return;
  std::memcpy(dout, seed, sizeof seed);
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T(*)[4])a, da, enzyme_dup, (T(*)[4])out, dout, enzyme_const, 3);
  check_all("da", &da[0][0], want, 16);
  check_zero("consumed", &dout[0][0], 16);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
