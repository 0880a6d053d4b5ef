// Fast Fourier transform, recursive over strides and iterative with bit reversal; the power at some frequencies.
#include "compare.hpp"

struct C { double re, im; };
static void recursive(const double *x, C *out, int n, int stride) {
  if (n == 1) {
    *out = {*x, 0};
    return;
  }
  recursive(x, out, n / 2, 2 * stride);
  recursive(x + stride, out + n / 2, n / 2, 2 * stride);
  for (int k = 0; k < n / 2; ++k) {
    double a = -2 * M_PI * k / n, c = std::cos(a), s = std::sin(a);
    C e = out[k], o = out[k + n / 2], t = {o.re * c - o.im * s, o.re * s + o.im * c};
    out[k] = {e.re + t.re, e.im + t.im};
    out[k + n / 2] = {e.re - t.re, e.im - t.im};
  }
}
static double power(const C *out, int n) {
  double p = 0;
  for (int k = 0; k < n; ++k)
    p += (out[k].re * out[k].re + 2 * out[k].im * out[k].im) * (k + 1);
  return p / n;
}
double by_recursion(const double *x, int n) {
  C out[16];
  recursive(x, out, n, 1);
  return power(out, n);
}
double by_iteration(const double *x, int n) {
  C out[16];
  for (int i = 0, j = 0; i < n; ++i) {
    out[j] = {x[i], 0};
    int bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j |= bit;
  }
  for (int len = 2; len <= n; len <<= 1)
    for (int i = 0; i < n; i += len)
      for (int k = 0; k < len / 2; ++k) {
        double a = -2 * M_PI * k / len, c = std::cos(a), s = std::sin(a);
        C *lo = out + i + k, *hi = lo + len / 2, t = {hi->re * c - hi->im * s, hi->re * s + hi->im * c};
        *hi = {lo->re - t.re, lo->im - t.im};
        *lo = {lo->re + t.re, lo->im + t.im};
      }
  return power(out, n);
}

int main() {
  compare_at<by_recursion>("recursive", 8, -1, 1);
  compare_at<by_iteration>("iterative", 16, -1, 1);
  double x[8];
  fill(x, 8, 1, -1, 1);
  check("both", by_recursion(x, 8), by_iteration(x, 8));
  return finish();
}
