// While loops whose trip count depends on the data: Newton's iteration and Euclid-like shrinking.
#include "support.hpp"

template <class T> static T root(T a) {
  T r = a;
  while (fabs(r * r - a) > T(1e-5) * a) r = (r + a / r) * T(0.5);
  return r;
}
template <class T> static T f(const T* x, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    s += root(x[i]) * x[(i + 1) % n];
    T a = x[i], b = x[(i + 2) % n];
    while (a > T(0.25) && b > T(0.25)) {
      if (a > b) a = a - b * T(0.375);
      else b = b - a * T(0.625);
      s += a * b * T(0.125);
    }
    s += a - b;
  }
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[6], dx[6] = {};
  double want[6];
  fill(x, 6, 104, 1.2, 4);
  reference(want, x, 6, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 6);
}

int main(int argc, char**) {
  run<double>(argc, 6);
  run<float>(argc, 6);
  return finish();
}
