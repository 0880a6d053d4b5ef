// NOLANES: the typed interface, or batches themselves
// LEVELS: O0 O2 fast
// SANITIZE: address
// (UBSan puts tests into the primal before the plugin sees it, and with them spans are refused.)
// tapefree::jacobian: 64 inputs and outputs against dual numbers, both directions and layouts, every shape around the width,
// float, spans, gradients as rows, a workspace, and lengths that are too short for all directions at once.
#include "support.hpp"
#include <span>
#include <tapefree/jacobian.hpp>
#include <vector>
namespace tf = tapefree;
constexpr tf::pass_options by_forward{.direction = tf::sweep::forward};
constexpr tf::pass_options by_reverse{.direction = tf::sweep::reverse};

template <class T> static void mix(const T *x, T *y, int n, int m) {
  for (int i = 0; i < m; ++i) {
    T s = x[i % n] * x[i % n];
    for (int j = 0; j < n; ++j)
      if ((i * j) % 3 == 0)
        s = s + sin(x[j] * T(0.1 * (i + 1))) * x[(j + 1) % n];
    y[i] = s;
  }
}
static void mix_d(const double *x, double *y, int n, int m) { mix(x, y, n, m); }
static void mix_f(const float *x, float *y, int n, int m) { mix(x, y, n, m); }
static void accumulate(std::span<const double> x, std::span<double> y, double k) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i] = k;
    for (std::size_t j = 0; j < x.size(); ++j)
      y[i] += x[j] * x[j] * (1.0 + i * j);
  }
}
static double energy(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i] * x[(i + 1) % n];
  return s;
}

static void by_duals(const double *x, int n, int m, double *J) {
  std::vector<Dual> dual(n), y(m);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i)
      dual[i] = {x[i], i == j ? 1.0 : 0.0};
    mix(dual.data(), y.data(), n, m);
    for (int i = 0; i < m; ++i)
      J[i * n + j] = y[i].d;
  }
}

int main() {
  {
    const int n = 64;
    std::vector<double> x(n), y(n), J(n * n), want(n * n), plain(n);
    fill(x.data(), n, 1, -1, 1);
    by_duals(x.data(), n, n, want.data());
    mix_d(x.data(), plain.data(), n, n);
    tf::jacobian(mix_d, tf::row_major(J), tf::input(x), tf::output(y), tf::constant(n), tf::constant(n));
    check_all("64 by 64", J.data(), want.data(), n * n);
    check_all("outputs", y.data(), plain.data(), n);
    std::fill(J.begin(), J.end(), 7);
    tf::jacobian<mix_d, by_reverse>(tf::column_major(J), tf::input(x), tf::output(y), tf::constant(n), tf::constant(n));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        check("64 by 64, reverse, column-major", J[j * n + i], want[i * n + j]);
    check_all("outputs in reverse", y.data(), plain.data(), n);
  }
  for (int n : {1, 2, 3, 7, 8, 9, 13})
    for (int m : {1, 2, 4, 8, 11, 17}) {
      double x[13], y[17], J[13 * 17], want[13 * 17];
      fill(x, n, 10 + n, -1, 1);
      by_duals(x, n, m, want);
      tf::jacobian<by_forward>(mix_d, tf::row_major(J, n), tf::input(x, n), tf::output(y, m), tf::constant(n), tf::constant(m));
      check_all("forward, any shape", J, want, n * m);
      tf::jacobian<by_reverse>(mix_d, tf::row_major(J, n), tf::input(x, n), tf::output(y, m), tf::constant(n), tf::constant(m));
      check_all("reverse, any shape", J, want, n * m);
    }
  { // a leading dimension with a gap; a workspace for all directions, and one that holds a single direction
    const int n = 5, m = 4;
    double x[n], y[m], J[m * 7], want[m * n];
    fill(x, n, 3, -1, 1);
    by_duals(x, n, m, want);
    std::fill(J, J + m * 7, -5);
    std::vector<double> enough(tf::jacobian_workspace(n, m)), least(n + m);
    auto look = [&](const char *what) {
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < 7; ++j)
          check(what, J[i * 7 + j], j < n ? want[i * n + j] : -5);
      std::fill(J, J + m * 7, -5);
    };
    tf::jacobian(mix_d, tf::row_major(J, 7), tf::workspace(enough), tf::input(x, n), tf::output(y, m), tf::constant(n),
                 tf::constant(m));
    look("workspace");
    tf::jacobian(mix_d, tf::row_major(J, 7), tf::workspace(least), tf::input(x, n), tf::output(y, m), tf::constant(n),
                 tf::constant(m));
    look("least workspace");
  }
  {
    const int n = 6, m = 5;
    float x[n], y[m], J[m * n];
    double xd[n], want[m * n];
    fill(x, n, 4, -1, 1);
    for (int i = 0; i < n; ++i)
      xd[i] = x[i];
    by_duals(xd, n, m, want);
    tf::jacobian(mix_f, tf::row_major(J, n), tf::input(x, n), tf::output(y, m), tf::constant(n), tf::constant(m));
    check_all("float", J, want, n * m);
  }
  {
    const int n = 9, m = 3;
    double x[n], y[m], J[m * n];
    fill(x, n, 5, -1, 1);
    auto look = [&](const char *what) {
      for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
          check(what, J[i * n + j], 2 * x[j] * (1.0 + i * j));
    };
    tf::jacobian<accumulate, by_forward>(tf::row_major(std::span(J)), tf::input(std::span<const double>(x)),
                                         tf::output(std::span(y)), tf::constant(1));
    look("spans forward");
    tf::jacobian<accumulate, by_reverse>(tf::row_major(std::span(J)), tf::input(std::span(x)), tf::output(std::span(y)),
                                         tf::constant(1));
    look("spans reverse");
    double k = 2;
    auto scaled = [&](const double *a, double *b) {
      for (int i = 0; i < m; ++i)
        b[i] = k * a[i] * a[i + m];
    };
    tf::jacobian(scaled, tf::row_major(std::span(J)), tf::input(std::span(x)), tf::output(std::span(y)));
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < n; ++j)
        check("closure", J[i * n + j], j == i ? k * x[i + m] : j == i + m ? k * x[i] : 0);
    double row[n];
    std::fill(row, row + n, 100);
    tf::jacobian(energy, tf::row_major(std::span(row)), tf::input(x, n), tf::constant(n));
    for (int j = 0; j < n; ++j)
      check("gradient", row[j], 2 * x[j] * x[(j + 1) % n] + x[(j + n - 1) % n] * x[(j + n - 1) % n]);
  }
  return finish();
}
