// The reprojection residual of bundle adjustment: Rodrigues rotation (also near zero), distortion, a robust weight.
#include "compare.hpp"

template <class T> static void rotate(const T *w, const T *p, T *out) {
  T t2 = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
  T cross[3] = {w[1] * p[2] - w[2] * p[1], w[2] * p[0] - w[0] * p[2], w[0] * p[1] - w[1] * p[0]};
  if (t2 > T(1e-12)) {
    T t = sqrt(t2), c = cos(t), s = sin(t) / t, d = (w[0] * p[0] + w[1] * p[1] + w[2] * p[2]) * (T(1) - c) / t2;
    for (int i = 0; i < 3; ++i)
      out[i] = p[i] * c + cross[i] * s + w[i] * d;
  } else {
    for (int i = 0; i < 3; ++i)
      out[i] = p[i] + cross[i];
  }
}
template <class T> static T f(const T *cam, int n) { // rotation, centre, focal, distortion 2, points
  T sum = 0;
  for (int k = 9; k + 3 <= n; k += 3) {
    T p[3] = {cam[k] - cam[3], cam[k + 1] - cam[4], cam[k + 2] + T(3) - cam[5]}, q[3];
    rotate(cam, p, q);
    T u = q[0] / q[2], v = q[1] / q[2], r2 = u * u + v * v, l = T(1) + r2 * (cam[7] + r2 * cam[8]);
    T e[2] = {cam[6] * l * u - T(0.2), cam[6] * l * v + T(0.1)};
    sum += log(T(1) + e[0] * e[0] + e[1] * e[1]);
  }
  return sum;
}

int main() {
  compare_at<f<float>, f<double>>("residuals", 18, -0.5, 0.5);
  double still[12] = {0, 0, 0, 0.1, 0.2, 0.3, 1, 0.1, 0.05, 0.3, 0.4, 0.5}, dx[12] = {}, want[12];
  __tapefree_autodiff<void>((void *)f<double>, tapefree_dup, (const double *)still, dx, tapefree_const, 12);
  reference(want, still + 3, 9, [&](auto *p) {
    std::remove_reference_t<decltype(*p)> all[12] = {0.0, 0.0, 0.0};
    for (int i = 3; i < 12; ++i)
      all[i] = p[i - 3];
    return f((const std::remove_reference_t<decltype(*p)> *)all, 12);
  });
  check_all("no rotation", dx + 3, want, 9);
  return finish();
}
