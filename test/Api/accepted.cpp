// Everything that the typed API accepts compiles without a warning, and has the types that it says.
// RUN: %clangxx_plain -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Werror %s
// RUN: %clangxx_plain -fsyntax-only -Wall -Wextra -Wpedantic -Werror -fno-exceptions -fno-rtti %s
#include <memory>
#include <span>
#include <tapefree/tapefree.hpp>
#include <type_traits>
#include <vector>
namespace tf = tapefree;
using two_doubles = tf::gradients<double, double>;

double square(double x);
double product(double x, const double &y) noexcept;
double mixed(float a, double b, long double c);
double dot(const double *w, const double *x, int n);
void copy(const double *from, double *to);
double by_reference(double &x);
double of_array(const double (&x)[3]);
double rows(const double *const *m, int n);
enum class Kind { a, b };
double with_kind(double x, Kind kind, bool on, const char *name);
double with_callback(double x, double (*f)(double));
double of_pointer(double x, std::nullptr_t);
struct Base {
  double k;
};
struct Derived : Base {};
double of_base(const Base *b);
double of_base_reference(const Base &b);
struct Point {
  double x, y;
};
double norm(Point p);
double of_vector(const std::vector<double> &v);
double of_span(std::span<const double> s);
double of_optional_scale(double x, const float &scale);
struct Model {
  double k;
  double eval(double x) const;
  double train(double x);
};
struct Functor {
  double operator()(double x, int n) const noexcept;
};
struct Scale {
  double k;
  double operator()(double x) { return k *= x; }
};
namespace {
struct Hidden {
  double k;
};
double of_hidden(const Hidden &h, const Hidden *g) { return h.k * g->k; }
} // namespace

#define IS(type, x) std::is_same_v<type, std::remove_cvref_t<decltype((x))>>

void reverse(double *w, double *dw, const double *x, int n, float single, double y) {
  auto one = tf::gradient(square, tf::active(3.0));
  static_assert(std::is_same_v<decltype(one), double>);
  auto from_float = tf::gradient(square, tf::active(single)); // the parameter's type counts
  static_assert(std::is_same_v<decltype(from_float), double>);
  auto two = tf::gradient(product, tf::active(3.0), tf::active(y));
  static_assert(std::is_same_v<decltype(two), tf::gradients<double, double>>);
  auto [a, b, c] = tf::gradient(mixed, tf::active(1.0f), tf::active(2.0), tf::active(3.0L));
  static_assert(IS(float, a) && IS(double, b) && IS(long double, c));
  const auto some = tf::gradient(mixed, tf::active(1.0f), tf::constant(2), tf::active(3.0L));
  const auto &[d, e] = some;
  static_assert(IS(float, d) && IS(long double, e));
  static_assert(std::is_void_v<decltype(tf::gradient(dot, tf::dup(w, dw), tf::constant(x), tf::constant(n)))>);
  tf::gradient(&dot, tf::dup(w, dw), tf::constant(x), tf::constant(3L));
  tf::gradient<dot>(tf::dup(x, dw), tf::constant(nullptr), tf::constant(n));
  tf::gradient(copy, tf::dup_noneed(w, dw), tf::dup(w, dw));
  double dy = 0;
  tf::gradient(by_reference, tf::dup(y, dy));
  tf::gradient(product, tf::constant(1), tf::dup(y, dy));
  double v[3] = {}, dv[3] = {};
  tf::gradient(of_array, tf::dup(v, dv));
  tf::gradient(dot, tf::dup(v, dv), tf::constant(v), tf::constant(3));
  double *m[2] = {v, v}, *dm[2] = {dv, dv};
  tf::gradient(rows, tf::dup(m, dm), tf::constant(2));
  tf::gradient(with_kind, tf::active(y), tf::constant(Kind::a), tf::constant(true), tf::constant("name"));
  tf::gradient(with_callback, tf::active(y), tf::constant(square));
  tf::gradient(of_pointer, tf::active(y), tf::constant(nullptr));
  Derived r{}, dr{};
  tf::gradient(of_base, tf::dup(&r, &dr));
  tf::gradient(of_base_reference, tf::dup(r, dr));
  Point p{}, dp{};
  tf::gradient<norm>(tf::dup(p, dp));
  std::vector<double> vec(3), dvec(3);
  tf::gradient(of_vector, tf::dup(vec, dvec));
  std::span<const double> s(vec), ds(dvec);
  tf::gradient<of_span>(tf::dup(s, ds));
  tf::gradient(of_optional_scale, tf::active(y), tf::constant(2.5)); // a double for a const float &
  Hidden h{}, dh{};
  tf::gradient(of_hidden, tf::dup(h, dh), tf::dup(&h, &dh));
}

