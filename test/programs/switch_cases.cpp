// A switch in a loop: fall-through, default, shared targets, a case that continues and one that returns.
#include "support.hpp"

template <class T> static T f(const T* x, const int* op, int n) {
  T s = T(1);
  for (int i = 0; i < n; ++i) {
    switch (op[i]) {
      case 0: s += x[i]; break;
      case 1: s *= x[i]; [[fallthrough]];
      case 2: s += x[i] * x[i]; break;
      case 3:
      case 4: s = s / (T(1) + x[i] * x[i]); break;
      case 7: continue;
      case 9: return s * s + x[0];
      case 100: s = sin(s); break;
      default: s -= T(0.25) * x[i];
    }
    s += T(0.125) * x[i];
  }
  return s;
}

template <class T> static void run(int argc, const int* op) {
  constexpr int n = 10;
  T x[n], dx[n] = {};
  double want[n];
  fill(x, n, 5, 0.5, 1.5);
  reference(want, x, n, [&](auto* p) { return f(p, op, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, op, tapefree_const, n);
  check_all("dx", dx, want, n);
}

int main(int argc, char**) {
  const int whole[10] = {0, 1, 2, 3, 7, 100, 4, -5, 1, 55}, cut[10] = {2, 100, 1, 7, 3, 0, 9, 0, 1, 2};
  run<double>(argc, whole);
  run<double>(argc, cut);
  run<float>(argc, whole);
  run<float>(argc, cut);
  return finish();
}
