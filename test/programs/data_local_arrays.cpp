// Small fixed local arrays inside loops, re-filled each iteration, partly stale, indexed by data.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T s = T(0), stale[3] = {T(1), T(0.5), T(0.25)};
  for (int i = 0; i < n; ++i) {
    T fresh[4], table[2][2] = {{x[i], T(1)}, {s, x[0]}};
    for (int j = 0; j < 4; ++j) fresh[j] = x[(i + j) % n] * T(j + 1);
    for (int j = 1; j < 4; ++j) fresh[j] += fresh[j - 1] * fresh[j];
    stale[i % 3] = fresh[3] * T(0.2) + stale[(i + 1) % 3];
    int pick = fresh[2] > T(0.1) ? 1 : 0;
    s += fresh[pick] * table[pick][1 - pick] + sin(stale[2]);
    s *= T(0.75);
  }
  return s + stale[0] * stale[1];
}

template <class T> static void run(int argc, int n) {
  T x[8], dx[8] = {};
  double want[8];
  fill(x, 8, 223, -1, 1);
  reference(want, x, 8, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 8);
}

int main(int argc, char**) {
  run<double>(argc, 8);
  run<float>(argc, 8);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
