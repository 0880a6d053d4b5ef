// Streams that print differentiated values while the function runs.
#include "compare.hpp"
#include <ostream>
#include <iostream>

static bool quiet = true;
double f(const double *x, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[i] * x[i] * (i + 1);
    if (!quiet)
      std::cerr << "step " << i << ": " << sum << '\n';
  }
  return sum;
}

int main() {
  compare_at<f>("stream", 4, -1, 1);
  return finish();
}
