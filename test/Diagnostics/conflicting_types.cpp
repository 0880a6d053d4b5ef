// The same bytes as float and as double.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <cstring>
#include <tapefree/abi.h>

double f(const void *x, void *y, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += static_cast<const double *>(x)[i];
  for (int i = 0; i < 2 * n; ++i)
    s += static_cast<const float *>(x)[i];
  // CHECK: conflicting_types.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: the same bytes are used as two different types (conflicting_types.cpp:{{10|12}} against conflicting_types.cpp:{{10|12}}), so their derivative is ambiguous: use one type for this memory
  std::memcpy(y, x, n * sizeof(double));
  return s;
}
void gradient(const void *x, void *dx, void *y, void *dy) {
  __tapefree_autodiff<void>((void *)f, x, dx, y, dy, 4);
}
// CHECK: 1 error generated
