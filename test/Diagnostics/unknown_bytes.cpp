// Memory is copied, and nothing says whether it holds floating numbers.
// RUN: not %clangxx -O2 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
// RUN: not %clangxx -O0 -gline-tables-only -c %s -o /dev/null 2>&1 | FileCheck %s
#include <cstring>
#include <tapefree/abi.h>

void f(const void *from, void *to, unsigned long bytes) {
  // CHECK: unknown_bytes.cpp:[[#@LINE+1]]:{{.*}} error: {{.*}}tapefree: cannot tell whether the bytes moved here are floating numbers: nothing in the differentiated function says what this memory holds; access it through its own type
  std::memcpy(to, from, bytes);
}
void g(const double *from, void *to, int n) {
  double first = from[0];
  std::memcpy(to, from, n * sizeof(first));
  *static_cast<double *>(to) *= first;
}
void gradient(void *x, void *dx, void *y, void *dy) {
  __tapefree_autodiff<void>((void *)f, x, dx, y, dy, 64UL);
  __tapefree_autodiff<void>((void *)g, x, dx, y, dy, 8);
}
// CHECK: 1 error generated
