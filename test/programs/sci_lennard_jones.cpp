// Lennard-Jones with a cutoff, a neighbour list that is built first, in a periodic box.
#include "compare.hpp"

double f(const double *x, int n) {
  int atoms = n / 3, list[64][2], pairs = 0;
  const double box = 3, cutoff = 1.9;
  auto wrap = [&](double d) { return d - box * std::round(d / box); };
  auto r2 = [&](int i, int j) {
    double s = 0;
    for (int k = 0; k < 3; ++k) {
      double d = wrap(x[3 * i + k] - x[3 * j + k]);
      s += d * d;
    }
    return s;
  };
  for (int i = 0; i < atoms; ++i)
    for (int j = 0; j < i; ++j)
      if (r2(i, j) < cutoff * cutoff) {
        list[pairs][0] = i;
        list[pairs++][1] = j;
      }
  double energy = 0;
  for (int p = 0; p < pairs; ++p) {
    double s = 1 / (0.8 + r2(list[p][0], list[p][1])), s3 = s * s * s;
    energy += 4 * (s3 * s3 - s3);
  }
  return energy;
}

int main() {
  double x[15];
  fill(x, 15, 3, 0, 3);
  compare<f>("energy", x, 15, 1e-7, 1e-4);
  return finish();
}
