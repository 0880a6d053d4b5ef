// LU factorisation in place with partial pivoting (row swaps by data), then a solve and a determinant.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T a[16], b[4];
  for (int i = 0; i < n * n; ++i) a[i] = x[i];
  for (int i = 0; i < n; ++i) {
    a[i * n + i] += T(i == 1 ? 0.1 : 2.5);             // the second pivot is small: a swap is needed
    b[i] = x[16 + i];
  }
  T determinant = T(1);
  for (int k = 0; k < n; ++k) {
    int pivot = k;
    for (int i = k + 1; i < n; ++i)
      if (fabs(a[i * n + k]) > fabs(a[pivot * n + k])) pivot = i;
    if (pivot != k) {
      for (int j = 0; j < n; ++j) {
        T t = a[k * n + j];
        a[k * n + j] = a[pivot * n + j];
        a[pivot * n + j] = t;
      }
      T t = b[k];
      b[k] = b[pivot];
      b[pivot] = t;
      determinant = -determinant;
    }
    determinant *= a[k * n + k];
    for (int i = k + 1; i < n; ++i) {
      a[i * n + k] /= a[k * n + k];
      for (int j = k + 1; j < n; ++j) a[i * n + j] -= a[i * n + k] * a[k * n + j];
      b[i] -= a[i * n + k] * b[k];
    }
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) b[i] -= a[i * n + j] * b[j];
    b[i] /= a[i * n + i];
  }
  T s = determinant * T(0.2);
  for (int i = 0; i < n; ++i) s += b[i] * b[i];
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[20], dx[20] = {};
  double want[20];
  fill(x, 20, 201, -1, 1);
  reference(want, x, 20, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 20);
}

int main(int argc, char**) {
  run<double>(argc, 4);
  run<float>(argc, 4);
  run<double>(argc, 2);
  run<float>(argc, 2);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
