// Loops that -O3 turns into vector code: saxpy, dot, max reduction, strided and reversed access, conversions.
#include "support.hpp"

template <class T> static T f(const T* __restrict x, int n) {
  T a[67], b[67];
  float halves[67];
  for (int i = 0; i < n; ++i) a[i] = x[i] * T(2) + T(0.5);
  for (int i = 0; i < n; ++i) b[i] = a[i] > T(0) ? a[i] * x[i] : -x[i];
  for (int i = 0; i < n; ++i) a[i] += b[n - 1 - i] * T(0.25);
  for (int i = 0; i < n; ++i) halves[i] = (float)(i * 0.5f);
  T dot = T(0), top = T(-100), squares = T(0), strided = T(0);
  for (int i = 0; i < n; ++i) dot += a[i] * b[i];
  for (int i = 0; i < n; ++i) top = a[i] > top ? a[i] : top;
  for (int i = 0; i < n; ++i) squares += sqrt(T(1) + a[i] * a[i]) * T(halves[i]) * T(0.05);
  for (int i = 0; i < n; i += 2) strided += x[i] * a[i];
  for (int i = 0; i < n; ++i) b[i] = fabs(a[i]) + fmin(b[i], T(0.3));
  for (int i = 0; i < n; ++i) dot += b[i] * b[i] * x[i];
  return dot * T(0.1) + top * strided + squares;
}

template <class T> static void run(int argc, int n) {
  T x[67], dx[67] = {};
  double want[67];
  fill(x, 67, 331, -1, 1);
  reference(want, x, 67, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 67);
}

int main(int argc, char**) {
  run<double>(argc, 67);
  run<float>(argc, 67);
  run<double>(argc, 16);
  run<float>(argc, 16);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
