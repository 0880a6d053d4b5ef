// An exception leaves in the middle of a gradient: std::vector::at in a loop that keeps values, behind temporaries,
// caught by the caller. Nothing leaks, and the next gradient is right.
#include "forward.hpp"
#include <stdexcept>
#include <vector>

template <class T> T walk(const T *x, const int *index, int n) {
  std::vector<T> squares;
  for (int i = 0; i < n; ++i)
    squares.push_back(x[i] * x[i]);
  T sum = 0, last = 1;
  for (int i = 0; i < n; ++i) {
    T y = squares.at(index[i]) * last; // last is kept
    last = sin(y) + x[i];
    sum = sum + last * last;
    std::vector<T> copy(3);
    copy[i % 3] = sum;
    sum = sum * copy[i % 3];
  }
  return sum;
}
double primal(const double *x, const int *index, int n) { return walk(x, index, n); }

int main() {
  double x[7], dx[7], w[7], tx[7];
  int good[7] = {3, 1, 0, 6, 5, 2, 2}, bad[7] = {3, 1, 0, 6, 9, 2, 2};
  for (int i = 0; i < 7; ++i)
    x[i] = 0.3 + 0.05 * i, tx[i] = 1 - 0.2 * i;
  for (int round = 0; round < 3; ++round) {
    Dual d[7];
    double along = 0;
    for (int k = 0; k < 7; ++k) {
      for (int i = 0; i < 7; ++i)
        d[i] = Dual(x[i], i == k);
      w[k] = walk(d, good, 7).d;
      along += w[k] * tx[k];
    }
    for (double &v : dx)
      v = 0;
    __enzyme_autodiff<void>((void *)primal, enzyme_dup, x, dx, enzyme_const, good, enzyme_const, 7);
    check_all("gradient", dx, w, 7);
    check("tangent", __enzyme_fwddiff<double>((void *)primal, enzyme_dup, x, tx, enzyme_const, good, enzyme_const, 7),
          along);
    int caught = 0;
    try {
      __enzyme_autodiff<void>((void *)primal, enzyme_dup, x, dx, enzyme_const, bad, enzyme_const, 7);
    } catch (const std::out_of_range &) {
      ++caught;
    }
    try {
      __enzyme_fwddiff<double>((void *)primal, enzyme_dup, x, tx, enzyme_const, bad, enzyme_const, 7);
    } catch (const std::exception &) {
      ++caught;
    }
    check("caught", caught, 2);
  }
  return finish();
}
