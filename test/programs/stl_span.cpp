// std::span: whole arrays, subspans, first and last, of a vector's data.
#include "compare.hpp"
#include <span>

template <class T> static T dot(std::span<const T> a, std::span<const T> b) {
  T s = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    s += a[i] * b[i];
  return s;
}
template <class T> static void scale(std::span<T> v, T by) {
  for (T &e : v)
    e *= by;
}
template <class T> static T f(const T *x, int n) {
  std::span<const T> all(x, n);
  T local[8];
  for (int i = 0; i < n; ++i)
    local[i] = x[i] * x[0];
  std::span<T> out(local, n);
  scale(out.subspan(1, 2), x[1]);
  scale(out.last(2), T(x[2]));
  return dot<T>(all.first(3), all.last(3)) + dot<T>(all, out) * local[1];
}

int main() {
  compare_at<f<float>, f<double>>("span", 6, -1, 1);
  return finish();
}
