// Volatile scalars and arrays: every read and write stays, and derivatives pass through them.
#include "compare.hpp"

template <class T> static T f(const T *x, int n) {
  volatile T s = 1;
  volatile int steps = n;
  for (int i = 0; i < steps; ++i) {
    s = s * x[i] + T(0.5);
    volatile T local[2] = {x[i], s};
    s = s + local[0] * local[1];
  }
  return s;
}

int main() {
  compare_at<f<float>, f<double>>("volatile", 5, -1, 1);
  return finish();
}
