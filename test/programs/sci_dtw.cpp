// Dynamic time warping, hard (min) and soft (log-sum-exp of three), over a table.
#include "compare.hpp"

template <bool Soft> static double f(const double *x, int n) {
  int half = n / 2;
  double d[8][8];
  for (int i = 0; i <= half; ++i)
    for (int j = 0; j <= half; ++j)
      d[i][j] = i || j ? 1e3 : 0;
  for (int i = 1; i <= half; ++i)
    for (int j = 1; j <= half; ++j) {
      double c = (x[i - 1] - x[half + j - 1]) * (x[i - 1] - x[half + j - 1]);
      double a = d[i - 1][j], b = d[i][j - 1], e = d[i - 1][j - 1], best = fmin(a, fmin(b, e));
      if constexpr (Soft)
        best -= 0.3 * log(exp((best - a) / 0.3) + exp((best - b) / 0.3) + exp((best - e) / 0.3));
      d[i][j] = c + best;
    }
  return d[half][half];
}

int main() {
  compare_at<f<false>>("hard", 10, -1, 1);
  compare_at<f<true>>("soft", 10, -1, 1);
  return finish();
}
