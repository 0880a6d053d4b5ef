// Two Levenberg-Marquardt steps for a curve, by normal equations and Cholesky; the damping is chosen by the result.
#include "compare.hpp"

double f(const double *y, int n) {
  double p[2] = {1, -0.5}, lambda = 0.1;
  auto cost = [&](const double *q) {
    double s = 0;
    for (int i = 0; i < n; ++i) {
      double r = q[0] * exp(q[1] * i * 0.3) - y[i];
      s += r * r;
    }
    return s;
  };
  for (int step = 0; step < 3; ++step) {
    double a[2][2] = {}, g[2] = {};
    for (int i = 0; i < n; ++i) {
      double e = exp(p[1] * i * 0.3), j[2] = {e, p[0] * e * i * 0.3}, r = p[0] * e - y[i];
      for (int s = 0; s < 2; ++s) {
        g[s] += j[s] * r;
        for (int t = 0; t < 2; ++t)
          a[s][t] += j[s] * j[t];
      }
    }
    double l00 = sqrt(a[0][0] + lambda), l10 = a[1][0] / l00, l11 = sqrt(a[1][1] + lambda - l10 * l10);
    double z0 = g[0] / l00, z1 = (g[1] - l10 * z0) / l11, d1 = z1 / l11, d0 = (z0 - l10 * d1) / l00;
    double q[2] = {p[0] - d0, p[1] - d1};
    if (cost(q) < cost(p)) {
      p[0] = q[0], p[1] = q[1];
      lambda *= 0.5;
    } else {
      lambda *= 4;
    }
  }
  return p[0] * p[0] + p[1] + cost(p);
}

int main() {
  double y[6] = {1.2, 0.9, 0.75, 0.5, 0.4, 0.33};
  compare<f>("fit", y, 6, 1e-7);
  return finish();
}
