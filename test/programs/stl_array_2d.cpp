// std::array of arrays: filled, copied, compared by size, passed and returned; at() and iterators.
#include "compare.hpp"
#include <array>

template <class T> using Grid = std::array<std::array<T, 3>, 3>;
template <class T> static Grid<T> blurred(const Grid<T> &g) {
  Grid<T> r = g;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      r[i][j] = g[i][j] * T(0.5) + g[(i + 1) % 3][j] * g[i][(j + 2) % 3];
  return r;
}
template <class T> static T f(const T *x, int n) {
  Grid<T> g{};
  int k = 0;
  for (auto &row : g) {
    row.fill(x[n - 1]);
    for (T &e : row)
      e *= x[k++];
  }
  for (int s = 0; s < 3; ++s)
    g = blurred(g);
  T sum = 0;
  for (const auto &row : g)
    for (auto it = row.rbegin(); it != row.rend(); ++it)
      sum = sum * T(0.5) + *it;
  return sum * g.front().back() + g.back().front();
}

int main() {
  compare_at<f<float>, f<double>>("grid", 9, -1, 1);
  return finish();
}
