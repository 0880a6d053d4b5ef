// The bits of a differentiated value are changed as an integer.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <bit>
#include <cstdint>
#include <tapefree/abi.h>

float fast_inverse_root(float x) {
  // CHECK: bit_tricks.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: a differentiated floating value is made from the bits of an integer here, and bit manipulation has no derivative: use fabs, copysign
  float y = __builtin_bit_cast(float, 0x5f3759df - (__builtin_bit_cast(int32_t, x) >> 1));
  return y * (1.5f - 0.5f * x * y * y);
}
float a(float x) { return __tapefree_autodiff<float>((void *)fast_inverse_root, x); }
// CHECK: 1 error generated
