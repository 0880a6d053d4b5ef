// What can be wrong with a batch of N derivatives.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

double f(const double *x, double s) { return x[0] * s; }
double g(const double *x, const double *y, int n) {
  const double *p = n > 3 ? x : y;
  return p[0] * p[1];
}

void too_few(const double *x, double *d0, double *d1, double s) {
  // CHECK: batch_misuse.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the shadows of argument 1 are 2, but the width is 3: a dup argument is followed by one shadow for each lane (or mark it dupv or dupi, and give one shadow with all lanes)
  __tapefree_autodiff<void>((void *)f, tapefree_width, 3, tapefree_dup, x, d0, d1, tapefree_const, s);
}
void zero(const double *x, double *d, double s) {
  // CHECK: batch_misuse.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the width of a batch is 0, but it must be from 1 to 64
  __tapefree_autodiff<void>((void *)f, tapefree_width, 0, tapefree_dup, x, d, tapefree_const, s);
}
void variable(const double *x, double *d, double s, int n) {
  // CHECK: batch_misuse.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the width of a batch must be a constant: write the number itself behind the marker width
  __tapefree_autodiff<void>((void *)f, tapefree_width, n, tapefree_dup, x, d, tapefree_const, s);
}
void no_stride(const double *x, double *d, double s) {
  // CHECK: batch_misuse.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the stride of argument 1 is missing: dupv is followed by the distance of two lanes in bytes, the argument, and its shadow
  __tapefree_autodiff<void>((void *)f, tapefree_width, 2, tapefree_dupv, x, d, tapefree_const, s);
}
void no_distance(const double *x, double *d, double s) {
  // CHECK: batch_misuse.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the stride of argument 1 is 0: all lanes would be added up in one
  __tapefree_autodiff<void>((void *)f, tapefree_width, 2, tapefree_dupv, 0L, x, d, tapefree_const, s);
}
void of_value(const double *x, double s, double *d) {
  // CHECK: batch_misuse.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: argument 2 is marked dupi, but it is a double: only the shadows of a pointer can lie in one buffer
  __tapefree_autodiff<void>((void *)f, tapefree_width, 2, tapefree_const, x, tapefree_dupi, s, d);
}
struct Small {
  double ds[2];
};
double result(const double *x, double *d, double s) {
  // CHECK: batch_misuse.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the result of this call has 16 bytes, but the derivative returns 1 value of 32 bytes: one array of 4 for each out argument, in order
  Small r = __tapefree_autodiff<Small>((void *)f, tapefree_width, 4, tapefree_dupi, x, d, tapefree_out, s);
  return r.ds[0];
}
void two_layouts(const double *x, double *d, const double *y, double *e0, double *e1, int n) {
  // CHECK: batch_misuse.cpp:[[#]]:{{.*}} error: {{.*}}tapefree: in this batch one pointer leads to one interleaved shadow, or to separate shadows: give all buffers that it can point to the same layout (dup and dupv, or dupi)
  __tapefree_autodiff<void>((void *)g, tapefree_width, 2, tapefree_dupi, x, d, tapefree_dup, y, e0, e1, tapefree_const, n);
}
void negative(const double *x, double *d, double s) {
  // CHECK: batch_misuse.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the width of a batch is -2, but it must be from 1 to 64
  __tapefree_autodiff<void>((void *)f, tapefree_width, -2, tapefree_dup, x, d, tapefree_const, s);
}
void too_wide(const double *x, double *d, double s) {
  // CHECK: batch_misuse.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the width of a batch is 65, but it must be from 1 to 64
  __tapefree_fwddiff<void>((void *)f, tapefree_width, 65, tapefree_dupi, x, d, tapefree_const, s);
}
double corners(const double *x, const int *k) { return x[k[0]] * x[1] * x[4]; }
double long_sum(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < 40; ++i)
    s += x[i] * x[i];
  return n > 3 ? s * x[100] : s;
}
void close_lanes(const double *x, double *d, const int *k) {
  // CHECK: batch_misuse.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the stride of argument 1 is 24 bytes, but 'corners' touches 32 bytes behind it: the lanes of its shadow would overlap
  __tapefree_autodiff<void>((void *)corners, tapefree_width, 2, tapefree_dupv, 24L, x, d, tapefree_const, k);
}
void close_loop(const double *x, double *d, int n) {
  // CHECK: batch_misuse.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the stride of argument 1 is -312 bytes, but 'long_sum' touches 320 bytes behind it: the lanes of its shadow would overlap
  __tapefree_fwddiff<Small>((void *)long_sum, tapefree_width, 2, tapefree_dupv, -312L, x, d, tapefree_const, n);
}
void far_enough(const double *x, double *d, const int *k, int n) { // what may be touched besides, nobody knows
  __tapefree_autodiff<void>((void *)corners, tapefree_width, 2, tapefree_dupv, 32L, x, d, tapefree_const, k);
  __tapefree_autodiff<void>((void *)long_sum, tapefree_width, 2, tapefree_dupv, 320L, x, d, tapefree_const, n);
}
// CHECK: 12 errors generated
