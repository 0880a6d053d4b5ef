// A sorting network: compare-exchange through references on pairs of active values, fixed size.
#include "support.hpp"

template <class T> static void exchange(T& a, T& b) {
  if (b < a) {
    T t = a;
    a = b;
    b = t;
  }
}
template <class T> static T f(const T* x, int n) {
  T a[8];
  for (int i = 0; i < 8; ++i) a[i] = x[i];
  for (int width = 1; width < 8; width *= 2)           // odd-even merge sort
    for (int k = width; k >= 1; k /= 2)
      for (int j = k % width; j + k < 8; j += 2 * k)
        for (int i = 0; i < k && i + j + k < 8; ++i)
          if ((i + j) / (width * 2) == (i + j + k) / (width * 2)) exchange(a[i + j], a[i + j + k]);
  T s = T(0);
  for (int i = 0; i < 8; ++i) s += a[i] * a[i] * T(i + n) + sin(a[i]) * T(i);
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[8], dx[8] = {};
  double want[8];
  fill(x, 8, 119, -1, 1);
  reference(want, x, 8, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, 8);
}

int main(int argc, char**) {
  run<double>(argc, 1);
  run<float>(argc, 1);
  run<double>(argc, 3);
  run<float>(argc, 3);
  return finish();
}
