// NOLANES: the typed interface, or batches themselves
// LEVELS: O0 O2 fast
// SANITIZE: address
// (UBSan puts tests into the primal before the plugin sees it, and with them spans are refused.)
// tapefree::hessian and hvp: Rosenbrock against its closed form, a Gaussian mixture against dual numbers of dual numbers,
// closures, spans, float, and workspaces.
#include "support.hpp"
#include <span>
#include <tapefree/hessian.hpp>
#include <vector>
namespace tf = tapefree;

template <class T> struct Jet {
  T v, d;
  Jet() = default;
  Jet(double x) : v(x), d(0) {}
  Jet(T value, T tangent) : v(value), d(tangent) {}
  friend Jet operator+(Jet a, Jet b) { return {a.v + b.v, a.d + b.d}; }
  friend Jet operator-(Jet a, Jet b) { return {a.v - b.v, a.d - b.d}; }
  friend Jet operator*(Jet a, Jet b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
  friend Jet exp(Jet a) {
    T e = exp(a.v);
    return {e, e * a.d};
  }
  friend Jet log(Jet a) { return {log(a.v), a.d * exp(T(0) - log(a.v))}; }
};
using Second = Jet<Jet<double>>;

static double rosenbrock(const double *x, int n) {
  double s = 0;
  for (int i = 0; i + 1 < n; ++i) {
    double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
    s += 100 * a * a + b * b;
  }
  return s;
}
static void rosenbrock_exact(const double *x, int n, double *g, double *H) {
  std::fill(g, g + n, 0);
  std::fill(H, H + n * n, 0);
  for (int i = 0; i + 1 < n; ++i) {
    double a = x[i + 1] - x[i] * x[i];
    g[i] += -400 * a * x[i] - 2 * (1 - x[i]);
    g[i + 1] += 200 * a;
    H[i * n + i] += 1200 * x[i] * x[i] - 400 * x[i + 1] + 2;
    H[i * n + i + 1] -= 400 * x[i];
    H[(i + 1) * n + i] -= 400 * x[i];
    H[(i + 1) * n + i + 1] += 200;
  }
}

// The negative log likelihood of `count` points in the plane under two Gaussians: weights, means, log precisions.
constexpr int kinds = 2, plane = 2, parameters = kinds * (1 + 2 * plane);
template <class T> static T mixture(const T *p, const double *points, int count) {
  T total = T(0.0);
  for (int i = 0; i < count; ++i) {
    T likelihood = T(0.0);
    for (int k = 0; k < kinds; ++k) {
      T exponent = p[k];
      for (int d = 0; d < plane; ++d) {
        T precision = p[kinds + kinds * plane + k * plane + d];
        T u = exp(precision) * (T(points[i * plane + d]) - p[kinds + k * plane + d]);
        exponent = exponent + precision - T(0.5) * u * u;
      }
      likelihood = likelihood + exp(exponent);
    }
    total = total - log(likelihood);
  }
  T weights = T(0.0);
  for (int k = 0; k < kinds; ++k)
    weights = weights + exp(p[k]);
  return total + T(count) * log(weights);
}
static double mixture_d(const double *p, const double *points, int count) { return mixture(p, points, count); }
static double cubic(std::span<const double> x, double k) {
  double s = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    s += k * x[i] * x[i] * x[(i + 1) % x.size()];
  return s;
}
static float quartic(const float *x) { return x[0] * x[0] * x[1] * x[1] + x[1] * x[2]; }

int main() {
  for (int n : {2, 3, 8, 11, 20}) {
    double x[20], g[20], H[400], exact_g[20], exact[400], v[20], Hv[20];
    fill(x, n, n, -1.5, 1.5);
    fill(v, n, n + 50, -1, 1);
    rosenbrock_exact(x, n, exact_g, exact);
    tf::hessian<rosenbrock>(std::span(H), std::span(g, n), tf::input(x, n), tf::constant(n));
    check_all("rosenbrock gradient", g, exact_g, n);
    check_all("rosenbrock", H, exact, n * n);
    std::fill(g, g + n, 3);
    std::fill(Hv, Hv + n, 3);
    tf::hvp<rosenbrock>(std::span<const double>(v, n), std::span(g, n), std::span(Hv, n), tf::input(x, n), tf::constant(n));
    check_all("gradient beside the product", g, exact_g, n);
    for (int i = 0; i < n; ++i) {
      double want = 0;
      for (int j = 0; j < n; ++j)
        want += exact[i * n + j] * v[j];
      check("product", Hv[i], want);
    }
  }
  {
    const int n = parameters, count = 5;
    double p[n], points[count * plane], g[n], H[n * n];
    fill(p, n, 7, -0.5, 0.5);
    fill(points, count * plane, 8, -1, 1);
    std::vector<double> work(tf::hessian_workspace(n)), least(2 * n);
    double want[n * n], want_g[n];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        Second q[n];
        for (int k = 0; k < n; ++k)
          q[k] = Second(Jet<double>(p[k], k == i), Jet<double>(k == j, 0));
        Second f = mixture(q, points, count);
        want[i * n + j] = f.d.d;
        want_g[i] = f.v.d;
      }
    auto look = [&](const char *what) {
      check_all(what, H, want, n * n);
      check_all(what, g, want_g, n);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          check_true("exactly symmetric", H[i * n + j] == H[j * n + i]);
      std::fill(H, H + n * n, 9);
    };
    tf::hessian<mixture_d>(std::span(H), std::span(g), tf::input(p, n), tf::constant(points), tf::constant(count));
    look("mixture");
    tf::hessian<mixture_d>(std::span(H), std::span(g), tf::workspace(work), tf::input(p, n), tf::constant(points),
                           tf::constant(count));
    look("mixture, workspace");
    tf::hessian<mixture_d>(std::span(H), std::span(g), tf::workspace(least), tf::input(p, n), tf::constant(points),
                           tf::constant(count));
    look("mixture, least workspace");
    tf::hessian([&](const double *q) { return mixture(q, points, count); }, std::span(H), std::span(g), tf::input(p, n));
    look("mixture, closure");
  }
  {
    const int n = 7;
    double x[n], g[n], H[n * n];
    fill(x, n, 9, -1, 1);
    tf::hessian<cubic>(std::span(H), std::span(g), tf::input(std::span(x)), tf::constant(3));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        check("span", H[i * n + j], 3 * (i == j ? 2 * x[(i + 1) % n] : j == (i + 1) % n ? 2 * x[i] : i == (j + 1) % n ? 2 * x[j] : 0));
    float y[3] = {1, 2, 3}, gf[3], Hf[9];
    tf::hessian<quartic>(std::span(Hf), std::span(gf), tf::input(y, 3));
    const float want[9] = {8, 8, 0, 8, 2, 1, 0, 1, 0};
    check_all("float", Hf, want, 9);
  }
  return finish();
}
