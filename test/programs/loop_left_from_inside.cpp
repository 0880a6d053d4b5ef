// A loop that is left, for two places, from a loop inside it that has nothing to reverse; the ways meet again outside both.
#include "support.hpp"

template <class T> static void sum_until(const T* x, T* sum, const int* idx, int* ways, int n) {
  for (int i = 0;; ++i) {
    sum[0] += x[i % n] * x[i % n];
    for (int j = 0; j < n; ++j) {
      if (idx[j] == i) {
        ++ways[0];
        goto out;
      }
      if (idx[j] == -i - 1) {
        ++ways[1];
        goto out;
      }
    }
  }
out:
  sum[0] *= x[1];
}

int main(int argc, char**) {
  int ways[2] = {};
  double x[4] = {0.3, -1.2, 0.8, 1.7}, want[4];
  for (int round = 0; round < 4; ++round) {
    int idx[4] = {40, 40, round < 2 ? 2 : 40, round % 2 ? -2 : 7};
    reference(want, x, 4, [&](auto* p) {
      std::decay_t<decltype(*p)> sum = 0;
      sum_until(p, &sum, idx, ways, 4);
      return sum;
    });
    double dx[4] = {}, sum = 0, dsum = 1;
    if (argc == 1)
      __enzyme_autodiff<void>((void*)sum_until<double>, enzyme_dup, x, dx, enzyme_dup, &sum, &dsum, enzyme_const, idx,
                              enzyme_const, ways, enzyme_const, 4);
    for (int i = 0; i < 4; ++i) check("x", dx[i], want[i]);
  }
  return finish();
}
