// Algorithms that move: reverse, rotate, copy_if, remove_if, swap_ranges, fill, transform with one and two inputs.
#include "compare.hpp"
#include <algorithm>

template <class T> static T f(const T *x, int n) {
  T a[8], b[8], c[8];
  std::transform(x, x + n, a, [](T v) { return v * v; });
  std::reverse_copy(a, a + n, b);
  std::rotate(a, a + 2, a + n);
  std::transform(a, a + n, b, a, [](T p, T q) { return p * q + p; });
  std::fill(c, c + n, x[0]);
  T *end = std::copy_if(x, x + n, c, [](T v) { return v > T(0); });
  std::swap_ranges(a, a + 2, b + 1);
  T *kept = std::remove_if(b, b + n, [](T v) { return v < T(0.1); });
  T sum = 0;
  for (T *p = b; p != kept; ++p)
    sum += *p * *p;
  for (T *p = c; p != end; ++p)
    sum += *p * a[p - c];
  std::reverse(a, a + n);
  return sum * a[0] + c[n - 1];
}

int main() {
  compare_at<f<float>, f<double>>("reorder", 6, -1, 1, 3);
  return finish();
}
