// Runge-Kutta 4 on a state with operators (a damped pendulum), and an embedded pair of orders 2 and 3 that chooses its steps.
#include "compare.hpp"

template <class T> struct State {
  T angle, speed;
  friend State operator+(State a, State b) { return {a.angle + b.angle, a.speed + b.speed}; }
  friend State operator*(T k, State s) { return {k * s.angle, k * s.speed}; }
};
template <class T> static State<T> slope(State<T> s, T damping) {
  return {s.speed, -sin(s.angle) - damping * s.speed};
}
template <class T> static T fixed(const T *x, int n) {
  State<T> s = {x[0], x[1]};
  T h = T(0.1);
  for (int i = 0; i < 5 * n; ++i) {
    auto k1 = slope(s, x[2]), k2 = slope(s + h / T(2) * k1, x[2]), k3 = slope(s + h / T(2) * k2, x[2]);
    auto k4 = slope(s + h * k3, x[2]);
    s = s + h / T(6) * (k1 + T(2) * k2 + T(2) * k3 + k4);
  }
  return s.angle * s.angle + s.speed;
}
double adaptive(const double *x, int) {
  double y = x[0], t = 0, h = 0.25; // steps do not depend on the input, but for the decisions
  while (t < 1.5) {
    double k1 = x[1] * y * (1 - y), m = y + h * k1, k2 = x[1] * m * (1 - m), q = y + h / 4 * (k1 + k2);
    double k3 = x[1] * q * (1 - q), error = h / 3 * (k1 + k2 - 2 * k3);
    if (fabs(error) > 2e-3) {
      h /= 2;
      continue;
    }
    y += h / 6 * (k1 + k2 + 4 * k3);
    t += h;
    if (fabs(error) < 2e-4)
      h *= 1.5;
  }
  return y * y;
}

int main() {
  compare_at<fixed<float>, fixed<double>>("fixed", 3, 0.1, 0.9);
  double x[2] = {0.2, 2.1};
  compare<adaptive>("adaptive", x, 2, 1e-7, 1e-6);
  return finish();
}
