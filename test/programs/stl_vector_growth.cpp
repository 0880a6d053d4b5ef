// std::vector that grows by push_back and emplace_back, also of structs, from nothing and from a reserve.
#include "compare.hpp"
#include <vector>

template <class T> struct Point { T x, y; int tag; };

template <class T> static T f(const T *x, int n) {
  std::vector<T> powers;
  std::vector<Point<T>> points;
  points.reserve(2);
  for (int i = 0; i < n; ++i) {
    powers.push_back(x[i] * x[i]);
    points.emplace_back(Point<T>{x[i], powers.back() * powers.front(), i});
    if (i % 3 == 2)
      powers.push_back(sin(powers[i / 2]) * points[i - 1].y);
  }
  T sum = 0;
  for (const Point<T> &p : points)
    sum += p.x * p.y * T(p.tag + 1);
  for (std::size_t i = 0; i < powers.size(); ++i)
    sum += powers[i] * powers[powers.size() - 1 - i];
  return sum;
}

int main() {
  compare_at<f<float>, f<double>>("growth", 7, -1, 1);
  compare_at<f<double>>("one", 1, 0.5, 1);
  return finish();
}
