// A table leads to a dup argument and to a local array without a derivative: a store through it leaves the
// array's values alone, in both modes.
#include <cstdio>
#include <tapefree/abi.h>

struct Both {
  double value, derivative;
};
double f(double *x, int i) {
  double buffer[2] = {1, 2};
  double *table[2] = {x, buffer};
  *table[i] = 3.0;
  return buffer[0] + buffer[1] + x[0] * x[0];
}
int main() {
  double x[2] = {5, 6}, dx[2] = {1, 0}, gradient[2] = {0, 0};
  Both r = __tapefree_fwddiff<Both>((void *)f, tapefree_primal_return, tapefree_dup, x, dx, tapefree_const, 1);
  double v = __tapefree_autodiff<double>((void *)f, tapefree_primal_return, tapefree_dup, x, gradient,
                                         tapefree_const, 1);
  std::printf("%g %g %g %g\n", r.value, r.derivative, v, gradient[0]);
  return r.value != 30 || r.derivative != 10 || v != 30 || gradient[0] != 10;
}
