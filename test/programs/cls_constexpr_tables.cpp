// Tables made at compile time, user-defined literals, structured bindings of arrays and structs, enum indices.
#include "compare.hpp"

struct Table {
  double binomial[6][6] = {};
  constexpr Table() {
    for (int i = 0; i < 6; ++i) {
      binomial[i][0] = 1;
      for (int j = 1; j <= i; ++j)
        binomial[i][j] = binomial[i - 1][j - 1] + (j < i ? binomial[i - 1][j] : 0);
    }
  }
};
static constexpr Table table;
constexpr double operator""_deg(long double d) { return double(d) * M_PI / 180; }
enum class Axis { X, Y, Z };
struct Split { double whole, part; };
static Split split(double v) { return {v * v, v - 0.5}; }
double f(const double *x, int n) {
  double s = 0, p[3] = {x[0], x[1], x[2]};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      s += table.binomial[i][j] * x[i] * x[j];
  auto [a, b, c] = p;
  auto &[w, q] = const_cast<Split &>(static_cast<const Split &>(split(a * b)));
  p[int(Axis::Z)] = c * sin(a + 30.0_deg);
  return s + w * q + p[2] * p[int(Axis::Y)];
}

int main() {
  compare_at<f>("tables", 6, -1, 1);
  return finish();
}
