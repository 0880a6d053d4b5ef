// strict: a value on the heap is an error with the whole explanation; what lies on the stack is not, nor is nothing.
// RUN: not %clangxx -O2 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -g -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O2 -c %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOLINES
// RUN: %clangxx -O2 -g -DFIXED -c %s -o /dev/null
// RUN: %clangxx -O2 -g -DSTACK -c %s -o /dev/null
#include "../Remarks/Inputs/autodiff.h"
#ifdef FIXED
#define RESTRICT __restrict__
#else
#define RESTRICT
#endif
#ifdef STACK
#define COUNT 100
#else
#define COUNT n
#endif

void square(const double *RESTRICT x, double *RESTRICT z, [[maybe_unused]] int n) {
  for (int i = 0; i < COUNT; ++i)
    z[i] = x[i] * x[i];
}
// NOLINES: error: tapefree: strict: the gradient of 'square' keeps 1 value on the heap (compile with -gline-tables-only to see the line)
// NOLINES: {{^}}note: keeps the value loaded: 8 bytes for each iteration of the loop, in one heap block, because the store to memory may overwrite it: 

void gradient(const double *x, double *dx, double *z, double *dz, int n) {
  __tapefree_autodiff((void *)square, tapefree_strict, tapefree_dup, x, dx, tapefree_dup, z, dz, tapefree_const, n);
}
// CHECK: strict.cpp:[[#@LINE-2]]:3: error: tapefree: strict: the gradient of 'square' keeps 1 value on the heap (8·n bytes)
// CHECK: strict.cpp:[[#@LINE-9]]:12: note: keeps 'x[i]' (line [[#@LINE-9]]): 8·n bytes, in one heap block, because the store to 'z[i]' at line [[#@LINE-9]] may overwrite 'x[i]': nothing says that 'x' and 'z' do not overlap; to avoid it, make 'x' and 'z' __restrict__ parameters of one function that holds both accesses
// CHECK-NEXT: [[#@LINE-10]] |     z[i] = x[i] * x[i];
// CHECK: strict.cpp:[[#@LINE-11]]:10: note: the store to 'z[i]' is here
// CHECK-NOT: error:
// CHECK: 1 error generated
