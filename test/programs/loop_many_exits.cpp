// Loops that leave in several ways: two breaks to different places, a return, and the normal end.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T s = T(0), kept = T(1);
  int found = -1;
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < n; ++i) {
      s += x[i] * kept;
      if (x[i] < T(0.45) && round == 0) {
        kept = x[i] * s;
        break;
      }
      if (s > T(5)) {
        found = i;
        kept = kept * x[i];
        break;
      }
      if (s > T(1) && i == 2 && round == 2) return s * s * kept;
      kept = kept + x[i] * x[i] * T(0.25);
    }
    if (found >= 0) break;
    s = s * T(0.5);
  }
  return found >= 0 ? s * kept + x[found] : s - kept;
}

template <class T> static void run(int argc, int n) {
  T x[8], dx[8] = {};
  double want[8];
  fill(x, 8, 602, 0.1, 1.1);
  reference(want, x, 8, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 8);
}

int main(int argc, char**) {
  run<double>(argc, 8);
  run<float>(argc, 8);
  run<double>(argc, 5);
  run<float>(argc, 5);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
