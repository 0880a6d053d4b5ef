// Trip counts computed from the counters, from products and from divisions, some of them zero.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T s = T(0.5);
  for (int i = 0; i < n; ++i) {
    int trips = (i * 7 + 3) % 5;
    T t = x[i];
    for (int j = 0; j < trips; ++j) t = t * t + x[j] * T(0.3);
    int outer = (n - i) / 3;
    for (int j = 0; j < outer; ++j)
      for (int k = j; k < i / 2; ++k) t += x[k] * x[j] * sin(t);
    s = s * T(0.9) + t;
  }
  for (int i = n / 2; i < n - 1; ++i) s *= T(1) + x[i] * T(0.1);
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[10], dx[10] = {};
  double want[10];
  fill(x, 10, 103, -1, 1);
  reference(want, x, 10, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, 10);
}

int main(int argc, char**) {
  run<double>(argc, 10);
  run<float>(argc, 10);
  run<double>(argc, 4);
  run<float>(argc, 4);
  run<double>(argc, 0);
  run<float>(argc, 0);
  return finish();
}
