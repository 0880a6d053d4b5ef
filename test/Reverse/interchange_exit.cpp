// Two loops that change places, where what stands behind them also depends on whether they ran at all: crashed the compiler.
// RUN: %clangxx -O0 -c %s -o /dev/null
// RUN: %clangxx -O3 -c %s -o /dev/null
#include <tapefree/abi.h>

struct Pair {
  double value;
  int k;
};
static void primal(int n, double *const *rows) {
  double left = rows[0][n];
  for (int i = 0; i < n; ++i) {
    Pair of[2];
    for (int j = 0; j < 2; ++j)
      of[j].value = 0.5;
    for (int j = 0; j < n; ++j)
      left -= of[j % 2].value;
  }
}
void reverse(double **rows, double **shadows) { __tapefree_autodiff<void>((void *)primal, 3, rows, shadows); }
