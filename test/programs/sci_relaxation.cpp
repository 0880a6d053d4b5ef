// Jacobi with two buffers that change places, and successive over-relaxation in place, on a grid with an edge that is the input.
#include "compare.hpp"

enum { N = 6 };
template <class T> static void border(T *u, const T *x, int n) {
  for (int i = 0; i < N * N; ++i)
    u[i] = 0;
  for (int i = 0; i < n; ++i)
    u[i] = x[i];
}
template <class T> static T jacobi(const T *x, int n) {
  T a[N * N], b[N * N], *u = a, *v = b;
  border(a, x, n);
  border(b, x, n);
  for (int s = 0; s < 7; ++s) {
    for (int i = 1; i < N - 1; ++i)
      for (int j = 1; j < N - 1; ++j)
        v[i * N + j] = T(0.25) * (u[(i - 1) * N + j] + u[(i + 1) * N + j] + u[i * N + j - 1] + u[i * N + j + 1]);
    T *t = u;
    u = v;
    v = t;
  }
  T s = 0;
  for (int i = 0; i < N * N; ++i)
    s += u[i] * u[i];
  return s;
}
template <class T> static T sor(const T *x, int n) {
  T u[N * N], omega = T(1.5) + T(0.1) * x[0];
  border(u, x, n);
  for (int s = 0; s < 7; ++s)
    for (int i = 1; i < N - 1; ++i)
      for (int j = 1; j < N - 1; ++j) {
        T &c = u[i * N + j];
        c += omega * (T(0.25) * (u[(i - 1) * N + j] + u[(i + 1) * N + j] + u[i * N + j - 1] + u[i * N + j + 1]) - c);
      }
  T s = 0;
  for (int i = 0; i < N * N; ++i)
    s += u[i] * u[i];
  return s;
}

int main() {
  compare_at<jacobi<float>, jacobi<double>>("jacobi", 6, -1, 1);
  compare_at<sor<float>, sor<double>>("sor", 6, -1, 1);
  return finish();
}
