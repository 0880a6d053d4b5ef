// SANITIZE: address
// NOLANES: it is about batches itself
// Derivatives of batched derivatives, and batches of them: each order of modes and each layout, against dual numbers of dual
// numbers.
#include "nest.hpp"
extern int tapefree_width, tapefree_dupv, tapefree_dupi;

static constexpr int n = 5, lanes = 3, wide = 12;

template <class T> static T f(const T* x, int m) {
  T s = T(0);
  for (int i = 0; i < m; ++i) s += sin(x[i]) * x[(i + 1) % m] + x[i] * x[i] * x[(i + 2) % m];
  return s;
}

// Lane k of an inner derivative: direction or seed depends on k. The results are folded into one number.
template <int W> struct Lanes { double d[W]; };
static double weight(int k) { return 0.5 + 0.25 * k; }

static double inner_forward(const double* x, int m) { // sum over k of weight(k) * (gradient . direction k), separate
  double e[4][n] = {};
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < n; ++i) e[k][i] = (i + k) % 3 - 0.5;
  auto r = __tapefree_fwddiff<Lanes<4>>((void*)f<double>, tapefree_width, 4, tapefree_dup, x, e[0], e[1], e[2], e[3],
                                        tapefree_const, m);
  double s = 0;
  for (int k = 0; k < 4; ++k) s += weight(k) * r.d[k];
  return s;
}
static double inner_forward_interleaved(const double* x, int m) {
  double e[n][wide];
  for (int k = 0; k < wide; ++k)
    for (int i = 0; i < n; ++i) e[i][k] = k < 4 ? (i + k) % 3 - 0.5 : 0;
  auto r = __tapefree_fwddiff<Lanes<wide>>((void*)f<double>, tapefree_width, wide, tapefree_dupi, x, e[0], tapefree_const, m);
  double s = 0;
  for (int k = 0; k < 4; ++k) s += weight(k) * r.d[k];
  return s;
}
static double inner_reverse(const double* x, int m) { // the same number, from batches of gradients with different seeds
  double g[n][lanes] = {}, s = 0;
  __tapefree_autodiff<void>((void*)f<double>, tapefree_width, lanes, tapefree_dupi, x, g[0], tapefree_const, m, 1.0, 2.0, -0.5);
  for (int k = 0; k < 4; ++k)
    for (int i = 0; i < n; ++i) s += weight(k) * ((i + k) % 3 - 0.5) * (0.4 * g[i][0] + 0.1 * g[i][1] - 0.8 * g[i][2]);
  return s; // 0.4 + 0.2 + 0.4 = 1
}

// The gradient of that number by nested dual numbers.
using Second = Nested<Nested<double>>;
static void reference(double* want, const double* x) {
  for (int j = 0; j < n; ++j) {
    want[j] = 0;
    for (int k = 0; k < 4; ++k) {
      Second z[n];
      for (int i = 0; i < n; ++i) z[i] = Second{{x[i], i == j ? 1.0 : 0.0}, {(i + k) % 3 - 0.5, 0.0}};
      want[j] += weight(k) * f(z, n).d.d;
    }
  }
}

#define OUTER(g) \
  { \
    double d[n] = {}, e[lanes][n] = {}, l[n][wide] = {}; \
    __tapefree_autodiff<void>((void*)g, tapefree_dup, (const double*)x, d, tapefree_const, n); \
    check_all("reverse over " #g, d, want, n); \
    __tapefree_autodiff<void>((void*)g, tapefree_width, lanes, tapefree_dupv, sizeof e[0], (const double*)x, e[0], \
                              tapefree_const, n, 1.0, 2.0, 3.0); \
    for (int k = 0; k < lanes; ++k) \
      for (int i = 0; i < n; ++i) check("batched reverse over " #g, e[k][i], (k + 1) * want[i]); \
    __tapefree_autodiff<void>((void*)g, tapefree_width, wide, tapefree_dupi, (const double*)x, l[0], tapefree_const, n); \
    for (int k = 0; k < wide; ++k) \
      for (int i = 0; i < n; ++i) check("wide reverse over " #g, l[i][k], want[i]); \
    double one[n] = {0, 0, 1, 0, 0}; \
    check("forward over " #g, __tapefree_fwddiff<double>((void*)g, tapefree_dup, (const double*)x, one, tapefree_const, n), \
          want[2]); \
    double all[n][n] = {}; \
    for (int i = 0; i < n; ++i) all[i][i] = 1; \
    auto r = __tapefree_fwddiff<Lanes<n>>((void*)g, tapefree_width, n, tapefree_dupv, sizeof all[0], (const double*)x, all[0], \
                                          tapefree_const, n); \
    check_all("batched forward over " #g, r.d, want, n); \
  }

int main() {
  double x[n] = {0.3, -0.8, 1.1, 0.6, -0.2}, want[n];
  reference(want, x);
  OUTER(inner_forward)
  OUTER(inner_forward_interleaved)
  OUTER(inner_reverse)
  return finish();
}
