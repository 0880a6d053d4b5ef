// One mistake in a call of jacobian, hessian or check_gradient, one error, in words; each section is compiled alone.
// DEFINE: %{n} =
// DEFINE: %{check} = not %clangxx_plain -fsyntax-only -DMISTAKE=%{n} %s 2>&1 | FileCheck --check-prefix=M%{n} %s
// REDEFINE: %{n} = 1
// RUN: %{check}
// REDEFINE: %{n} = 2
// RUN: %{check}
// REDEFINE: %{n} = 3
// RUN: %{check}
// REDEFINE: %{n} = 4
// RUN: %{check}
// REDEFINE: %{n} = 5
// RUN: %{check}
// REDEFINE: %{n} = 6
// RUN: %{check}
// REDEFINE: %{n} = 7
// RUN: %{check}
#include <tapefree/check.hpp>
#include <tapefree/sparse.hpp>
#include <vector>
namespace tf = tapefree;

void f(const double *x, double *y, int n);
double g(const double *x);

void mistake(std::vector<double> &x, std::vector<double> &y, const std::vector<double> &fixed) {
#if MISTAKE == 1 // a word of another interface
  tf::jacobian(f, tf::row_major(x), tf::dup(x.data(), y.data()), tf::output(y), tf::constant(1));
// M1: static assertion failed{{.*}}: tapefree: say what each argument is: input(x), output(y) or constant(x)
// M1: mistakes_matrices.cpp:[[@LINE-2]]:{{.*}} requested here
// M1: {{^}}1 error generated
#elif MISTAKE == 2 // no input
  tf::jacobian(f, tf::row_major(x), tf::constant(x.data()), tf::output(y), tf::constant(1));
// M2: static assertion failed{{.*}}: tapefree: give one input(x), the values to differentiate by
// M2: {{^}}1 error generated
#elif MISTAKE == 3 // an argument missing
  tf::jacobian<f>(tf::row_major(x), tf::input(x), tf::output(y));
// M3: static assertion failed{{.*}}: tapefree: wrong number of arguments: give one for each parameter
// M3: {{^}}1 error generated
#elif MISTAKE == 4 // neither a value nor an output
  double *p = y.data();
  tf::jacobian(f, tf::row_major(x), tf::input(x), tf::constant(p), tf::constant(1));
// M4: static assertion failed{{.*}}: tapefree: jacobian is for a function that returns a floating-point value, or writes its results through output(y): one of both
// M4: {{^}}1 error generated
#elif MISTAKE == 5 // second derivatives of a pointer to a function
  tf::hessian(g, y, x, tf::input(x));
// M5: static assertion failed{{.*}}: tapefree: second derivatives need the function by name: write hvp<f>(...) or hessian<f>(...)
// M5: {{^}}1 error generated
#elif MISTAKE == 6 // a Hessian of a function without a value
  tf::hvp<f>(x, x, y, tf::input(x), tf::output(y), tf::constant(1));
// M6: static assertion failed{{.*}}: tapefree: the function of a Hessian returns one floating-point value
// M6: {{^}}1 error generated
#elif MISTAKE == 7 // differences need to move the input
  tf::check_gradient(g, tf::input(fixed));
// M7: static assertion failed{{.*}}: tapefree: check_gradient moves the input's values (and puts them back), so they must not be const
// M7: {{^}}1 error generated
#endif
  static_cast<void>(x), static_cast<void>(y), static_cast<void>(fixed);
}
