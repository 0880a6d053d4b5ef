// Loops: data-dependent exits, continue and break, nests, an active loop variable, sorting, pointers that alternate.
#include "forward.hpp"

template <class T> static T newton(T a) {
  T x = a;
  while (fabs(x * x - a) > T(1e-3)) x = (x + a / x) * T(0.5);
  return x * x * x;
}
template <class T> static T skipping(const T* x, int n) {
  T s = T(0), m = x[0];
  for (int i = 0; i < n; ++i) {
    if (x[i] < T(-0.5)) continue;
    for (int j = i; j < n; ++j) {
      s += x[i] * x[j] * T(j + 1);
      if (s > T(6)) break;
    }
    m = m > x[i] ? m : x[i];
    if (val(s) > 9) return s * m;
  }
  return s + m * m;
}
template <class T> static T riemann(T lo) {
  T s = T(0);
  for (T x = lo; x < T(2); x += T(0.25)) s += x * x * T(0.25);
  return s;
}
template <class T> static T sorted(const T* x, int n) {
  T v[16];
  for (int i = 0; i < n; ++i) {
    int j = i;
    for (; j > 0 && v[j - 1] > x[i]; --j) v[j] = v[j - 1];
    v[j] = x[i];
  }
  T s = T(0);
  for (int i = 0; i < n; ++i) s = s * T(0.5) + v[i] * v[i] * T(i);
  return s;
}
template <class T> static T ping_pong(const T* x, int n, int steps) {
  T a[8], b[8], *from = a, *to = b;
  for (int i = 0; i < n; ++i) a[i] = x[i];
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < n; ++i) to[i] = from[i] * from[(i + 1) % n] + from[i] * T(0.5);
    T* t = from;
    from = to;
    to = t;
  }
  T r = T(0);
  for (int i = 0; i < n; ++i) r += from[i] * T(i + 1);
  return r;
}
template <class T> static T down(const T* x, unsigned long n) {
  T s = T(1);
  do {
    --n;
    s = s * x[n] + x[n / 2];
  } while (n);
  return s;
}

template <class T> static void run(int argc) {
  T x[8], dx[8];
  fill(x, 8, 31, -1, 1);
  direction(dx, 8, 32);
  const double tol = kTolerance<T>;
  T a[1] = {T(2.3)}, da[1] = {T(1.5)};
  auto w = tangent(a, da, 1, [](auto* p) { return newton(p[0]); });
  if (argc == 1) check("newton", __enzyme_fwddiff<T>((void*)newton<T>, a[0], da[0]), w.tangent, tol);
  a[0] = T(0.1);
  w = tangent(a, da, 1, [](auto* p) { return riemann(p[0]); });
  if (argc == 1) check("riemann", __enzyme_fwddiff<T>((void*)riemann<T>, a[0], da[0]), w.tangent, tol);
  for (int n = 1; n <= 8; ++n) {
    w = tangent(x, dx, n, [&](auto* p) { return skipping(p, n); });
    if (argc == 1) check("skipping", __enzyme_fwddiff<T>((void*)skipping<T>, (const T*)x, (const T*)dx, n), w.tangent, tol);
    w = tangent(x, dx, n, [&](auto* p) { return sorted(p, n); });
    if (argc == 1) check("sorted", __enzyme_fwddiff<T>((void*)sorted<T>, (const T*)x, (const T*)dx, n), w.tangent, tol);
    w = tangent(x, dx, n, [&](auto* p) { return ping_pong(p, n, n); });
    if (argc == 1) check("ping_pong", __enzyme_fwddiff<T>((void*)ping_pong<T>, (const T*)x, (const T*)dx, n, n), w.tangent, tol);
    w = tangent(x, dx, n, [&](auto* p) { return down(p, (unsigned long)n); });
    if (argc == 1) check("down", __enzyme_fwddiff<T>((void*)down<T>, (const T*)x, (const T*)dx, (unsigned long)n), w.tangent, tol);
  }
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
