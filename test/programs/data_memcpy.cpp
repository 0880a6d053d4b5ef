// memcpy of active arrays: whole, partial, run-time lengths, chains of copies, copies of sub-ranges, single elements.
#include "support.hpp"

template <class T> static T f(const T* x, T* out, int n, int part) {
  T a[8], b[8];
  std::memcpy(a, x, sizeof(T) * n);
  std::memcpy(b, a, sizeof b);                          // fixed size
  for (int i = 0; i < part; ++i) a[i] = a[i] * a[i];
  std::memcpy(b + 1, a, sizeof(T) * part);              // a run-time part, over old values
  std::memcpy(out, b, sizeof(T) * n);
  T s = T(0), t;
  for (int i = 0; i < n; ++i) {
    std::memcpy(&t, &b[n - 1 - i], sizeof t);           // one element, as in type-punning code
    s += t * x[i] * T(i + 1);
    std::memcpy(&b[i], &s, sizeof s);
  }
  for (int i = 0; i < n; ++i) s += b[i] * T(0.1);
  return s;
}

template <class T> static void run(int argc, int part) {
  constexpr int n = 8;
  T x[n], dx[n] = {}, out[n] = {}, dout[n], seed[n];
  double want[n];
  fill(x, n, 218, -1, 1);
  fill(seed, n, 219, -1, 1);
  reference(want, x, n, [&](auto* p) {
    std::remove_reference_t<decltype(*p)> o[n], s = f<std::remove_reference_t<decltype(*p)>>(p, o, n, part);
    for (int i = 0; i < n; ++i) s += o[i] * seed[i];
    return s;
  });
  if (argc > 1) return;
  std::memcpy(dout, seed, sizeof seed);
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_dup, (T*)out, dout, enzyme_const, n, enzyme_const, part);
  check_all("dx", dx, want, n);
  check_zero("consumed", dout, n);
}

int main(int argc, char**) {
  for (int part : {0, 3, 7}) run<double>(argc, part);
  run<float>(argc, 5);
  return finish();
}
