// Rules with wrong signatures; each section is compiled alone. The error shows the two signatures.
// DEFINE: %{n} =
// DEFINE: %{check} = not %clangxx_plain -fsyntax-only -DMISTAKE=%{n} %s 2>&1 | FileCheck --check-prefix=M%{n} %s
// RUN: %clangxx_plain -fsyntax-only -Wall -Wextra -Werror -DMISTAKE=0 %s
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
#include <tapefree/rule.hpp>
#include <vector>
namespace tf = tapefree;

double f(double x, const double *p, int n);
double g(double x);
void h(double *x, std::vector<double> v);
void store(const double &x, double *y);
double f_right(double x, const double *p, double *dp, tf::not_read, double seed);
tf::with_tape<double, int> f_augmented(double x, const double *p, int n);
double f_with_tape(tf::not_read, tf::not_read, double *dp, int n, double seed, const int &tape);
tf::value_and_tangent<double> f_forward(double x, double dx, const double *p, const double *dp, int n);
void store_gradient(const double &x, double *dx, tf::not_read, double *dy);

#if MISTAKE == 0
inline constexpr tf::register_gradient<f, f_right> a;
inline constexpr tf::register_gradient<f, f_augmented, f_with_tape> b;
inline constexpr tf::register_derivative<f, f_forward> c;
inline constexpr tf::register_gradient<store, store_gradient> d;
#elif MISTAKE == 1 // the shadow is missing
double f_gradient(double x, const double *p, int n, double seed);
inline constexpr tf::register_gradient<f, f_gradient> f_has_a_gradient;
// M1: static assertion failed{{.*}}: tapefree: the gradient of a function has another signature than it should have: compare Found and Expected
// M1: check_gradient<double (double, const double *, int), double (double, const double *, int, double), double (double, const double *, double *, int, double), false>
// M1: 1 error generated
#elif MISTAKE == 2 // of another type
float g_tangent(double x, double dx);
inline constexpr tf::register_derivative<g, g_tangent> g_has_a_derivative;
// M2: static assertion failed{{.*}}: tapefree: the derivative of a function has another signature than it should have
// M2: check_derivative<double (double), float (double, double), double (double, double), false>
// M2: 1 error generated
#elif MISTAKE == 3 // a tape that cannot be copied
tf::with_tape<double, std::vector<double>> g_augmented(double x);
double g_gradient(double x, double seed, const std::vector<double> &tape);
inline constexpr tf::register_gradient<g, g_augmented, g_gradient> g_has_a_gradient;
// M3: static assertion failed{{.*}}: tapefree: the augmented function has another signature than it should have
// M3: 1 error generated
#elif MISTAKE == 4 // a class by value
void h_gradient(double *x, double *dx, std::vector<double> v);
inline constexpr tf::register_gradient<h, h_gradient> h_has_a_gradient;
// M4: static assertion failed{{.*}}: tapefree: a rule is for a function of numbers, pointers and references: pass classes by pointer or reference
#elif MISTAKE == 5 // one function
inline constexpr tf::register_gradient<g> g_has_a_gradient;
// M5: static assertion failed{{.*}}: tapefree: register_gradient takes a function and its gradient, or a function, its augmented function and its gradient
#endif
