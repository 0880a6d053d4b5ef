// NOLANES: derivatives of derivatives
// Chains of modes where the inner gradient has two bodies and tests at run time which of its buffers overlap: the outer
// derivative differentiates the choice.
#include "nest.hpp"

template <class T> static void squares(const T* x, T* y, int n) { // x may be y, moved by one
  for (int i = 0; i < n; ++i) y[i] = x[i] * x[i] * x[(i + 1) % n];
}
template <class T> static void products(const T* x, T* y, int n) { // y is read again
  for (int r = 0; r < n; ++r)
    for (int i = 0; i < n; ++i) y[i] = y[i] * x[r] + x[i] * sin(x[r]);
}
template <class T> static void branching(const T* x, T* y, int n) {
  T s = T(1);
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * s;
    if (y[i] > T(0.3))
      s = s * x[i] + y[i];
    else
      y[i] = y[i] * y[i] * x[n - 1 - i];
  }
}
static int places[kMost + 1];
static int* place = places;
template <class T> static void gathered(const T* x, T* y, int n) { // which elements these are, a walk tells
  const int* at = place;
  for (int i = 0; i < n; ++i)
    for (int k = at[i]; k < at[i + 1]; ++k) y[i] = y[i] * x[at[k]] + x[k] * x[at[k]];
}
template <class T> static void in_calls(const T* x, T* y, int n) { // a recursion that is handed both buffers
  if (n == 0) return;
  in_calls(x + 1, y + 1, n - 1);
  for (int i = 0; i < n; ++i) y[i] = y[i] * x[0] + x[i] * x[0];
}

// Overlap for real: the function is given one array twice, the second time moved by one.
template <class T> static void moved(T* x, T* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = x[i] * x[i] + y[i];
}
template <class T> static void overlapping(const T* x, T* y, int n) {
  T a[kMost + 1];
  a[n] = T(0.5);
  for (int i = 0; i < n; ++i) a[i] = x[i];
  moved(a, a + 1, n);
  for (int i = 0; i < n; ++i) y[i] = a[i + 1] * a[i];
}
static void adjoint_of_moved(double* x, double* dx, double* y, double* dy, int n) {
  __enzyme_autodiff<void>((void*)moved<double>, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, n);
}
// Its gradient, used in a larger function: seeds from the data, shadows that overlap as their arrays do.
template <class T> static void adjoint_of_moved(T* x, T* dx, T*, T*, int n) { // x has n + 1 elements
  Nested<T> p[kMost + 1];
  T sum[kMost + 1];
  for (int i = 0; i <= n; ++i) {
    for (int k = 0; k <= n; ++k) p[k] = Nested<T>(x[k], T(k == i));
    moved(p, p + 1, n);
    sum[i] = T(0);
    for (int k = 0; k <= n; ++k) sum[i] += dx[k] * p[k].d;
  }
  for (int i = 0; i <= n; ++i) {
    x[i] = p[i].v;
    dx[i] = sum[i];
  }
}
template <class T> static T overlap_inside(const T* x, const T*, int n) {
  T a[kMost + 1], da[kMost + 1], s = T(0);
  for (int i = 0; i <= n; ++i) {
    a[i] = x[i % n];
    da[i] = cos(x[i % n]);
  }
  adjoint_of_moved(a, da, a + 1, da + 1, n);
  for (int i = 0; i <= n; ++i) s += a[i] * da[i];
  return s;
}

#ifdef __OPTIMIZE__
#define GATHERED(X) X(gathered)
#else // refused: of the kept copies of indices nothing says that they are integers
#define GATHERED(X)
#endif
#define EACH(X) X(squares) X(products) X(branching) GATHERED(X) X(in_calls) X(overlapping)
#define DEFINE(f)                                                                                  \
  template <class T> static void f##_of(const T* x, T* y, const T*, int n) { f(x, y, n); }         \
  template <class T> static T f##_weighed(const T* x, const double* along, int n) {                \
    T y[kMost], s = T(0);                                                                          \
    for (int i = 0; i < n; ++i) y[i] = T(0);                                                       \
    f(x, y, n);                                                                                    \
    for (int i = 0; i < n; ++i) s += y[i] * T(along[i]);                                           \
    return s;                                                                                      \
  }
EACH(DEFINE)

int main() {
  for (int i = 0; i <= kMost; ++i) places[i] = i - i % 2;
  check_heap_counters();
  enum { N = 4 };
  double x[N], along[3 * N];
  fill(x, N, 461, 0.4, 1);
  direction(along, 3 * N, 462);
#define TEST(f)                                                                                    \
  {                                                                                                \
    auto fn = [&](auto* p, int n) { return f##_weighed(p, along, n); };                            \
    check_field_chain<double, &f##_of<double>, 'R'>(#f, x, along, N, fn);                          \
    check_field_chain<double, &f##_of<double>, 'R', 'F'>(#f, x, along, N, fn);                     \
    check_field_chain<double, &f##_of<double>, 'R', 'R'>(#f, x, along, N, fn);                     \
    check_field_chain<double, &f##_of<double>, 'R', 'F', 'F'>(#f, x, along, N, fn);                \
    check_field_chain<double, &f##_of<double>, 'R', 'F', 'R'>(#f, x, along, N, fn);                \
    check_field_chain<double, &f##_of<double>, 'R', 'R', 'F'>(#f, x, along, N, fn);                \
    check_field_chain<double, &f##_of<double>, 'R', 'R', 'R'>(#f, x, along, N, fn);                \
  }
  EACH(TEST)
  check_twice<double, &overlap_inside<double>>("overlap_inside", x, along, N, [](auto* p, int n) { return overlap_inside(p, p, n); });
  return finish();
}
