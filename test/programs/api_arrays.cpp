// NOLANES: the typed interface
// The typed API on memory: pointers, references, arrays, classes, outputs, values beside gradients, strict.
#include "support.hpp"
#include <span>
#include <tapefree/tapefree.hpp>
#include <vector>
namespace tf = tapefree;

static double loss(const double *w, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += w[i] * w[i] * x[i];
  return s;
}
static void scale(const double *in, double *out, double k, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = k * in[i] * in[i];
}
struct Point {
  double x, y;
};
static double norm(Point p) { return p.x * p.x + p.y * p.y; }
static double norm_of(const Point &p) { return p.x * p.x + p.y * p.y; }
static double sum_of_squares(const std::vector<double> &v) {
  double s = 0;
  for (double x : v)
    s += x * x;
  return s;
}
static double of_span(std::span<const double> v) {
  double s = 0;
  for (double x : v)
    s += x * x * x;
  return s;
}
static double of_array(const double (&a)[3]) { return a[0] * a[1] * a[2]; }

int main() {
  double w[4] = {1, 2, 3, 4}, x[4] = {5, 6, 7, 8};
  {
    double dw[4] = {1, 1, 1, 1};
    tf::gradient(loss, tf::dup(w, dw), tf::constant(x), tf::constant(4));
    for (int i = 0; i < 4; ++i)
      check("added into the shadow", dw[i], 1 + 2 * w[i] * x[i]);
  }
  {
    double dw[4] = {}, dx[4] = {};
    double value = tf::value_and_gradient(loss, tf::dup(w, dw), tf::dup(x, dx), tf::constant(4));
    check("value alone", value, 5 + 24 + 63 + 128);
    for (int i = 0; i < 4; ++i) {
      check("w", dw[i], 2 * w[i] * x[i]);
      check("x", dx[i], w[i] * w[i]);
    }
  }
  {
    double dw[4] = {};
    check("strict value", tf::strict::value_and_gradient<loss>(tf::dup(w, dw), tf::constant(x), tf::constant(4)), 220);
    tf::strict::gradient(loss, tf::dup(w, dw), tf::constant(x), tf::constant(4));
    for (int i = 0; i < 4; ++i)
      check("strict, twice", dw[i], 4 * w[i] * x[i]);
  }
  {
    double dw[4] = {}, out[4] = {}, seed[4] = {1, 10, 100, 1000};
    double dk = tf::gradient(scale, tf::dup(w, dw), tf::dup(out, seed), tf::active(3.0), tf::constant(4));
    double want = 0, each[4] = {1, 10, 100, 1000};
    for (int i = 0; i < 4; ++i) {
      want += each[i] * w[i] * w[i];
      check("through the output", dw[i], 6 * w[i] * each[i]);
      check("the output itself", out[i], 3 * w[i] * w[i]);
      check("seed consumed", seed[i], 0);
    }
    check("active beside memory", dk, want);
  }
  {
    Point p{3, 4}, dp{};
    tf::gradient<norm>(tf::dup(p, dp));
    tf::gradient(norm_of, tf::dup(p, dp));
    tf::gradient([](Point q) { return q.x * q.y; }, tf::dup(p, dp));
    check("class x", dp.x, 6 + 6 + 4);
    check("class y", dp.y, 8 + 8 + 3);
  }
  {
    std::vector<double> v = {1, 2, 3}, dv(3);
    tf::gradient(sum_of_squares, tf::dup(v, dv));
    std::span<const double> s(v), ds(dv);
    tf::gradient<of_span>(tf::dup(s, ds));
    for (int i = 0; i < 3; ++i)
      check("vector and span", dv[i], 2 * v[i] + 3 * v[i] * v[i]);
  }
  {
    double a[3] = {2, 3, 5}, da[3] = {};
    tf::gradient(of_array, tf::dup(a, da));
    check("array 0", da[0], 15);
    check("array 1", da[1], 10);
    check("array 2", da[2], 6);
  }
  {
    const double dw[4] = {1, 0, 2, 0};
    check("forward", tf::derivative(loss, tf::dup(w, dw), tf::constant(x), tf::constant(4)), 10 + 84);
    double out[4] = {}, dout[4] = {};
    tf::derivative(scale, tf::dup(w, dw), tf::dup(out, dout), tf::constant(3.0), tf::constant(4));
    for (int i = 0; i < 4; ++i)
      check("forward output", dout[i], 6 * w[i] * dw[i]);
  }
  return finish();
}
