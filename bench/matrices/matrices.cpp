// Times of Jacobians and Hessians against one call for each direction. Prints one line of JSON for each case; the exit status
// is 1 if a matrix differs between the two.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <tapefree/sparse.hpp>
#include <vector>
namespace tf = tapefree;

static void field(const double *__restrict__ x, double *__restrict__ y, const double *__restrict__ w, int n) {
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int j = 0; j < n; ++j)
      s += w[i * n + j] * x[j];
    y[i] = std::tanh(s);
  }
}
static void stencil(const double *__restrict__ x, double *__restrict__ y, int n) {
  for (int i = 0; i < n; ++i) {
    double left = i > 0 ? x[i - 1] : 0, right = i + 1 < n ? x[i + 1] : 0;
    y[i] = left * right + std::exp(-x[i] * x[i]);
  }
}
static double rosenbrock(const double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; ++i) {
    double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    s += 100 * a * a + b * b;
  }
  return s;
}

// Nanoseconds of one call: the smallest of several rounds of about 20 ms.
template <class F> static double time_of(F call) {
  using clock = std::chrono::steady_clock;
  auto round = [&](long times) {
    auto start = clock::now();
    for (long i = 0; i < times; ++i)
      call();
    return std::chrono::duration<double, std::nano>(clock::now() - start).count();
  };
  long times = 1;
  while (round(times) < 2e7)
    times *= 2;
  double best = 1e300;
  for (int i = 0; i < 7; ++i)
    best = std::min(best, round(times) / times);
  return best;
}

static bool failed = false;
static void report(const char *name, double one, double batch, const std::vector<double> &a, const std::vector<double> &b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    worst = std::max(worst, std::fabs(a[i] - b[i]) / (1 + std::fabs(a[i])));
  bool ok = worst < 1e-12;
  failed |= !ok;
  std::printf("{\"name\":\"%s\",\"width\":%u,\"one_ns\":%.0f,\"batch_ns\":%.0f,\"ratio\":%.2f,\"max_rel_err\":%.3g,\"ok\":%s}\n",
              name, tf::default_width, one, batch, one / batch, worst, ok ? "true" : "false");
}

int main() {
  constexpr auto forward = tf::sweep::forward, reverse = tf::sweep::reverse;
  const int n = 64;
  std::vector<double> x(n), y(n), w(n * n), one(n * n), all(n * n), memory(tf::hessian_workspace(1000) + 10000);
  for (int i = 0; i < n * n; ++i)
    w[i] = std::sin(i * 0.7) / 8;
  for (int i = 0; i < n; ++i)
    x[i] = std::cos(i * 0.3);
  const double *weights = w.data();
  auto dense = [&]<tf::sweep S, unsigned W>(std::vector<double> &J) {
    tf::jacobian<field, tf::pass_options{.direction = S, .width = W}>(tf::row_major(J), tf::workspace(memory), tf::input(x),
                                                                     tf::output(y), tf::constant(weights), tf::constant(n));
  };
  constexpr unsigned W = tf::default_width;
  report("jacobian 64x64 forward", time_of([&] { dense.operator()<forward, 1>(one); }),
         time_of([&] { dense.operator()<forward, W>(all); }), one, all);
  report("jacobian 64x64 reverse", time_of([&] { dense.operator()<reverse, 1>(one); }),
         time_of([&] { dense.operator()<reverse, W>(all); }), one, all);

  std::vector<double> g(n);
  auto second = [&]<unsigned Width>(std::vector<double> &H) {
    tf::hessian<rosenbrock, tf::pass_options{.width = Width}>(H, g, tf::workspace(memory), tf::input(x), tf::constant(n));
  };
  report("hessian rosenbrock 64", time_of([&] { second.operator()<1>(one); }), time_of([&] { second.operator()<W>(all); }), one,
         all);

  // Sparse against dense: 1000 unknowns, 3 colours.
  const int big = 1000;
  std::vector<std::size_t> begin{0}, column;
  for (int i = 0; i < big; ++i) {
    for (int j = std::max(0, i - 1); j <= std::min(big - 1, i + 1); ++j)
      column.push_back(j);
    begin.push_back(column.size());
  }
  const tf::sparsity pattern{std::size_t(big), begin, column};
  std::vector<double> u(big), v(big), full(big * big), values(column.size()), picked(column.size());
  for (int i = 0; i < big; ++i)
    u[i] = std::cos(i * 0.3);
  const tf::sparse_plan plan = tf::plan_jacobian(pattern, forward, tf::color_columns(pattern));
  constexpr tf::pass_options by_forward{.direction = forward};
  double dense_ns = time_of([&] {
    tf::jacobian<stencil, by_forward>(tf::row_major(full), tf::workspace(memory), tf::input(u), tf::output(v), tf::constant(big));
  });
  double sparse_ns = time_of([&] {
    tf::sparse_jacobian<stencil, by_forward>(plan, values, tf::workspace(memory), tf::input(u), tf::output(v),
                                             tf::constant(big));
  });
  for (int i = 0; i < big; ++i)
    for (std::size_t p = begin[i]; p < begin[i + 1]; ++p)
      picked[p] = full[i * big + column[p]];
  report("tridiagonal 1000: dense against sparse", dense_ns, sparse_ns, picked, values);
  return failed;
}
