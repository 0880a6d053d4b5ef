// Pointer-walk loops: while (p != end) s += *p++, backwards, two pointers meeting, sentinel search.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T s = T(0);
  const T *p = x, *end = x + n;
  while (p != end) s += *p * *p, ++p;
  while (p != x) s = s * T(0.7) + *--p;
  for (const T* q = x; q < end; q += 2) s += sin(*q) * s;
  const T *a = x, *b = end - 1;
  while (a < b) s += *a++ * *b--;
  const T* found = x;
  while (found != end && *found < T(0.8)) ++found;
  if (found != end) s *= *found;
  for (const T *q = x, *r = x; q != end; ++q) {
    if (*q > *r) r = q;                       // r follows the largest so far
    s += *r * *q;
  }
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[11], dx[11] = {};
  double want[11];
  fill(x, 11, 135, 0.1, 1);
  reference(want, x, 11, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 11);
}

int main(int argc, char**) {
  run<double>(argc, 11);
  run<float>(argc, 11);
  run<double>(argc, 4);
  run<float>(argc, 4);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
