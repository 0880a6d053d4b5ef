// A Kalman filter with two states and one observation: the log likelihood of measurements that are the input.
#include "compare.hpp"

template <class T> static T f(const T *z, int n) {
  T pos = 0, vel = T(0.5), p00 = 1, p01 = 0, p11 = 1, like = 0, dt = T(0.5), q = z[n - 1] * z[n - 1] + T(0.1);
  for (int i = 0; i < n - 1; ++i) {
    pos += dt * vel;
    p00 += dt * (T(2) * p01 + dt * p11) + q * dt;
    p01 += dt * p11;
    p11 += q;
    T y = z[i] - pos, s = p00 + T(0.3), k0 = p00 / s, k1 = p01 / s;
    pos += k0 * y;
    vel += k1 * y;
    like -= T(0.5) * (y * y / s + log(s));
    p11 -= k1 * p01;
    p01 -= k0 * p01;
    p00 -= k0 * p00;
  }
  return like + pos * vel;
}

int main() {
  compare_at<f<float>, f<double>>("kalman", 7, -1, 1);
  return finish();
}
