// A heat equation in two buffers that change places, of the caller's and local, marked by checkpoint: the gradient by
// any number of snapshots is that of the dual numbers, and to rounding the one without the mark.
// SANITIZE: address
#include "support.hpp"
extern "C" void __tapefree_checkpoint(int);

constexpr int kCells = 14;

// r in x[n]; buffers of the caller's, of n each.
template <bool Marked, class T> static T heat(const T* x, int n, int steps, int snapshots, T* one, T* other) {
  T *now = one, *next = other, r = x[n];
  for (int i = 0; i < n; ++i) now[i] = x[i] * x[i];
  for (int t = 0; t < steps; ++t) {
    if (Marked) __tapefree_checkpoint(snapshots);
    next[0] = now[0];
    next[n - 1] = now[n - 1];
    for (int i = 1; i < n - 1; ++i) next[i] = now[i] + r * (now[i - 1] - T(2) * now[i] + now[i + 1]) * sin(now[i]);
    T* old = now;
    now = next;
    next = old;
  }
  T s = T(0);
  for (int i = 0; i < n; ++i) s += now[i] * now[i] * T(i + 1) + next[i];
  return s;
}
template <bool Marked, class T> static T local(const T* x, int n, int steps, int snapshots) {
  T a[kCells] = {}, b[kCells] = {};
  return heat<Marked>(x, n, steps, snapshots, a, b);
}
template <bool Marked, class T> static T heap(const T* x, int n, int steps, int snapshots) {
  T* a = (T*)calloc(n, sizeof(T));
  T* b = (T*)calloc(n, sizeof(T));
  T s = heat<Marked>(x, n, steps, snapshots, a, b);
  free(a);
  free(b);
  return s;
}

template <class T> static void run(int n, int steps, int snapshots, bool reference_too) {
  T x[kCells + 1], dx[kCells + 1] = {}, plain[kCells + 1] = {}, on_stack[kCells + 1] = {}, on_heap[kCells + 1] = {};
  T a[kCells] = {}, b[kCells] = {}, da[kCells] = {}, db[kCells] = {};
  double want[kCells + 1];
  fill(x, n + 1, 31, 0.2, 0.9);
  x[n] = T(0.12);
  if (reference_too)
    reference(want, x, n + 1, [&](auto* p) { return local<false>(p, n, steps, snapshots); });
  __enzyme_autodiff<void>((void*)local<false, T>, enzyme_dup, (const T*)x, plain, enzyme_const, n, enzyme_const, steps, enzyme_const, snapshots);
  __enzyme_autodiff<void>((void*)local<true, T>, enzyme_dup, (const T*)x, on_stack, enzyme_const, n, enzyme_const, steps, enzyme_const, snapshots);
  __enzyme_autodiff<void>((void*)heap<true, T>, enzyme_dup, (const T*)x, on_heap, enzyme_const, n, enzyme_const, steps, enzyme_const, snapshots);
  __enzyme_autodiff<void>((void*)heat<true, T>, enzyme_dup, (const T*)x, dx, enzyme_const, n, enzyme_const, steps, enzyme_const, snapshots,
                          enzyme_dup, a, da, enzyme_dup, b, db);
  const double exact = sizeof(T) == 4 ? 1e-4 : 1e-12;
  check_all("stack", on_stack, plain, n + 1, exact);
  check_all("heap", on_heap, plain, n + 1, exact);
  check_all("caller's", dx, plain, n + 1, exact);
  if (reference_too) check_all("dual", dx, want, n + 1);
  // What the function leaves is there behind the gradient.
  T c[kCells] = {}, d[kCells] = {};
  heat<false>(x, n, steps, snapshots, c, d);
  check_all("one", a, c, n, exact);
  check_all("other", b, d, n, exact);
  if (steps == 0) return; // the second one is then an input
  check_zero("one's shadow", da, n);
  check_zero("other's shadow", db, n);
}

int main() {
  for (int steps : {0, 1, 2, 7, 100})
    for (int snapshots : {1, 2, 3, 10}) {
      run<double>(kCells, steps, snapshots, snapshots == 3);
      run<float>(kCells, steps < 10 ? steps : 10, snapshots, false);
    }
  run<double>(2, 5, 2, true); // no inner cells
  return finish();
}
