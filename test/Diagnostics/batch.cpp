// Each misuse of a batch call is one error at its line.
// RUN: not %clangxx -O2 -gline-tables-only -ferror-limit=0 -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -ferror-limit=0 -c %s -o /dev/null 2>&1 | FileCheck %s
#include <tapefree/abi.h>

template <class T, int N> struct Lanes {
  T lane[N];
};
using D2 = Lanes<double, 2>;
double f(double x, double y) { return x * y; }
void store(double *p, double x) { *p = x; }
D2 pair(double x) { return {{x, x}}; }
double many(int n, ...) { return n; }
void *const vf = (void *)f;

void calls(double x, double *p, int n, double (*unknown)(double)) {
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: cannot see which function is to be called for each lane here
  __tapefree_batch<D2>((void *)unknown, tapefree_width, 2, tapefree_vector, x, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: 'many' takes variable arguments, which cannot be spread over lanes
  __tapefree_batch<D2>((void *)many, tapefree_width, 2, tapefree_scalar, n);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: 'pair' returns a struct: return one value, or write the results through a pointer passed as buffer
  __tapefree_batch<D2>((void *)pair, tapefree_width, 2, tapefree_vector, x, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: how many lanes this call has must stand behind the function: tapefree_width, and their number
  __tapefree_batch<D2>(vf, tapefree_vector, x, x, tapefree_scalar, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the width of a batch must be a constant: write the number itself behind the marker width
  __tapefree_batch<D2>(vf, tapefree_width, n, tapefree_vector, x, x, tapefree_scalar, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the width of a batch must be a constant: write the number itself behind the marker width
  __tapefree_batch<D2>(vf, tapefree_width, 2.0, tapefree_vector, x, x, tapefree_scalar, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the width of a batch is 0, but it must be from 1 to 64
  __tapefree_batch<D2>(vf, tapefree_width, 0, tapefree_scalar, x, tapefree_scalar, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the width of a batch is 65, but it must be from 1 to 64
  __tapefree_batch<void>(vf, tapefree_width, 65, tapefree_scalar, x, tapefree_scalar, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the width of a batch is -1, but it must be from 1 to 64
  __tapefree_batch<void>(vf, tapefree_width, -1, tapefree_scalar, x, tapefree_scalar, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: argument 1 does not say how it differs between the lanes: put vector, scalar or buffer before it
  __tapefree_batch<D2>(vf, tapefree_width, 2, x, x, tapefree_scalar, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the marker 'dup' before argument 2 has no meaning in a batch without derivatives (vector, scalar, buffer; width stands before the first argument)
  __tapefree_batch<D2>(vf, tapefree_width, 2, tapefree_vector, x, x, tapefree_dup, x, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: too few values for argument 1: it is marked vector, so each of the 4 lanes needs its own, and 3 are given
  __tapefree_batch<Lanes<double, 4>>(vf, tapefree_width, 4, tapefree_vector, x, x, x, tapefree_scalar, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: argument 2, lane 1, is a pointer, but 'f' takes a double there
  __tapefree_batch<D2>(vf, tapefree_width, 2, tapefree_scalar, x, tapefree_vector, x, p);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: argument 1 is marked buffer, but 'f' takes a double there: a buffer is a pointer
  __tapefree_batch<D2>(vf, tapefree_width, 2, tapefree_buffer, 8, p, tapefree_scalar, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the stride of argument 1 is a pointer, but it must be an integer, the bytes from lane to lane
  __tapefree_batch<void>((void *)store, tapefree_width, 2, tapefree_buffer, p, tapefree_scalar, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: argument 2 is missing after its marker
  __tapefree_batch<void>((void *)store, tapefree_width, 2, tapefree_buffer, 8, p, tapefree_scalar);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: too few arguments: 'f' takes 2, and 1 is given
  __tapefree_batch<D2>(vf, tapefree_width, 2, tapefree_vector, x, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: too many arguments: 'f' takes 2 parameters
  __tapefree_batch<D2>(vf, tapefree_width, 2, tapefree_vector, x, x, tapefree_scalar, x, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the result of this call has 8 bytes, but 'f' returns a double for each of 2 lanes, 16 bytes: the result is a struct that holds an array of them
  __tapefree_batch<double>(vf, tapefree_width, 2, tapefree_scalar, x, tapefree_scalar, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the result of this call has 16 bytes, but 'f' returns a double for each of 3 lanes, 24 bytes
  __tapefree_batch<D2>(vf, tapefree_width, 3, tapefree_scalar, x, tapefree_scalar, x);
  // CHECK: batch.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: this call expects a result, but 'store' returns nothing
  __tapefree_batch<D2>((void *)store, tapefree_width, 2, tapefree_scalar, p, tapefree_scalar, x);
}
// CHECK: 21 errors generated
