// Conjugate gradients on a symmetric tridiagonal system that depends on the input, until the residual is small.
#include "compare.hpp"

template <class T> static T f(const T *x, int n) {
  T u[16] = {}, r[16], p[16], ap[16];
  T rr = 0;
  for (int i = 0; i < n; ++i)
    rr += (p[i] = r[i] = T(1) + T(0.1) * T(i)) * p[i];
  for (int step = 0; step < n && rr > T(1e-20); ++step) {
    T pap = 0;
    for (int i = 0; i < n; ++i) {
      ap[i] = (T(3) + x[i] * x[i]) * p[i];
      if (i > 0)
        ap[i] -= x[i - 1] * p[i - 1];
      if (i + 1 < n)
        ap[i] -= x[i] * p[i + 1];
      pap += p[i] * ap[i];
    }
    T alpha = rr / pap, old = rr;
    rr = 0;
    for (int i = 0; i < n; ++i) {
      u[i] += alpha * p[i];
      r[i] -= alpha * ap[i];
      rr += r[i] * r[i];
    }
    for (int i = 0; i < n; ++i)
      p[i] = r[i] + rr / old * p[i];
  }
  T s = 0;
  for (int i = 0; i < n; ++i)
    s += u[i] * u[i] * T(i + 1);
  return s;
}

int main() {
  compare_at<f<double>>("cg", 6, -0.9, 0.9);
  return finish();
}
