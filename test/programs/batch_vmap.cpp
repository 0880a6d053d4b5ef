// NOLANES: the typed interface, or batches themselves
// SANITIZE: address
// (UBSan's tests of the spans' pointers would be part of the derivative of a batch.)
// tapefree::vmap: every word, by name, template argument, lambda, member and object with state.
#include "support.hpp"
#include <array>
#include <span>
#include <tapefree/tapefree.hpp>
#include <vector>
namespace tf = tapefree;

static double mix(double x, double y) { return x > 2 ? std::sqrt(x) * y : x * x - y; }
static double sum(const double *p, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}
static void scale(double *p, int n, const double &k) {
  for (int i = 0; i < n; ++i)
    p[i] *= k;
}
struct Point {
  double x, y;
};
static double norm(Point p) { return p.x * p.x + p.y * p.y; }
static double norm_of(const Point &p) { return p.x * p.x + p.y * p.y; }
static double total(std::span<const double> v) {
  double s = 0;
  for (double x : v)
    s += x;
  return s;
}
struct Model {
  double k;
  double eval(double x) const { return k * x; }
};
static double apply(double (*f)(double, double), double x) { return f(x, 1); }

int main() {
  const double v[4] = {1, 2, 3, 4};
  {
    auto r = tf::vmap<4>(mix, tf::per_lane(1.0, 2.0, 3.0, 4.0), tf::constant(5.0));
    static_assert(r.size() == 4);
    for (int k = 0; k < 4; ++k)
      check("values", r[k], mix(v[k], 5));
    double s = 0;
    for (double x : r)
      s += x;
    check("range", s, mix(1, 5) + mix(2, 5) + mix(3, 5) + mix(4, 5));
    auto t = tf::vmap<4, mix>(tf::per_lane(v), tf::per_lane(r));
    std::vector<double> on_heap(v, v + 4);
    auto u = tf::vmap<4>(mix, tf::per_lane(std::array{1.0, 2.0, 3.0, 4.0}), tf::per_lane(std::span<const double>(r.lane)));
    auto w = tf::vmap<4>(mix, tf::per_lane(on_heap), tf::per_lane(r));
    for (int k = 0; k < 4; ++k) {
      check("arrays", t[k], mix(v[k], r[k]));
      check("std::array and span", u[k], mix(v[k], r[k]));
      check("vector", w[k], mix(v[k], r[k]));
    }
  }
  {
    auto one = tf::vmap<1>(mix, tf::per_lane(3), tf::constant(1));
    check("one lane, from integers", one[0], std::sqrt(3.0));
  }
  {
    double y[12];
    fill(y, 12, 3, 0, 1);
    auto r = tf::vmap<3>(sum, tf::buffer(y, 4 * sizeof(double)), tf::per_lane(4, 2, 0));
    check("strides 0", r[0], sum(y, 4));
    check("strides 1", r[1], sum(y + 4, 2));
    check("strides 2", r[2], 0);
    auto s = tf::vmap<4>(sum, tf::buffer(std::span(y)), tf::constant(3));
    for (int k = 0; k < 4; ++k)
      check("pieces", s[k], sum(y + 3 * k, 3));
    double want[12];
    for (int i = 0; i < 12; ++i)
      want[i] = y[i] * (1 + i / 6);
    tf::vmap<2>(scale, tf::buffer(y, 6 * sizeof(double)), tf::constant(6), tf::per_lane(1.0, 2));
    check_all("no result, copies for references", y, want, 12);
    auto p = tf::vmap<2>(sum, tf::per_lane(y, y + 1), tf::constant(2));
    check("separate pointers", p[1], y[1] + y[2]);
  }
  {
    Point points[3] = {{1, 2}, {3, 4}, {5, 6}};
    auto r = tf::vmap<3>(norm_of, tf::buffer(points, sizeof(Point)));
    check("objects", r[0] + 100 * r[1] + 10000 * r[2], 5 + 2500 + 610000);
    auto s = tf::vmap<3>(norm_of, tf::per_lane(points[2], points[1], points[0]));
    check("objects one by one", s[2] + 100 * s[1] + 10000 * s[0], 5 + 2500 + 610000);
    auto t = tf::vmap<2, norm>(tf::per_lane(points[0], points[1]));
    check("classes by value", t[0] + 100 * t[1], 5 + 2500);
    double y[4] = {1, 2, 3, 4};
    auto u = tf::vmap<2, total>(tf::per_lane(std::span<const double>(y, 2), std::span<const double>(y + 2, 2)));
    check("spans by value", u[0] + 100 * u[1], 3 + 700);
  }
  {
    double k = 3;
    auto r = tf::vmap<2>([&](double x) { return k * x; }, tf::per_lane(1.0, 2.0));
    check("closure", r[0] + r[1], 9);
    auto s = tf::vmap<2>([](auto x, auto y) { return x * y; }, tf::per_lane(1.0, 2.0), tf::constant(4));
    check("generic", s[0] + s[1], 12);
    auto g = tf::vmap<2>([](auto p, auto i) { return p[i]; }, tf::buffer(v, 16), tf::constant(1));
    check("generic pointer", g[0] + 10 * g[1], 42);
    Model model{7};
    auto t = tf::vmap<2, &Model::eval>(tf::constant(model), tf::per_lane(1.0, 2.0));
    check("member", t[0] + t[1], 21);
    auto u = tf::vmap<3>(apply, tf::constant(mix), tf::per_lane(1.0, 4.0, 9.0));
    check("callback", u[0] + 10 * u[1] + 100 * u[2], 0 + 20 + 300);
    auto n = tf::vmap<3>([](int i) { return i * i; }, tf::per_lane(1, 2, 3));
    check("integers", n[0] + n[1] + n[2], 14);
  }
  return finish();
}
