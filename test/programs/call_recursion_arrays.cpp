// Recursion with out-parameter arrays and local arrays in each frame: merge sort and a Haar transform.
#include "support.hpp"

template <class T> static void sort(const T* in, T* out, int n) {
  if (n == 1) {
    out[0] = in[0] * in[0] + in[0] * T(0.3);
    return;
  }
  T a[8], b[8];
  int h = n / 2, i = 0, j = 0;
  sort(in, a, h);
  sort(in + h, b, n - h);
  for (int k = 0; k < n; ++k) {
    if (j >= n - h || (i < h && a[i] < b[j])) out[k] = a[i++];
    else out[k] = b[j++];
  }
}
template <class T> static void haar(T* v, int n) {
  if (n < 2) return;
  T low[4], high[4];
  for (int i = 0; i < n / 2; ++i) {
    low[i] = (v[2 * i] + v[2 * i + 1]) * T(0.5);
    high[i] = (v[2 * i] - v[2 * i + 1]) * v[2 * i];
  }
  haar(low, n / 2);
  for (int i = 0; i < n / 2; ++i) {
    v[i] = low[i];
    v[n / 2 + i] = high[i];
  }
}
template <class T> static T f(const T* x, int n) {
  T v[8];
  sort(x, v, n);
  haar(v, n);
  T s = T(0);
  for (int i = 0; i < n; ++i) s += v[i] * v[i] * T(i + 1) + v[i];
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[8], dx[8] = {};
  double want[8];
  fill(x, 8, 313, -1, 1);
  reference(want, x, 8, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 8);
}

int main(int argc, char**) {
  run<double>(argc, 8);
  run<float>(argc, 8);
  run<double>(argc, 4);
  run<float>(argc, 4);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
