// A copy of which only some bytes are known: never differentiated in part.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <cstring>
#include <tapefree/abi.h>

double constant_length(const double *x, double *y) {
  // CHECK: partly_known_bytes.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: cannot tell whether all bytes moved here are floating numbers: nothing in the differentiated function says what this memory holds at bytes 8 to 39; copy it in a loop, element by element
  std::memcpy(y, x, 40);
  return *x;
}
double from_const(const double *x, double *y) {
  // CHECK: partly_known_bytes.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: cannot tell whether all bytes moved here are floating numbers
  std::memmove(y, x, 40);
  return *y;
}
double bytes(const void *x, void *y, unsigned long n) {
  // CHECK: partly_known_bytes.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: cannot tell whether all bytes moved here are floating numbers: nothing in the differentiated function says what this memory holds from byte 8 on
  std::memcpy(y, x, n);
  return *static_cast<double *>(y);
}
void gradient(double *x, double *dx, double *y, double *dy) {
  __tapefree_autodiff<void>((void *)constant_length, x, dx, y, dy);
  __tapefree_fwddiff<void>((void *)from_const, tapefree_const, x, y, dy);
  __tapefree_autodiff<void>((void *)bytes, x, dx, y, dy, 64UL);
}
// CHECK: 3 errors generated
