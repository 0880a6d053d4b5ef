// new and delete of scalars and structs, one alive at a time, several alive, chosen by a branch.
#include "support.hpp"

template <class T> struct Cell { T a; int id; T b; };

template <class T> static T f(const T* x, int n) {
  T* total = new T(x[0]);
  Cell<T>* old = new Cell<T>{x[0], 0, x[1]};
  for (int i = 0; i < n; ++i) {
    T* once = new T(x[i] * *total);
    *total += *once * *once;
    Cell<T>* next = new Cell<T>{old->b, i, sin(old->a + x[i])};
    if (i % 2) {
      next->a *= *once;
    }
    delete once;
    delete old;
    old = next;
  }
  T s = *total * old->a + old->b * T(old->id);
  delete total;
  delete old;
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[6], dx[6] = {};
  double want[6];
  fill(x, 6, 304, 0.2, 0.8);
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
