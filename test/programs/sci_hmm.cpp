// Hidden Markov model: the forward algorithm in log space with log-sum-exp, and the best path (max instead of sum).
#include "compare.hpp"

enum { S = 3 };
template <bool Best> static double run(const double *x, int n) {
  static const int seen[] = {0, 2, 1, 1, 0, 2};
  double alpha[S], next[S];
  for (int s = 0; s < S; ++s)
    alpha[s] = x[s];
  for (int t = 1; t < 6; ++t) {
    for (int s = 0; s < S; ++s) {
      double best = alpha[0] + x[(3 + s) % n], sum = 0;
      for (int r = 1; r < S; ++r)
        best = fmax(best, alpha[r] + x[(3 + 3 * r + s) % n]);
      for (int r = 0; r < S; ++r)
        sum += exp(alpha[r] + x[(3 + 3 * r + s) % n] - best);
      next[s] = (Best ? best : best + log(sum)) + 0.7 * x[(5 * s + seen[t]) % n] * x[s];
    }
    std::memcpy(alpha, next, sizeof alpha);
  }
  double s = 0;
  for (double a : alpha)
    s += Best ? fmax(s, a) : exp(a);
  return Best ? s : log(s);
}

int main() {
  compare_at<run<false>>("forward", 12, -1, 1);
  compare_at<run<true>>("best path", 12, -1, 1);
  return finish();
}
