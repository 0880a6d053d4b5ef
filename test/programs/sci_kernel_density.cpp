// A soft histogram and a kernel density with a bandwidth that is differentiated; the entropy of both.
#include "compare.hpp"

template <class T> static T f(const T *x, int n) {
  T bins[5] = {}, density = 0, width = T(0.3) + x[n - 1] * x[n - 1], entropy = 0, total = 0;
  for (int i = 0; i < n; ++i) {
    T at = (x[i] + T(1)) * T(2);
    int k = (int)val(at);
    T part = at - T(k);
    bins[k] += T(1) - part;
    if (k < 4)
      bins[k + 1] += part;
    T d = 0;
    for (int j = 0; j < n; ++j)
      d += exp(-(x[i] - x[j]) * (x[i] - x[j]) / (T(2) * width));
    density += log(d / (T(n) * sqrt(width)));
  }
  for (T b : bins)
    total += b + T(0.1);
  for (T b : bins)
    entropy -= (b + T(0.1)) / total * log((b + T(0.1)) / total);
  return entropy + density;
}

int main() {
  double x[7] = {-0.8, -0.33, 0.2, 0.71, 0.4, -0.1, 0.15};
  compare<f<double>>("density", x, 7);
  compare<f<float>, f<double>>("density", x, 7);
  return finish();
}
