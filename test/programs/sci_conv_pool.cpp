// A convolution of an image with a kernel (both the input), leaky relu, 2x2 max pooling, batch normalisation of the result.
#include "compare.hpp"

enum { W = 6, K = 3, O = W - K + 1, P = O / 2 };
template <class T> static T f(const T *x, int n) {
  const T *image = x, *kernel = x + W * W;
  T conv[O][O], pool[P * P], mean = 0, var = 0, sum = 0;
  for (int i = 0; i < O; ++i)
    for (int j = 0; j < O; ++j) {
      T s = 0;
      for (int a = 0; a < K; ++a)
        for (int b = 0; b < K; ++b)
          s += image[(i + a) * W + j + b] * kernel[a * K + b];
      conv[i][j] = s > T(0) ? s : T(0.1) * s;
    }
  for (int i = 0; i < P; ++i)
    for (int j = 0; j < P; ++j) {
      T best = conv[2 * i][2 * j];
      for (int k = 1; k < 4; ++k)
        if (conv[2 * i + k / 2][2 * j + k % 2] > best)
          best = conv[2 * i + k / 2][2 * j + k % 2];
      pool[i * P + j] = best;
      mean += best / T(P * P);
    }
  for (T p : pool)
    var += (p - mean) * (p - mean) / T(P * P);
  for (int i = 0; i < P * P; ++i)
    sum += (pool[i] - mean) / sqrt(var + T(1e-3)) * T(i) * x[n - 1];
  return sum;
}

int main() {
  compare_at<f<float>, f<double>>("conv", W * W + K * K, -1, 1, 4);
  return finish();
}
