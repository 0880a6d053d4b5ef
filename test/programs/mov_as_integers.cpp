// Numbers that are copied as integers of their size, sorted out of a byte buffer, swapped by exclusive or with a mask of zero.
#include "compare.hpp"
#include <bit>

template <class T> using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class T> static T f(const T *x, int n) {
  Bits<T> raw[8];
  for (int i = 0; i < n; ++i)
    std::memcpy(&raw[i], &x[i], sizeof(T));
  Bits<T> t = raw[0];
  raw[0] = raw[n - 1];
  raw[n - 1] = t;
  T s = 0;
  for (int i = 0; i < n; ++i) {
    T v = std::bit_cast<T>(raw[i]), w;
    std::memcpy(&w, &raw[(i + 1) % n], sizeof w);
    s += v * w * T(i + 1);
  }
  return s;
}

int main() {
  compare_at<f<float>, f<double>>("integers", 6, -1, 1);
  return finish();
}
