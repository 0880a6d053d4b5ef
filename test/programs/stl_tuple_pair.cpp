// std::tuple and std::pair: tie, get, make_tuple, structured bindings, an array of pairs, apply.
#include "compare.hpp"
#include <tuple>
#include <utility>

template <class T> static std::tuple<T, T, int> split(T x) { return {x * x, sin(x), x > T(0) ? 1 : 2}; }
template <class T> static T f(const T *x, int n) {
  std::pair<int, T> weighted[8];
  T a = 0, b = 0;
  for (int i = 0; i < n; ++i) {
    int k;
    std::tie(a, b, k) = split(x[i]);
    weighted[i] = {k, a * b};
  }
  auto t = std::make_tuple(a, b, x[0]);
  std::get<1>(t) *= x[1];
  T sum = std::apply([](T p, T q, T r) { return p * q + r; }, t);
  for (auto [k, v] : weighted)
    if (k && n--> 0)
      sum += v * T(k);
  return sum;
}

int main() {
  compare_at<f<float>, f<double>>("tuple", 5, -1, 1);
  return finish();
}
