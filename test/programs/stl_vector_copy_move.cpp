// Vectors that are copied, moved, swapped, assigned, returned and passed by value.
#include "compare.hpp"
#include <utility>
#include <vector>

template <class T> using Vec = std::vector<T>;
template <class T> static Vec<T> scaled(Vec<T> v, T by) {
  for (T &e : v)
    e *= by;
  return v;
}
template <class T> static Vec<T> joined(const Vec<T> &a, const Vec<T> &b) {
  Vec<T> r(a);
  for (const T &e : b)
    r.push_back(e * r[0]);
  return r;
}
template <class T> static T f(const T *x, int n) {
  Vec<T> a(x, x + n), b = a, c;
  b = scaled(b, x[0]);
  c = std::move(a);
  a = joined(b, c);
  std::swap(b, c);
  c = a;
  Vec<T> d = scaled(std::move(c), x[n - 1]);
  T sum = 0;
  for (std::size_t i = 0; i < d.size(); ++i)
    sum += d[i] * a[i] + b[i % b.size()];
  return sum;
}

int main() {
  compare_at<f<float>, f<double>>("copy, move", 4, -1, 1);
  return finish();
}
