// SANITIZE: address
// (UBSan puts tests into the primal before the plugin sees it, and with them this program is refused.)
// bit_cast between structs and arrays of numbers, and through an array of bytes.
#include "compare.hpp"
#include <array>
#include <bit>

template <class T> struct Rgb { T r, g, b; };
template <class T> static T f(const T *x, int n) {
  T s = 0;
  for (int i = 0; i + 2 < n; ++i) {
    auto c = std::bit_cast<Rgb<T>>(std::array<T, 3>{x[i], x[i + 1] * x[i], x[i + 2]});
    c.g += c.b * c.r;
    auto bytes = std::bit_cast<std::array<unsigned char, sizeof c>>(c);
    auto back = std::bit_cast<std::array<T, 3>>(bytes);
    s += back[0] * back[1] - back[2];
  }
  return s;
}

int main() {
  compare_at<f<float>, f<double>>("structs", 6, -1, 1);
  return finish();
}
