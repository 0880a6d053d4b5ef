// NOLANES: it is about batches itself
// NOFASTMATH
// Wide batches of loops that pass values round while they touch much memory: wherever the code between two places is cut into
// loops over lanes, a value must be read before the next iteration's takes its place.
#include "forward.hpp"
#include <utility>
extern int tapefree_width, tapefree_dupi;

static constexpr int wide = 12, n = 3, most = 60;

template <int K> static double rotated(const double* x, int m) {
  double a = x[0], b = x[1], c = x[2], s = 0;
  for (int i = 0; i < m; ++i) {
    double t = a;
    a = b;
    b = c;
    c = t;
    [&]<int... J>(std::integer_sequence<int, J...>) { ((s += x[i * most + J] * (J + 1)), ...); }(std::make_integer_sequence<int, K>());
  }
  return s + a + 10 * b + 100 * c;
}

template <int W> struct Lanes { double d[W]; };

template <int K> static void one() {
  static double x[n * most], e[n * most][wide], single[n * most];
  fill(x, n * most, 900 + K, -1, 1);
  fill(&e[0][0], n * most * wide, 950 + K, -1, 1);
  auto r = __tapefree_fwddiff<Lanes<wide>>((void*)rotated<K>, tapefree_width, wide, tapefree_dupi, x, &e[0][0], tapefree_const, n);
  for (int k = 0; k < wide; ++k) {
    for (int i = 0; i < n * most; ++i) single[i] = e[i][k];
    double want = __tapefree_fwddiff<double>((void*)rotated<K>, tapefree_dup, x, single, tapefree_const, n);
    check("forward", r.d[k], want, 0);
  }
  static double g[n * most][wide], d[n * most];
  std::memset(g, 0, sizeof g);
  std::memset(d, 0, sizeof d);
  __tapefree_autodiff<void>((void*)rotated<K>, tapefree_width, wide, tapefree_dupi, x, &g[0][0], tapefree_const, n);
  __tapefree_autodiff<void>((void*)rotated<K>, tapefree_dup, x, d, tapefree_const, n);
  for (int i = 0; i < n * most; ++i)
    for (int k = 0; k < wide; ++k) check("reverse", g[i][k], d[i], 0);
}

template <int... K> static void all(std::integer_sequence<int, K...>) { (one<K + 40>(), ...); }

int main() {
  all(std::make_integer_sequence<int, 12>());
  return finish();
}
