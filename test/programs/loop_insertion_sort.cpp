// Insertion sort of active values in a local array, then a weighted sum that depends on the order.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T a[9];
  for (int i = 0; i < n; ++i) {
    T key = x[i] * x[i] + x[i] * T(0.3);
    int j = i - 1;
    while (j >= 0 && a[j] > key) {
      a[j + 1] = a[j];
      --j;
    }
    a[j + 1] = key;
  }
  T s = T(0), w = T(1);
  for (int i = 0; i < n; ++i) {
    s += w * a[i];
    w = w * T(0.5) + a[i] * T(0.25);
  }
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[9], dx[9] = {};
  double want[9];
  fill(x, 9, 118, -1, 1);
  reference(want, x, 9, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 9);
}

int main(int argc, char**) {
  run<double>(argc, 9);
  run<float>(argc, 9);
  run<double>(argc, 2);
  run<float>(argc, 2);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
