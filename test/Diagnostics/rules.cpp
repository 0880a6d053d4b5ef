// Calls that a rule cannot serve: the other mode without a body, memory that is overwritten before the gradient reads it,
// batches of what serves one derivative.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>
extern "C" {
double only_reverse(double x);
double only_reverse_gradient(double x, double seed) { return seed; }
void *__tapefree_register_gradient_a[] = {(void *)only_reverse, (void *)only_reverse_gradient};
double only_forward(double x);
double only_forward_derivative(double x, double dx) { return dx; }
void *__tapefree_register_derivative_a[] = {(void *)only_forward, (void *)only_forward_derivative};

double square(const double *x) { return *x * *x; }
double square_augmented(const double *x, const double *dx) { return *x * *x; }
void square_gradient(const double *x, double *dx, double seed) { *dx += 2 * *x * seed; }
void *__tapefree_register_gradient_b[] = {(void *)square, (void *)square_gradient};
double taped(const double *x) { return *x * *x; }
void *__enzyme_register_gradient_c[] = {(void *)taped, (void *)square_augmented, (void *)square_gradient};
}
double reverse(double x) {
  // CHECK: rules.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: 'only_forward' has a registered derivative, which serves forward mode, but no registered gradient, and its body is not visible: register a gradient as well, or make the body visible
  return only_forward(x) * x;
}
double forward(double x) {
  // CHECK: rules.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: 'only_reverse' has a registered gradient, which serves reverse mode, but no registered derivative, and its body is not visible: register a derivative as well, or make the body visible
  return only_reverse(x) * x;
}
double overwritten(double *x) {
  // CHECK: rules.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the registered gradient of 'square' may read the memory behind argument 1 in the reverse sweep, and rules.cpp:[[#@LINE+2]] may have overwritten it by then: give the rule an augmented function, which leaves what is needed on a tape, or declare the parameter of the gradient not_read (tapefree/rule.hpp)
  double y = square(x);
  x[0] = y * 2;
  return y;
}
double recursive(const double *x, int n) {
  double s = n > 1 ? recursive(x, n - 1) : 0;
  // CHECK: rules.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the registered gradient of 'square' may read the memory behind argument 1 in the reverse sweep, and what calls this function may have overwritten it by then
  return s + square(x);
}
double overwrites(double *x, int n) {
  double s = recursive(x, n);
  x[0] = 7;
  return s;
}
double batched(const double *x) {
  // CHECK: rules.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the registered gradient of 'taped' has an augmented function that is given shadows, or leaves a pointer on its tape, so that one call of it serves one derivative, not those of a batch: use register_gradient of tapefree/rule.hpp, or one derivative at a time
  return taped(x);
}
double interleaved(const double *x) { return square(x); }
void calls(double *x, double *dx) {
  __tapefree_autodiff<double>((void *)reverse, x[0]);
  __tapefree_fwddiff<double>((void *)forward, x[0], 1.0);
  __tapefree_autodiff<void>((void *)overwritten, x, dx);
  __tapefree_autodiff<void>((void *)overwrites, tapefree_dup, x, dx, tapefree_const, 3);
  __tapefree_autodiff<void>((void *)batched, tapefree_width, 2, tapefree_dup, x, dx, dx + 1);
  // CHECK: error: {{.*}}tapefree: in this batch one pointer leads to one interleaved shadow, or to separate shadows, which is what the registered derivative of a function that it is given to takes: give all buffers that it can point to the same layout (dup and dupv, or dupi)
  __tapefree_autodiff<void>((void *)interleaved, tapefree_width, 2, tapefree_dupi, x, dx);
}
// CHECK: 6 errors generated
