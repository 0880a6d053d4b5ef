// Blocks that are aligned by hand, as allocators for vectors do it: the address is rounded up as an integer, and what
// malloc gave lies in front.
#include "forward.hpp"

static void *aligned(size_t bytes) {
  char *made = (char *)malloc(bytes + 64);
  char *rounded = (char *)(((size_t)made & ~size_t(63)) + 64);
  ((void **)rounded)[-1] = made;
  return rounded;
}
static void release(void *p) { free(((void **)p)[-1]); }
template <class T> static T f(const T *x, int n) {
  T *a = (T *)aligned(n * sizeof(T)), s = T(0);
  for (int i = 0; i < n; ++i)
    a[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i)
    s = s + a[i] * sin(a[(i + 1) % n]) * s + a[i];
  release(a);
  return s;
}
int main() {
  double x[5], dx[5] = {}, tx[5], want[5], along = 0;
  fill(x, 5, 77, -1, 1);
  fill(tx, 5, 78, -1, 1);
  reference(want, x, 5, [&](auto *p) { return f(p, 5); });
  for (int i = 0; i < 5; ++i)
    along += want[i] * tx[i];
  __enzyme_autodiff<void>((void *)f<double>, enzyme_dup, (const double *)x, dx, enzyme_const, 5);
  check_all("dx", dx, want, 5);
  check("tangent", __enzyme_fwddiff<double>((void *)f<double>, enzyme_dup, (const double *)x, tx, enzyme_const, 5), along);
  return finish();
}
