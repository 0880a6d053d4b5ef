// Results through pointers and references: several out-parameters, in-out ones, one aliasing an input.
#include "support.hpp"

template <class T> NOINLINE static void split(T v, T* whole, T& rest, int* sign) {
  *whole = v * v;
  rest = v - *whole * T(0.5);
  *sign = v > T(0) ? 1 : -1;
}
template <class T> NOINLINE static void rotate(T& a, T& b, T angle) {
  T t = a * cos(angle) - b * sin(angle);
  b = a * sin(angle) + b * cos(angle);
  a = t;
}
template <class T> NOINLINE static bool add(T* sum, const T* x, int n) {
  for (int i = 0; i < n; ++i) sum[i & 1] += x[i];
  return n > 1;
}
template <class T> static T f(const T* x, int n) {
  T a = x[0], b = T(1), sums[2] = {T(0), x[1]}, s = T(0);
  for (int i = 0; i < n; ++i) {
    T w, r;
    int sign;
    split(x[i] + a, &w, r, &sign);
    rotate(a, b, r);
    if (add(sums, x, i)) s += sums[0] * sums[1] * T(0.1);
    split(w, &w, s, &sign);                             // w is both read and written
    s += w * T(sign) * a;
  }
  return s + a * b;
}

template <class T> static void run(int argc, int n) {
  T x[6], dx[6] = {};
  double want[6];
  fill(x, 6, 308, -1, 1);
  reference(want, x, 6, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, 6);
}

int main(int argc, char**) {
  run<double>(argc, 6);
  run<float>(argc, 6);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