void with_value(double *w, double *dw, const double *x, int n, double y) {
  auto both = tf::value_and_gradient(square, tf::active(3.0));
  static_assert(IS(double, both.value) && IS(double, both.gradient));
  auto [value, g] = tf::value_and_gradient(product, tf::active(y), tf::active(y));
  static_assert(IS(double, value) && IS(two_doubles, g));
  double only = tf::value_and_gradient(dot, tf::dup(w, dw), tf::constant(x), tf::constant(n));
  tf::strict::gradient(dot, tf::dup(w, dw), tf::constant(x), tf::constant(n));
  only += tf::strict::value_and_gradient<dot>(tf::dup(w, dw), tf::constant(x), tf::constant(n));
  static_cast<void>(only);
}

double callables(double k) {
  double sum = 0;
  sum += tf::gradient([](double x) { return x * x; }, tf::active(2.0));
  sum += tf::gradient([](double x) noexcept { return x * x; }, tf::active(2.0));
  sum += tf::gradient([k](double x) { return k * x; }, tf::active(2.0));
  sum += tf::gradient([&](double x) { return k * x; }, tf::active(2.0));
  sum += tf::gradient([&](double x) { return x; }, tf::active(2.0));
  sum += tf::gradient([k](double x) mutable { return k *= x; }, tf::active(2.0));
  sum += tf::gradient([](auto x, const auto &y, int n) { return x * y * n; }, tf::active(2.0), tf::constant(k),
                      tf::constant(3));
  sum += tf::gradient(Functor{}, tf::active(2.0), tf::constant(1));
  Scale scale{2};
  sum += tf::gradient(scale, tf::active(2.0));
  const auto f = [k](double x) { return k * x; };
  sum += tf::gradient(f, tf::active(2.0));
  Model m{2}, dm{};
  sum += tf::gradient<&Model::eval>(tf::dup(m, dm), tf::active(2.0));
  sum += tf::gradient<&Model::train>(tf::constant(m), tf::active(2.0));
  auto [value, slope] = tf::value_and_gradient<[](double x) { return x * x; }>(tf::active(3.0));
  return sum + value + slope;
}

void forward(double *w, const double *dw, const double *x, int n, double k) {
  auto d = tf::derivative(square, tf::dup(3.0, 1.0));
  static_assert(std::is_same_v<decltype(d), double>);
  d += tf::jvp(product, tf::dup(k, 1.0), tf::dup(k, 1.0));
  d += tf::derivative<dot>(tf::dup(w, dw), tf::constant(x), tf::constant(n)); // tangents are only read
  auto [value, slope] = tf::value_and_derivative(square, tf::dup(k, 1));
  static_assert(IS(double, value) && IS(double, slope));
  d += tf::derivative([](auto x) { return x * x; }, tf::dup(k, 1.0));
  double y, dy;
  static_assert(std::is_void_v<decltype(tf::derivative(copy, tf::dup(w, dw), tf::dup(&y, &dy)))>);
}

void lanes(double *w, double (*dw)[8], const double *x, int n, double k) {
  tf::batch<4>::gradient(dot, tf::dup(w, dw[0], dw[1], dw[2], dw[3]), tf::constant(x), tf::constant(n));
  tf::batch<4>::gradient<dot>(tf::dupv(w, dw[0], sizeof dw[0]), tf::constant(x), tf::constant(n));
  tf::batch<8>::gradient(dot, tf::dup_interleaved(w, dw[0]), tf::constant(x), tf::constant(n));
  auto four = tf::batch<4>::derivative(square, tf::dup(k, 1.0, 2.0, 3.0, 4.0));
  static_assert(four.size() == 4 && IS(double, four[0]));
  auto [a, b] = tf::batch<4>::gradient(product, tf::active(k), tf::active(k));
  static_assert(IS(double, a[3]) && IS(double, b[3]));
  double value = tf::batch<2>::value_and_gradient(dot, tf::dup(w, dw[0], dw[1]), tf::constant(x), tf::constant(n));
  static_cast<void>(value);
}
