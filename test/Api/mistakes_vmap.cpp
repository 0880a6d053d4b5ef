// One mistake in a call of vmap, one error, in words; each section is compiled alone.
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
#include <array>
#include <tapefree/tapefree.hpp>
namespace tf = tapefree;

double square(double x);
double dot(const double *w, const double *x, int n);
struct Point {
  double x, y;
};
Point shift(double x);

void mistake([[maybe_unused]] double *w, [[maybe_unused]] double v, [[maybe_unused]] float *single) {
#if MISTAKE == 1 // a word of derivatives
  auto r = tf::vmap<2>(square, tf::active(v));
// M1: static assertion failed{{.*}}: tapefree: say how each argument differs between the lanes: per_lane(x0, x1, ...), buffer(p, stride) or constant(x)
// M1: mistakes_vmap.cpp:[[@LINE-2]]:{{.*}} requested here
// M1: {{^}}1 error generated
#elif MISTAKE == 2 // no word
  auto r = tf::vmap<2>(square, v);
// M2: static assertion failed{{.*}}: tapefree: say how each argument differs between the lanes
// M2: {{^}}1 error generated
#elif MISTAKE == 3 // too few values
  auto r = tf::vmap<3>(square, tf::per_lane(v, v));
// M3: static assertion failed{{.*}}: tapefree: give as many values as there are lanes
// M3: {{^}}1 error generated
#elif MISTAKE == 4 // an array of another length
  auto r = tf::vmap<3>(square, tf::per_lane(std::array{v, v}));
// M4: static assertion failed{{.*}}: tapefree: give as many values as there are lanes
// M4: {{^}}1 error generated
#elif MISTAKE == 5 // a buffer for a value
  auto r = tf::vmap<2>(square, tf::buffer(w, 8));
// M5: static assertion failed{{.*}}: tapefree: buffer is for pointers and references
// M5: {{^}}1 error generated
#elif MISTAKE == 6 // a buffer of another type
  auto r = tf::vmap<2>(dot, tf::buffer(single, 8), tf::constant(w), tf::constant(1));
// M6: static assertion failed{{.*}}: tapefree: the argument does not convert to the function's parameter
// M6: check_argument<1, const double *,
// M6: {{^}}1 error generated
#elif MISTAKE == 7 // one lane of another type
  auto r = tf::vmap<2>(dot, tf::per_lane(w, 1.0), tf::constant(w), tf::constant(1));
// M7: static assertion failed{{.*}}: tapefree: the argument does not convert to the function's parameter
// M7: {{^}}1 error generated
#elif MISTAKE == 8 // a class as a result
  auto r = tf::vmap<2>(shift, tf::per_lane(v, v));
// M8: static assertion failed{{.*}}: tapefree: the function must return one value, or nothing
// M8: {{^}}1 error generated
#elif MISTAKE == 9 // too many lanes
  tf::vmap<65>(square, tf::constant(v));
// M9: static assertion failed{{.*}}: tapefree: vmap takes 1 to 64 lanes
// M9: {{^}}1 error generated
#endif
}
