// One-dimensional shallow water, Lax-Friedrichs steps over a struct of arrays with ghost cells.
#include "compare.hpp"

template <class T> struct Water {
  T h[18], hu[18];
  int cells;
  void ghosts() {
    h[0] = h[1], h[cells + 1] = h[cells];
    hu[0] = -hu[1], hu[cells + 1] = -hu[cells];
  }
};
template <class T> static T f(const T *x, int n) {
  Water<T> w, next;
  w.cells = next.cells = n;
  for (int i = 0; i < n; ++i)
    w.h[i + 1] = T(1) + T(0.2) * x[i], w.hu[i + 1] = T(0.1) * x[n - 1 - i];
  T c = T(0.1);
  for (int s = 0; s < 6; ++s) {
    w.ghosts();
    for (int i = 1; i <= n; ++i) {
      auto flux = [&](int k) { return w.hu[k] * w.hu[k] / w.h[k] + T(4.9) * w.h[k] * w.h[k]; };
      next.h[i] = T(0.5) * (w.h[i - 1] + w.h[i + 1]) - c * (w.hu[i + 1] - w.hu[i - 1]);
      next.hu[i] = T(0.5) * (w.hu[i - 1] + w.hu[i + 1]) - c * (flux(i + 1) - flux(i - 1));
    }
    w = next;
  }
  T e = 0;
  for (int i = 1; i <= n; ++i)
    e += w.hu[i] * w.hu[i] / w.h[i] + w.h[i] * w.h[i] * T(i);
  return e;
}

int main() {
  compare_at<f<float>, f<double>>("shallow water", 10, -1, 1);
  return finish();
}
