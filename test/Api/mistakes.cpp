// One mistake, one error, in words; each section is compiled alone.
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
// REDEFINE: %{n} = 8
// RUN: %{check}
// REDEFINE: %{n} = 9
// RUN: %{check}
// REDEFINE: %{n} = 10
// RUN: %{check}
// REDEFINE: %{n} = 11
// RUN: %{check}
// REDEFINE: %{n} = 12
// RUN: %{check}
// REDEFINE: %{n} = 13
// RUN: %{check}
// REDEFINE: %{n} = 14
// RUN: %{check}
// REDEFINE: %{n} = 15
// RUN: %{check}
// REDEFINE: %{n} = 16
// RUN: %{check}
// REDEFINE: %{n} = 17
// RUN: %{check}
// REDEFINE: %{n} = 18
// RUN: %{check}
#include <string>
#include <tapefree/tapefree.hpp>
namespace tf = tapefree;

double square(double x);
double dot(const double *w, const double *x, int n);
double by_reference(double &x);
double by_const_reference(const double &x);
struct Point {
  double x, y;
};
double norm(Point p);
Point shift(double x);
void store(double x, double *y);
int count(double x);

void mistakes(double *w, double *dw, float *fw, const double *x, const double *cdw, int n, double v) {
#if MISTAKE == 1 // shadow of another type
  tf::gradient(dot, tf::dup(w, fw), tf::constant(x), tf::constant(n));
// M1: static assertion failed{{.*}}: tapefree: the shadow must have the type of its argument
// M1: check_argument<1, const double *,
// M1: mistakes.cpp:[[@LINE-3]]:{{.*}} requested here
// M1: {{^}}1 error generated
#elif MISTAKE == 2 // too few arguments
  tf::gradient(dot, tf::dup(w, dw), tf::constant(x));
// M2: static assertion failed{{.*}}: tapefree: wrong number of arguments: give one for each parameter
// M2: check_count<3, 2>
// M2: mistakes.cpp:[[@LINE-3]]:{{.*}} requested here
// M2: {{^}}1 error generated
#elif MISTAKE == 3 // too many arguments
  double g = tf::gradient(square, tf::active(1.0), tf::active(2.0));
// M3: static assertion failed{{.*}}: tapefree: wrong number of arguments
// M3: {{^}}1 error generated
#elif MISTAKE == 4 // does not convert
  tf::gradient(dot, tf::dup(w, dw), tf::constant("text"), tf::constant(n));
// M4: static assertion failed{{.*}}: tapefree: the argument does not convert to the function's parameter
// M4: check_argument<2, const double *,
// M4: {{^}}1 error generated
#elif MISTAKE == 5 // active of an integer
  double g = tf::gradient(square, tf::active(3));
// M5: static assertion failed{{.*}}: tapefree: active is for floating-point values
// M5: {{^}}1 error generated
#elif MISTAKE == 6 // active for an integer parameter
  tf::gradient(dot, tf::dup(w, dw), tf::constant(x), tf::active(3.0));
// M6: static assertion failed{{.*}}: tapefree: active is for floating-point values
// M6: {{^}}1 error generated
#elif MISTAKE == 7 // dup of a value
  double dv = 0;
  tf::gradient(square, tf::dup(v, dv));
// M7: static assertion failed{{.*}}: tapefree: dup is for pointers and references; use active(x)
// M7: {{^}}1 error generated
#elif MISTAKE == 8 // dup of an integer
  int dn = 0;
  tf::gradient(dot, tf::dup(w, dw), tf::constant(x), tf::dup(n, dn));
// M8: static assertion failed{{.*}}: tapefree: dup is for pointers and references
// M8: check_argument<3, int,
// M8: {{^}}1 error generated
#elif MISTAKE == 9 // shadow that cannot be written
  tf::gradient(dot, tf::dup(w, cdw), tf::constant(x), tf::constant(n));
// M9: static assertion failed{{.*}}: tapefree: the derivative is added into the shadow, so it must be writable
// M9: {{^}}1 error generated
#elif MISTAKE == 10 // shadow that dies at once
  tf::gradient(by_const_reference, tf::dup(v, 0.0));
// M10: static assertion failed{{.*}}: tapefree: the derivative is added into the shadow, so it must be writable
// M10: {{^}}1 error generated
#elif MISTAKE == 11 // no word
  double g = tf::gradient(square, 3.0);
// M11: static assertion failed{{.*}}: tapefree: say how each argument takes part
// M11: {{^}}1 error generated
#elif MISTAKE == 12 // active for a reference that may be written
  tf::gradient(by_reference, tf::active(v));
// M12: static assertion failed{{.*}}: tapefree: the function may write through this reference
// M12: {{^}}1 error generated
#elif MISTAKE == 13 // active in forward mode
  double d = tf::derivative(square, tf::active(v));
// M13: static assertion failed{{.*}}: tapefree: forward mode needs a direction; use dup(x, dx)
// M13: {{^}}1 error generated
#elif MISTAKE == 14 // class by value in a function named at run time
  Point p{}, dp{};
  tf::gradient(norm, tf::dup(p, dp));
// M14: static assertion failed{{.*}}: tapefree: this function takes a class by value: write gradient<f>(...)
// M14: {{^}}1 error generated
#elif MISTAKE == 15 // class as a result
  double g = tf::gradient(shift, tf::active(v));
// M15: static assertion failed{{.*}}: tapefree: the function must return a floating-point value
// M15: {{^}}1 error generated
#elif MISTAKE == 16 // value of a function that has none
  double y, dy;
  auto g = tf::value_and_gradient(store, tf::active(v), tf::dup(&y, &dy));
// M16: static assertion failed{{.*}}: tapefree: the value asked for must be floating-point
// M16: {{^}}1 error generated
#elif MISTAKE == 17 // too few shadows
  tf::batch<4>::gradient(dot, tf::dup(w, dw, dw), tf::constant(x), tf::constant(n));
// M17: static assertion failed{{.*}}: tapefree: give as many shadows as the batch is wide
// M17: {{^}}1 error generated
#elif MISTAKE == 18 // a callable that refuses the arguments
  double g = tf::gradient([](auto a, std::string b) { return a * b.size(); }, tf::active(v), tf::constant(n));
// M18: static assertion failed{{.*}}: tapefree: this cannot be called with these arguments
// M18: {{^}}1 error generated
#endif
}
