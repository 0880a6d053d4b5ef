// dupnoneed: the values of an output are not needed, only its shadow; also beside outputs that are needed.
#include "support.hpp"

template <class T> static void f(const T* x, T* a, T* b, int n) {
  for (int i = 0; i < n; ++i) {
    T s = sin(x[i]) * x[(i + 1) % n];
    a[i] = s * s;
    b[i] = a[i] * x[i] + s;
  }
}

template <class T> static void run(int argc) {
  constexpr int n = 6;
  T x[n], seed[2 * n], a[n], b[n], da[n], db[n];
  double want[n];
  fill(x, n, 380, -1, 1);
  fill(seed, 2 * n, 381, -1, 1);
  reference(want, x, n, [&](auto* p) {
    using S = std::remove_reference_t<decltype(*p)>;
    S u[n], v[n], s = S(0);
    f<S>(p, u, v, n);
    for (int i = 0; i < n; ++i) s += u[i] * seed[i] + v[i] * seed[n + i];
    return s;
  });
  if (argc > 1) return;
  for (int which = 0; which < 3; ++which) {
    T dx[n] = {};
    std::memcpy(da, seed, sizeof da);
    std::memcpy(db, seed + n, sizeof db);
    for (int i = 0; i < n; ++i) a[i] = b[i] = 0;
    if (which == 0)
      __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_dupnoneed, (T*)a, da, enzyme_dupnoneed, (T*)b, db, enzyme_const, n);
    else if (which == 1)
      __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_dup, (T*)a, da, enzyme_dupnoneed, (T*)b, db, enzyme_const, n);
    else
      __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_dupnoneed, (T*)a, da, tapefree_dup, (T*)b, db, tapefree_const, n);
    check_all("dx", dx, want, n);
    check_zero("a consumed", da, n);
    check_zero("b consumed", db, n);
    if (which == 1) check("a kept", a[3], std::pow(std::sin(x[3]) * x[4], 2), kTolerance<T>);
  }
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
