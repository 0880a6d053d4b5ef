// Globals that are read: constant and mutable tables, a pointer to one, thread_local counters, static locals, an inactive log.
#include "compare.hpp"

static const double weights[] = {0.5, -1, 2, 0.25, 1.5};
double gain = 2;
static double *chosen = &gain;
thread_local int calls = 0;
static int histogram[4];
double f(const double *x, int n) {
  static const double *table = nullptr;
  static int first = 0;
  if (!table)
    table = weights;
  ++calls;
  double s = first;
  for (int i = 0; i < n; ++i) {
    s += table[i % 5] * x[i] * x[0] * *chosen;
    ++histogram[x[i] > 0 ? 1 : 0];
  }
  return s * gain;
}

int main() {
  compare_at<f>("globals", 5, -1, 1);
  gain = -0.75;
  compare_at<f>("changed", 5, -1, 1);
  static double other = 3;
  chosen = &other;
  compare_at<f>("another", 5, -1, 1);
  check_true("counted", calls > 0 && histogram[0] + histogram[1] > 0);
  return finish();
}
