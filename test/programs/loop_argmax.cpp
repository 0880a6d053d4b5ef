// Positions chosen by data: argmax, argmin and a median index used for later loads and stores.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  int hi = 0, lo = 0;
  for (int i = 1; i < n; ++i) {
    if (x[i] > x[hi]) hi = i;
    if (x[i] < x[lo]) lo = i;
  }
  T a[10];
  for (int i = 0; i < n; ++i) a[i] = x[i] / (T(1) + x[hi] * x[hi]);
  a[lo] = a[lo] * x[hi] * T(3);
  a[(lo + hi) % n] += x[lo] * x[lo];
  int rank = (int)val(fabs(x[hi]) * T(1.3));
  T s = a[rank] * T(5);
  for (int i = 0; i < n; ++i) {
    int nearest = 0;
    for (int j = 1; j < n; ++j)
      if (fabs(x[j] - a[i]) < fabs(x[nearest] - a[i])) nearest = j;
    s += x[nearest] * a[i];
  }
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[10], dx[10] = {};
  double want[10];
  fill(x, 10, 600, -2, 2);
  reference(want, x, 10, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 10);
}

int main(int argc, char**) {
  run<double>(argc, 10);
  run<float>(argc, 10);
  run<double>(argc, 5);
  run<float>(argc, 5);
  return finish();
}
