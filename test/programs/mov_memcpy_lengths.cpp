// memcpy and memmove with lengths known at run time: parts of arrays, windows of a ring, overlapping moves.
#include "compare.hpp"

template <class T> static T f(const T *x, int n) {
  T ring[8] = {}, line[16] = {}, s = 0;
  for (int i = 0; i < n; ++i) {
    int at = (3 * i) % 5, length = 1 + i % 3;
    std::memcpy(ring + at, x + i % (n - 2), sizeof(T) * length);
    std::memcpy(line + 8, ring, sizeof(T) * (at + 1));
    std::memmove(line + i % 4, line + 8, sizeof(T) * (at + 1));
    s += line[i % 4] * ring[at] + line[i];
  }
  std::memset(ring, 0, sizeof(T) * (n - 3));
  for (T v : ring)
    s += v * v;
  return s;
}

int main() {
  compare_at<f<float>, f<double>>("lengths", 6, -1, 1);
  return finish();
}
