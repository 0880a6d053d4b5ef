// What vmap and the batches of spans accept compiles without a warning, and has the types that it says.
// RUN: %clangxx_plain -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Werror %s
// RUN: %clangxx_plain -fsyntax-only -Wall -Wextra -Wpedantic -Werror -fno-exceptions -fno-rtti %s
#include <array>
#include <span>
#include <tapefree/tapefree.hpp>
#include <vector>
namespace tf = tapefree;

double square(double x);
double product(double x, const double &y);
double dot(const double *w, const double *x, int n);
void scale(double *x, int n);
int count(int n);
struct Point {
  double x, y;
};
double norm(Point p);
double norm_of(const Point &p);

#define IS(type, x) std::is_same_v<type, std::remove_cvref_t<decltype((x))>>

void lanes(double *w, const double *x, int n, const std::array<double, 2> &two, std::span<const double> s) {
  auto a = tf::vmap<2>(square, tf::per_lane(1.0, n));
  static_assert(a.size() == 2 && IS(double, a[0]));
  auto b = tf::vmap<2, square>(tf::per_lane(two));
  b = tf::vmap<2>(square, tf::per_lane(a));
  b = tf::vmap<2>(square, tf::per_lane(s));
  const double plain[2] = {};
  b = tf::vmap<2>(square, tf::per_lane(plain));
  b = tf::vmap<2>(product, tf::per_lane(1, 2.0), tf::constant(3));
  b = tf::vmap<2>(product, tf::per_lane(plain), tf::per_lane(plain));
  b = tf::vmap<2>(dot, tf::buffer(w, 8), tf::constant(x), tf::per_lane(n, n));
  b = tf::vmap<2>(dot, tf::per_lane(w, x), tf::buffer(s), tf::constant(n));
  static_assert(std::is_void_v<decltype(tf::vmap<64>(scale, tf::buffer(w, -8), tf::constant(n)))>);
  static_assert(IS(int, tf::vmap<1>(count, tf::per_lane(n))[0]));
  Point p{}, q{};
  b = tf::vmap<2, norm>(tf::per_lane(p, q));
  b = tf::vmap<2>(norm_of, tf::buffer(&p, sizeof p));
  b = tf::vmap<2>([&](auto v, auto k) { return v * k; }, tf::per_lane(1.0, 2.0), tf::constant(n));
}

void spans(std::vector<double> &w, std::vector<double> &dw, std::span<const double> x, int n) {
  tf::batch<4>::gradient(dot, tf::dupv(w, dw), tf::constant(x.data()), tf::constant(n));
  tf::batch<4>::gradient<dot>(tf::dup_noneedv(x, dw), tf::constant(x.data()), tf::constant(n));
  tf::batch<4>::gradient(dot, tf::dup_noneedv(w.data(), dw.data(), 64), tf::constant(x.data()), tf::constant(n));
  auto d = tf::batch<4>::jvp(dot, tf::dupv(x, x), tf::constant(w.data()), tf::constant(n));
  static_assert(d.size() == 4);
  auto [value, slopes] = tf::batch<2>::value_and_derivative(square, tf::dup(1.0, 1.0, 2.0));
  static_assert(IS(double, value) && slopes.size() == 2);
}
