// goto: loops made of it, a jump out of a nest, a cleanup label, one way into a loop from its middle (irreducible).
#include "compare.hpp"

double f(const double *x, int n) {
  double s = 1;
  int i = 0;
again:
  s = s * x[i] + x[(i + 1) % n];
  if (++i < n)
    goto again;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) {
      if (a * b > 4)
        goto out;
      s += x[a] * x[b];
    }
out:
  return s * s;
}
double irreducible(const double *x, int n) {
  double s = x[0];
  int i = 0;
  if (x[1] > 0)
    goto middle;
top:
  s = s * x[i % n] + 1;
middle:
  s += x[(i + 1) % n] * 0.5;
  if (++i < n + 2)
    goto top;
  return s * s;
}

int main() {
  compare_at<f>("goto", 5, -1, 1);
  double x[4] = {0.3, 0.5, -0.7, 0.9};
  compare<irreducible>("into the middle", x, 4);
  x[1] = -0.5;
  compare<irreducible>("from the top", x, 4);
  return finish();
}
