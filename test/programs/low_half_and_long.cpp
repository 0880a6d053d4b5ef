// Numbers that pass through _Float16 are rounded; long double keeps more: sums in it, with conversions in and out.
#include "compare.hpp"

double sums(const double *x, int n) {
  long double s = 0, product = 1;
  for (int i = 0; i < n; ++i) {
    s += (long double)x[i] * x[i];
    product *= 1 + 0.5L * x[i];
  }
  return double(s * product);
}

void half(const double *x, double *out) { *out = double((_Float16)*x * (_Float16)*x) * *x; }

int main() {
  compare_at<sums>("long double", 5, -1, 1);
  double x = 0.75, dx = 0, y = 0, dy = 1;
  __tapefree_autodiff<void>((void *)half, tapefree_dup, (const double *)&x, &dx, tapefree_dup, &y, &dy);
  check("half", dx, 3 * x * x);
  check("value", y, x * x * x);
  return finish();
}
