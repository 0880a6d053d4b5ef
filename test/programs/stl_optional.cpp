// std::optional: with and without a value, value_or, emplaced, returned, in an array.
#include "compare.hpp"
#include <optional>

template <class T> static std::optional<T> root(T x) {
  if (x < T(0))
    return std::nullopt;
  return sqrt(x);
}
template <class T> static T f(const T *x, int n) {
  T sum = 0;
  std::optional<T> last;
  for (int i = 0; i < n; ++i) {
    auto r = root(x[i]);
    sum += r ? *r * x[i] : x[i] * x[i];
    sum += last.value_or(x[0] * x[0]);
    if (i % 2)
      last = r;
    else
      last.emplace(x[i] * x[(i + 1) % n]);
  }
  if (last.has_value())
    sum *= *last + T(1);
  return sum;
}

int main() {
  compare_at<f<float>, f<double>>("optional", 6, -1, 1, 5);
  return finish();
}
