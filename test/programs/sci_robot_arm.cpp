// Forward kinematics of an arm: joint angles to quaternions, a chain of them, the distance to a target.
#include "compare.hpp"

template <class T> struct Quaternion {
  T w, x, y, z;
  friend Quaternion operator*(const Quaternion &a, const Quaternion &b) {
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
  }
  Quaternion conjugate() const { return {w, -x, -y, -z}; }
  static Quaternion about(int axis, T angle) {
    Quaternion q = {cos(angle / T(2)), T(0), T(0), T(0)};
    (axis == 0 ? q.x : axis == 1 ? q.y : q.z) = sin(angle / T(2));
    return q;
  }
};
template <class T> static T f(const T *angle, int n) {
  Quaternion<T> r = {T(1), T(0), T(0), T(0)};
  T at[3] = {};
  for (int i = 0; i < n; ++i) {
    r = r * Quaternion<T>::about(i % 3, angle[i]);
    auto link = r * Quaternion<T>{T(0), T(1), T(0.2), T(0)} * r.conjugate();
    at[0] += link.x, at[1] += link.y, at[2] += link.z;
  }
  return (at[0] - T(1)) * (at[0] - T(1)) + at[1] * at[1] + (at[2] + T(2)) * (at[2] + T(2));
}

int main() {
  compare_at<f<float>, f<double>>("arm", 6, -1, 1);
  return finish();
}
