// Recursive functions are split: a throw deep inside, with records of calls that are done, and with local objects.
#include "forward.hpp"
#include <vector>

double tree(const double *x, int lo, int hi, int bad) {
  if (hi - lo == 1) {
    if (lo == bad)
      throw lo;
    return x[lo] * x[lo];
  }
  std::vector<double> part(2);
  int mid = (lo + hi) / 2;
  part[0] = tree(x, lo, mid, bad);
  part[1] = tree(x, mid, hi, bad);
  double sum = 0;
  for (int i = lo; i < hi; ++i)
    sum += sin(x[i] * part[0]) * part[1];
  return sum + part[0] * part[1];
}
// Records in a loop.
double many(const double *x, int n, int depth, int bad) {
  double prod = 1;
  for (int i = 0; i < n; ++i) {
    double y = depth ? many(x, n - 1, depth - 1, bad) : x[i];
    if (depth == 0 && i == bad)
      throw i;
    prod = prod * cos(y * x[i]) + y;
  }
  return prod;
}
template <auto *f> void compare(const char *what, double *x, int a, int b, int bad) {
  double dx[6] = {}, want[6], tx[6] = {1, -1, 2, 0.5, 3, -2}, along = 0;
  for (int i = 0; i < 6; ++i) {
    double at = x[i], h = 1e-6;
    x[i] = at + h;
    double up = f(x, a, b, -1);
    x[i] = at - h;
    want[i] = (up - f(x, a, b, -1)) / (2 * h);
    x[i] = at;
    along += want[i] * tx[i];
  }
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, a, enzyme_const, b, enzyme_const, -1);
  check_all(what, dx, want, 6, 1e-6);
  check(what, __enzyme_fwddiff<double>((void *)f, enzyme_dup, x, tx, enzyme_const, a, enzyme_const, b, enzyme_const, -1),
        along, 1e-6);
  int caught = -1;
  try {
    __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, a, enzyme_const, b, enzyme_const, bad);
  } catch (int k) {
    caught = k;
  }
  check("caught", caught, bad);
  caught = -1;
  try {
    __enzyme_fwddiff<double>((void *)f, enzyme_dup, x, tx, enzyme_const, a, enzyme_const, b, enzyme_const, bad);
  } catch (int k) {
    caught = k;
  }
  check("caught forward", caught, bad);
  check_all("untouched", dx, want, 6, 1e-6);
}

int main() {
  double x[6] = {0.3, 0.5, 0.7, 0.2, 0.9, 0.4};
  for (int bad = 0; bad < 6; ++bad)
    compare<tree>("tree", x, 0, 6, bad);
  for (int bad = 0; bad < 3; ++bad)
    compare<many>("many", x, 5, 2, bad);
  return finish();
}
