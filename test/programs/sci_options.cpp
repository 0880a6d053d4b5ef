// Black-Scholes (its five greeks are one gradient), an American put on a binomial tree, a Monte-Carlo price with an inline generator.
#include "compare.hpp"

static double normal(double d) { return 0.5 * erfc(-d / M_SQRT2); }
double black_scholes(const double *x, int) {
  double spot = x[0], strike = x[1], rate = x[2], vol = x[3], t = x[4];
  double d1 = (log(spot / strike) + (rate + vol * vol / 2) * t) / (vol * sqrt(t)), d2 = d1 - vol * sqrt(t);
  return spot * normal(d1) - strike * exp(-rate * t) * normal(d2);
}
double tree(const double *x, int) {
  const int steps = 12;
  double spot = x[0], strike = x[1], dt = x[4] / steps, up = exp(x[3] * sqrt(dt)), down = 1 / up;
  double p = (exp(x[2] * dt) - down) / (up - down), discount = exp(-x[2] * dt), v[steps + 1];
  for (int i = 0; i <= steps; ++i)
    v[i] = fmax(0.0, strike - spot * pow(up, 2 * i - steps));
  for (int t = steps - 1; t >= 0; --t)
    for (int i = 0; i <= t; ++i)
      v[i] = fmax(discount * (p * v[i + 1] + (1 - p) * v[i]), strike - spot * pow(up, 2 * i - t));
  return v[0];
}
double monte_carlo(const double *x, int) {
  unsigned long seed = 12345;
  double sum = 0;
  for (int path = 0; path < 40; ++path) {
    double s = x[0];
    for (int step = 0; step < 4; ++step) {
      double z = -6;
      for (int k = 0; k < 12; ++k) {
        seed = seed * 6364136223846793005ul + 1442695040888963407ul;
        z += double(seed >> 11) / 9007199254740992.0;
      }
      s *= exp((x[2] - x[3] * x[3] / 2) * x[4] / 4 + x[3] * sqrt(x[4] / 4) * z);
    }
    if (s > x[1])
      sum += s - x[1];
  }
  return sum / 40 * exp(-x[2] * x[4]);
}

int main() {
  double x[] = {1.05, 1, 0.03, 0.3, 0.9};
  compare<black_scholes>("black-scholes", x, 5);
  compare<tree>("tree", x, 5, 1e-6, 1e-6);
  compare<monte_carlo>("monte carlo", x, 5, 1e-6, 1e-6);
  return finish();
}
