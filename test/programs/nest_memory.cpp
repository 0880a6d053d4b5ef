// NOLANES: derivatives of derivatives
// SANITIZE: address
// LEVELS: O0 O2 fast
// Chains of modes over functions with memory of several kinds: structs, pointers to pointers, copies.
#include "nest.hpp"

template <class T> struct Cell { T mass; int kind; T charge; };
template <class T> static T structs(const T* x, int n) {
  Cell<T> c[kMost];
  for (int i = 0; i < n; ++i) c[i] = {x[i], i % 2, x[(i + 1) % n] * x[i]};
  T e = T(0);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < i; ++k) {
      if (c[i].kind != c[k].kind) e += c[i].charge * c[k].charge / (c[i].mass + c[k].mass);
      c[i].mass = c[i].mass * c[k].charge;
    }
  return e;
}
template <class T> static T pointer_table(const T* x, int n) {
  T a[kMost], b[kMost];
  T* rows[2] = {a, b};
  for (int i = 0; i < n; ++i) {
    a[i] = x[i];
    b[i] = T(0);
  }
  for (int r = 0; r < 3; ++r) {
    T *from = rows[r % 2], *to = rows[1 - r % 2];
    for (int i = 0; i < n; ++i) to[i] = from[i] * from[(i + 1) % n] + x[i];
  }
  T s = T(0);
  for (int i = 0; i < n; ++i) s += rows[1][i] * rows[1][i];
  return s;
}
template <class T> struct View { const T* data; T* scratch; int n; };
template <class T> NOINLINE static T through_view(const View<T>* v) {
  T s = T(1);
  for (int i = 0; i < v->n; ++i) {
    v->scratch[i] = v->data[i] * s;
    s = s + v->scratch[i] * v->scratch[0];
  }
  return s;
}
template <class T> static T struct_of_pointers(const T* x, int n) {
  T scratch[kMost];
  View<T> v = {x, scratch, n};
  T s = through_view(&v);
  return s * through_view(&v);
}
template <class T> static T copies(const T* x, int n) {
  T a[kMost], b[kMost];
  std::memcpy((void*)a, (const void*)x, sizeof(T) * n);
  T s = T(0);
  for (int r = 0; r < 3; ++r) {
    std::memcpy((void*)b, (const void*)a, sizeof(T) * n);
    for (int i = 0; i < n; ++i) a[i] = b[i] * b[(i + r) % n] + b[n - 1 - i];
    std::memmove((void*)(a + 1), (const void*)a, sizeof(T) * (n - 1));
    s += a[1] * a[n - 1];
  }
  std::memset((void*)a, 0, sizeof(T) * n);
  for (int i = 0; i < n; ++i) s += a[i] * x[i] + b[i] * b[i];
  return s;
}
#define EACH(X) X(structs) X(pointer_table) X(struct_of_pointers) X(copies)
NEST_MAIN(EACH, double, 4, 421, 0.3)
