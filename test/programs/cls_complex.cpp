// std::complex: arithmetic with it and with numbers, conj, norm, polynomials, a Mandelbrot-like orbit.
// FLAGS: -fcx-limited-range
#include "compare.hpp"
#include <complex>

template <class T> static T f(const T *x, int n) {
  typedef std::complex<T> C;
  C z(0, 0), sum(0, 0);
  for (int i = 0; i + 1 < n; ++i) {
    C c(x[i], x[i + 1]);
    z = z * z * T(0.3) + c;
    sum += std::conj(z) * c - c / (z + C(2, 0));
    sum *= T(0.5);
    sum -= C(x[0], 0);
  }
  return std::norm(sum) + sum.real() * z.imag();
}

int main() {
  compare_at<f<float>, f<double>>("complex", 6, -1, 1);
  return finish();
}
