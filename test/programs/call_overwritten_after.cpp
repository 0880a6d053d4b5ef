// What a function that stays a call has read is overwritten after it returned: by its caller, by the call before it in
// a recursion, by the caller of its caller, through pointers in a struct, or in the next iteration of a loop.
#include "support.hpp"

template <class T> static T cubes(const T* x, int depth, int n) {
  T s = 0;
  if (depth > 1) s += cubes(x, depth - 1, n);
  for (int i = 0; i < n; ++i) s += x[i] * x[i] * x[i];
  return s;
}
template <class T> static T by_caller(T* v, int n) {
  T s = cubes(v, 2, n);
  for (int i = 0; i < n; ++i) v[i] = v[i] * T(0.5) + T(7);
  return s + v[0] * v[n - 1];
}
// The inner call has read what is halved behind it.
template <class T> static T halving(T* v, int n) {
  T s = v[0] * v[n - 1] * v[n / 2];
  if (n > 1) s += halving(v, n - 1);
  for (int i = 0; i < n; ++i) v[i] *= T(0.5);
  return s;
}
template <class T> struct View {
  T *data;
  int n;
};
template <class T> static T through(const View<T>* w, int depth) {
  T s = depth ? through(w, depth - 1) : T(0);
  for (int i = 0; i < w->n; ++i) s += w->data[i] * w->data[i] * s + w->data[i];
  return s;
}
// Overwrites between a call and the return to its own caller, which does no more than to call.
template <class T> static T step(T* v, int n, int k) {
  View<T> w = {v, n};
  T s = through(&w, 1);
  v[k] = s * T(0.1);
  return k + 1 < n ? s + step(v, n, k + 1) : s;
}
template <class T> static T f(const T* x, int n) {
  T v[6], s = T(0);
  for (int i = 0; i < n; ++i) v[i] = x[i] * x[i] + T(0.25);
  s += by_caller(v, n);
  for (int i = 0; i < n; ++i) v[i] = x[i];
  s += halving(v, n);
  for (int i = 0; i < n; ++i) v[i] = x[i] * T(0.5);
  s += step(v, n, 0);
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < n; ++i) v[i] = x[i] * T(k + 1);
    s += cubes(v, 3, n);
  }
  return s;
}
// Memory that is released, not overwritten.
template <class T> static T released(const T* x, int n) {
  T* v = new T[n];
  for (int i = 0; i < n; ++i) v[i] = x[i] * x[i];
  T s = cubes(v, 2, n);
  delete[] v;
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[6], dx[6] = {};
  double want[6];
  fill(x, 6, 517, -1, 1);
  if (argc > 1) return;
  reference(want, x, 6, [&](auto* p) { return f(p, n); });
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 6);
  reference(want, x, 6, [&](auto* p) { return released(p, n); });
  for (T& d : dx) d = 0;
  __enzyme_autodiff<void>((void*)released<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("released", dx, want, 6);
}

int main(int argc, char**) {
  run<double>(argc, 6);
  run<float>(argc, 6);
  run<double>(argc, 1);
  return finish();
}
