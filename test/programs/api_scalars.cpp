// NOLANES: the typed interface
// SANITIZE: address
// (UBSan puts tests into the primal before the plugin sees it, and with them this program is refused.)
// The typed API on functions of scalars: names, template arguments, lambdas, functors, references, mixed types.
#include "support.hpp"
#include <tapefree/tapefree.hpp>
namespace tf = tapefree;

static double square(double x) { return x * x; }
static double product(double x, const double &y) { return x * y * y; }
static double mixed(float a, double b, long double c) { return a * b * static_cast<double>(c * c); }
static double scaled(double x, const float &scale, int n) {
  double r = 1;
  for (int i = 0; i < n; ++i)
    r *= x * scale;
  return r;
}
static double apply(double x, double (*f)(double)) { return f(x) * x; }
struct Cube {
  double operator()(double x) const { return x * x * x; }
};
struct Model {
  double k;
  double eval(double x) const { return k * x * x; }
};

template <class T> static T opaque(T x) {
  volatile T v = x;
  return v;
}

int main() {
  const double x = opaque(3.0), y = opaque(4.0), k = opaque(2.5);

  check("name", tf::gradient(square, tf::active(x)), 6);
  check("address", tf::gradient(&square, tf::active(x)), 6);
  check("template argument", tf::gradient<square>(tf::active(x)), 6);
  check("float argument", tf::gradient(square, tf::active(opaque(3.0f))), 6);
  check("lambda", tf::gradient([](double v) { return v * v * v; }, tf::active(x)), 27);
  check("generic lambda", tf::gradient([](auto v, int n) { return v * v * n; }, tf::active(x), tf::constant(5)), 30);
  check("closure by value", tf::gradient([k](double v) { return k * v * v; }, tf::active(x)), 15);
  check("closure by reference", tf::gradient([&](double v) { return k * v * v; }, tf::active(x)), 15);
  check("functor", tf::gradient(Cube{}, tf::active(x)), 27);
  check("callback", tf::gradient(apply, tf::active(x), tf::constant(square)), 27);
  check("converted constant", tf::gradient(scaled, tf::active(x), tf::constant(2.0), tf::constant(2)), 24);

  auto [px, py] = tf::gradient(product, tf::active(x), tf::active(y));
  check("product x", px, 16);
  check("product y, by reference", py, 24);
  check("product x alone", tf::gradient(product, tf::active(x), tf::constant(y)), 16);
  check("product y alone", tf::gradient(product, tf::constant(x), tf::active(y)), 24);

  auto g = tf::gradient(mixed, tf::active(2.0f), tf::active(x), tf::active(static_cast<long double>(y)));
  check("float", get<0>(g), 48);
  check("double", get<1>(g), 32);
  check("long double", static_cast<double>(get<2>(g)), 48);
  auto [ma, mc] = tf::gradient(mixed, tf::active(2.0f), tf::constant(x), tf::active(static_cast<long double>(y)));
  check("float of two", ma, 48);
  check("long double of two", static_cast<double>(mc), 48);

  Model model{k}, shadow{0};
  check("member function", tf::gradient<&Model::eval>(tf::dup(model, shadow), tf::active(x)), 15);
  check("member", shadow.k, 9);

  double dy = 1;
  tf::gradient(product, tf::constant(x), tf::dup(y, dy));
  check("added into the shadow", dy, 25);

  auto [value, slope] = tf::value_and_gradient(square, tf::active(x));
  check("value", value, 9);
  check("gradient", slope, 6);
  auto both = tf::value_and_gradient<product>(tf::active(x), tf::active(y));
  check("value of product", both.value, 48);
  check("gradient x", get<0>(both.gradient), 16);
  check("gradient y", get<1>(both.gradient), 24);

  check("derivative", tf::derivative(square, tf::dup(x, 1.0)), 6);
  check("jvp", tf::jvp(product, tf::dup(x, 0.5), tf::dup(y, 2.0)), 56);
  auto [fv, fd] = tf::value_and_derivative([](double v) { return v * v * v; }, tf::dup(x, 2.0));
  check("forward value", fv, 27);
  check("forward derivative", fd, 54);
  return finish();
}
