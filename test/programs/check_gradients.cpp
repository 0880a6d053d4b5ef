// NOLANES: the typed interface, or batches themselves
// tapefree::check_gradient passes what is right, leaves the inputs as they were, and finds a planted error.
#include "support.hpp"
#include <tapefree/check.hpp>
namespace tf = tapefree;

static double loss(const double *w, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += std::sin(w[i] * x[i]) * w[(i + 1) % n];
  return s;
}
static float loss_f(const float *w) { return w[0] * w[0] * w[1]; }
// A derivative by hand with a sign that is wrong for one entry.
static void by_hand(const double *w, const double *x, int n, int wrong, double *g) {
  for (int i = 0; i < n; ++i) {
    g[i] = std::cos(w[i] * x[i]) * x[i] * w[(i + 1) % n] + std::sin(w[(i + n - 1) % n] * x[(i + n - 1) % n]);
    if (i == wrong)
      g[i] -= 2 * std::sin(w[(i + n - 1) % n] * x[(i + n - 1) % n]);
  }
}

int main() {
  const int n = 12;
  std::vector<double> w(n), before, x(n), g(n);
  fill(w.data(), n, 1, 0.5, 2);
  fill(x.data(), n, 2, 0.5, 2);
  before = w;
  const double *xs = x.data();
  check_true("right", bool(tf::check_gradient(loss, tf::input(w), tf::constant(xs), tf::constant(n))));
  check_true("right, by template", bool(tf::check_gradient<loss>(tf::input(w), tf::constant(xs), tf::constant(n))));
  check_true("closure", bool(tf::check_gradient([&](const double *v) { return loss(v, xs, n); }, tf::input(w))));
  check_true("inputs are put back", w == before);
  float single[2] = {1.5f, 0.5f};
  check_true("float", bool(tf::check_gradient(loss_f, tf::input(single, 2))));

  by_hand(w.data(), xs, n, -1, g.data());
  check_true("by hand", bool(tf::compare_gradient(loss, g, tf::input(w), tf::constant(xs), tf::constant(n))));
  for (int wrong : {0, 5, n - 1}) {
    by_hand(w.data(), xs, n, wrong, g.data());
    tf::gradient_report report = tf::compare_gradient(loss, g, tf::input(w), tf::constant(xs), tf::constant(n));
    check_true("planted error", !report && report.index == std::size_t(wrong));
    check("got", report.got, g[wrong]);
    check("want", report.want, g[wrong] + 2 * std::sin(w[(wrong + n - 1) % n] * x[(wrong + n - 1) % n]), 1e-7);
    check("error", report.error, std::fabs(report.got - report.want) / (1 + std::fabs(report.want)));
  }
  constexpr tf::check_options loose{.step = 1e-4, .tolerance = 10};
  check_true("options", bool(tf::compare_gradient<loss, loose>(g, tf::input(w), tf::constant(xs), tf::constant(n))));
  return finish();
}
