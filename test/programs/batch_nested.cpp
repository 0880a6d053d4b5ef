// NOLANES: the typed interface, or batches themselves
// SANITIZE: address
// Gradient of a function that maps over lanes; map of a function that asks for a gradient; tangent of either.
#include "support.hpp"
#include <span>
#include <tapefree/tapefree.hpp>
namespace tf = tapefree;

template <class T> static T piece(T x, T k) {
  T y = x;
  for (int i = 0; val(y) < 5 && i < 10; ++i) // as many rounds as the lane needs
    y = y * y * k + x;
  return val(x) > 1 ? sin(y) : y * k;
}
template <class T> static T length(const T *p, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i)
    s = s + p[i] * p[i];
  return s;
}
static double piece_d(double x, double k) { return piece(x, k); }
static double length_d(const double *p, int n) { return length(p, n); }

// By lanes, and the same without.
static double mapped(const double *x, double k) {
  auto r = tf::vmap<4>(piece_d, tf::per_lane(x[0], x[1], x[2], x[3]), tf::constant(k));
  auto l = tf::vmap<2>(length_d, tf::buffer(x, 2 * sizeof(double)), tf::per_lane(2, 1));
  return r[0] * r[1] + r[2] * r[3] + l[0] * l[1];
}
template <class T> static T plain(const T *x, T k) {
  return piece(x[0], k) * piece(x[1], k) + piece(x[2], k) * piece(x[3], k) + length(x, 2) * length(x + 2, 1);
}

static double mapped16(const double *x) {
  double s = 0;
  for (int i = 0; i < 3; ++i) { // a batch inside a loop, each with an array of pieces, written and read
    double y[16];
    auto square = [](double *out, const double *in, double f) { *out = *in * *in * f; };
    tf::vmap<16>(square, tf::buffer(y, sizeof(double)), tf::buffer(x, sizeof(double)), tf::constant(i + 1.0));
    for (int j = 0; j < 16; ++j)
      s += y[j] * x[(j + i) % 16];
  }
  return s;
}
template <class T> static T plain16(const T *x) {
  T s = T(0);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 16; ++j)
      s = s + x[j] * x[j] * T(i + 1.0) * x[(j + i) % 16];
  return s;
}

// A length that only the run knows is checked in a function that is differentiated.
static double halves(const double *x, int n) {
  auto r = tf::vmap<2>(length_d, tf::buffer(std::span<const double>(x, n)), tf::constant(n / 2));
  return r[0] * r[1];
}

static double slope(double x, double k) { return tf::gradient(piece_d, tf::active(x), tf::constant(k)); }
static void gradient_of_length(const double *x, double *dx, int n) {
  tf::gradient(length_d, tf::dup(x, dx), tf::constant(n));
}

int main() {
  const double k = 0.4;
  {
    double x[4] = {0.7, 1.3, 0.2, 2.1}, dx[4] = {}, want[5];
    double all[5] = {x[0], x[1], x[2], x[3], k};
    reference(want, all, 5, [](auto *p) { return plain(p, p[4]); });
    double dk = tf::gradient(mapped, tf::dup(x, dx), tf::active(k));
    check_all("gradient of a map", dx, want, 4);
    check("shared value", dk, want[4]);
    double direction[4] = {1, -2, 0.5, 3}, along = 0;
    for (int i = 0; i < 4; ++i)
      along += direction[i] * want[i];
    check("tangent of a map", tf::derivative(mapped, tf::dup(x, direction), tf::constant(k)), along);
  }
  {
    double x[16], dx[16] = {}, want[16];
    fill(x, 16, 5, -1, 1);
    reference(want, x, 16, [](auto *p) { return plain16(p); });
    tf::gradient(mapped16, tf::dup(x, dx));
    check_all("gradient of maps in a loop", dx, want, 16);
  }
  {
    const double x[4] = {0.7, 1.3, 0.2, 2.1};
    auto slopes = tf::vmap<4>(slope, tf::per_lane(x), tf::constant(k));
    for (int i = 0; i < 4; ++i)
      check("map of a gradient", slopes[i], piece(Dual(x[i], 1), Dual(k)).d);
    double y[6], dy[6] = {};
    fill(y, 6, 6, -1, 1);
    tf::vmap<2>(gradient_of_length, tf::buffer(y, 3 * sizeof(double)), tf::buffer(dy, 3 * sizeof(double)),
                tf::per_lane(3, 2));
    for (int i = 0; i < 6; ++i)
      check("map of a gradient of arrays", dy[i], i < 5 ? 2 * y[i] : 0);
  }
  {
    double x[4] = {1, 2, 3, 4}, dx[4] = {};
    tf::gradient(halves, tf::dup(x, dx), tf::constant(4));
    for (int i = 0; i < 4; ++i)
      check("checked pieces", dx[i], 2 * x[i] * (i < 2 ? 25 : 5));
  }
  { // the derivative of a map of derivatives
    auto energy = [](const double *x) {
      auto s = tf::vmap<2>([](double v) { return tf::gradient([](double u) { return u * u * u; }, tf::active(v)); },
                           tf::per_lane(x[0], x[1]));
      return s[0] * s[1];
    };
    double x[2] = {2, 3}, dx[2] = {};
    tf::gradient(energy, tf::dup(x, dx));
    check("second order 0", dx[0], 6 * x[0] * 3 * x[1] * x[1]);
    check("second order 1", dx[1], 6 * x[1] * 3 * x[0] * x[0]);
  }
  return finish();
}
