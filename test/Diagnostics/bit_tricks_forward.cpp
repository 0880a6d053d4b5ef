// The same in forward mode, through memory: a bit of the mantissa, flipped as part of a byte.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <cstring>
#include <tapefree/abi.h>

double f(double x) {
  unsigned char bytes[8];
  std::memcpy(bytes, &x, 8);
  bytes[6] ^= 0x10;
  double y;
  // CHECK: bit_tricks_forward.cpp:[[#]]:{{.*}} error: {{.*}}tapefree: a differentiated floating value is made from the bits of an integer here, and bit manipulation has no derivative
  std::memcpy(&y, bytes, 8);
  return y * y;
}
double derivative(double x) { return __tapefree_fwddiff<double>((void *)f, x, 1.0); }
// CHECK: 1 error generated
