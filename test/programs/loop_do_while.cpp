// Do-while loops: the body runs before the test, nested in one another, with data in the condition.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T s = T(0);
  int i = 0;
  do {
    T a = x[i], p = T(1);
    int k = 0;
    do {
      p *= a;
      s += p / T(k + 1);
    } while (++k < i);
    do a = a * T(1.5) + x[0] * T(0.1);
    while (a < T(6));
    s += a * p;
  } while (++i < n);
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[5], dx[5] = {};
  double want[5];
  fill(x, 5, 105, 0.3, 1.4);
  reference(want, x, 5, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, 5);
}

int main(int argc, char**) {
  run<double>(argc, 5);
  run<float>(argc, 5);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
