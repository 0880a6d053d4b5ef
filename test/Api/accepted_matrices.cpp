// Jacobians, Hessians, sparse derivatives and checks compile without a warning.
// RUN: %clangxx_plain -fsyntax-only -Wall -Wextra -Wpedantic -Wconversion -Werror %s
// RUN: %clangxx_plain -fsyntax-only -Wall -Wextra -Wpedantic -Werror -fno-exceptions -fno-rtti -DTAPEFREE_DEFAULT_WIDTH=8 %s
#include <tapefree/check.hpp>
#include <tapefree/sparse.hpp>
namespace tf = tapefree;

void f(const double *x, double *y, int n);
void of_spans(std::span<const float> x, std::span<float> y);
double g(const double *x);
double of_span(std::span<const double> x, const double &k);
constexpr tf::pass_options wide{.direction = tf::sweep::forward, .width = 4, .stack = 100};

void dense(const double *x, std::vector<double> &y, std::vector<double> &J, std::size_t n, std::vector<float> &single) {
  tf::jacobian(f, tf::row_major(J), tf::input(x, n), tf::output(y), tf::constant(1));
  tf::jacobian<f, wide>(tf::column_major(J.data(), n), tf::workspace(J), tf::input(x, n), tf::output(y), tf::constant(1));
  tf::jacobian<of_spans>(tf::row_major(single), tf::input(single), tf::output(single));
  tf::jacobian(g, tf::row_major(J), tf::input(y));
  tf::hessian<g>(J, y, tf::input(x, n));
  tf::hessian<wide>([&](const double *v) { return v[0] * y[0]; }, J, y, tf::workspace(J), tf::input(x, n));
  tf::hessian<of_span, wide>(J, y, tf::input(y), tf::constant(2));
  tf::hvp<g>(std::span(x, n), y, J, tf::input(x, n));
  tf::hvp([](const double *v) { return v[0] * v[0]; }, y, y, J, tf::input(x, n));
}

void sparse(const tf::sparsity &a, double *x, std::vector<double> &y, std::vector<double> &values, std::size_t n) {
  tf::sparse_plan plan = tf::plan_jacobian(a);
  tf::sparse_jacobian(f, plan, values, tf::input(x, n), tf::output(y), tf::constant(1));
  tf::sparse_jacobian<f, wide>(plan, values, tf::workspace(y), tf::input(x, n), tf::output(y), tf::constant(1));
  plan = tf::plan_hessian(a, tf::color_symmetric(a));
  tf::sparse_hessian<g>(plan, values, y, tf::input(x, n));
  tf::sparse_hessian<wide>([](const double *v) { return v[0]; }, plan, values, y, tf::workspace(y), tf::input(x, n));
}

bool checks(double *x, std::vector<double> &y, std::size_t n) {
  tf::gradient_report report = tf::check_gradient(g, tf::input(x, n));
  report.print();
  return tf::check_gradient<of_span>(tf::input(y), tf::constant(1)) && tf::compare_gradient(g, y, tf::input(x, n)) &&
         tf::compare_gradient<g, tf::check_options{.tolerance = 1e-3}>(y, tf::input(x, n));
}
