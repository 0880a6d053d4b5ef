// Scaled dot-product attention with a causal mask, softmax with its maximum taken out, and layer normalisation.
#include "compare.hpp"

enum { D = 3 };
template <class T> static T f(const T *x, int n) {
  int tokens = n / D;
  T out[8][D], sum = 0;
  for (int i = 0; i < tokens; ++i) {
    T score[8], best = T(-1e30), total = 0;
    for (int j = 0; j <= i; ++j) {
      score[j] = 0;
      for (int d = 0; d < D; ++d)
        score[j] += x[i * D + d] * x[j * D + d];
      score[j] = score[j] / sqrt(T(D));
      best = score[j] > best ? score[j] : best;
    }
    for (int j = 0; j <= i; ++j)
      total += score[j] = exp(score[j] - best);
    for (int d = 0; d < D; ++d) {
      out[i][d] = x[i * D + d];
      for (int j = 0; j <= i; ++j)
        out[i][d] += score[j] / total * x[j * D + (d + 1) % D];
    }
    T mean = 0, var = 0;
    for (int d = 0; d < D; ++d)
      mean += out[i][d] / T(D);
    for (int d = 0; d < D; ++d)
      var += (out[i][d] - mean) * (out[i][d] - mean) / T(D);
    for (int d = 0; d < D; ++d)
      sum += (out[i][d] - mean) / sqrt(var + T(0.1)) * T(d + i);
  }
  return sum;
}

int main() {
  compare_at<f<float>, f<double>>("attention", 12, -1, 1);
  return finish();
}
