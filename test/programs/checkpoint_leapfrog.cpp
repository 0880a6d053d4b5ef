// Numbers that go from step to step (positions, a sum, an integer that decides, a count of another kind), three buffers
// that change places in a circle, and step numbers that do not begin at zero; closed form for the plain oscillator.
// SANITIZE: address
#include "support.hpp"
extern "C" void __tapefree_checkpoint(int);

template <bool Marked, class T> static T orbit(const T* x, int steps, int snapshots) {
  T q = x[0], p = x[1], before = T(0), sum = T(0);
  unsigned dice = 12345;
  for (int t = 3; t < 3 + 2 * steps; t += 2) {
    if (Marked) __tapefree_checkpoint(snapshots);
    dice = dice * 1664525u + 1013904223u;
    T kick = dice >> 31 ? sin(q) : q * T(0.5);
    T last = q;
    p -= T(0.1) * kick + T(0.001 * t) * before;
    q += T(0.1) * p;
    before = last;
    sum += q * p;
  }
  return sum + q * T(dice % 7u) + before;
}

// u(t + 1) = 2 u - u(t - 1) - c u: linear, by three buffers.
template <bool Marked, class T> static T wave(const T* x, int n, int steps, int snapshots) {
  T a[8], b[8], c[8], *old = a, *now = b, *next = c;
  for (int i = 0; i < n; ++i) old[i] = x[i], now[i] = x[i] * T(0.99), next[i] = T(0);
  for (int t = 0; t < steps; ++t) {
    if (Marked) __tapefree_checkpoint(snapshots);
    for (int i = 0; i < n; ++i) next[i] = T(2) * now[i] - old[i] - T(0.02) * now[i];
    T* free = old;
    old = now;
    now = next;
    next = free;
  }
  T s = T(0);
  for (int i = 0; i < n; ++i) s += now[i] * T(i + 1);
  return s;
}

template <class T> static void run(int steps, int snapshots) {
  T x[8], dx[8] = {}, plain[8] = {};
  fill(x, 8, 77, 0.2, 0.7);
  double want[8];
  reference(want, x, 2, [&](auto* p) { return orbit<false>(p, steps, snapshots); });
  __enzyme_autodiff<void>((void*)orbit<true, T>, enzyme_dup, (const T*)x, dx, enzyme_const, steps, enzyme_const, snapshots);
  __enzyme_autodiff<void>((void*)orbit<false, T>, enzyme_dup, (const T*)x, plain, enzyme_const, steps, enzyme_const, snapshots);
  const double exact = sizeof(T) == 4 ? 1e-4 : 1e-12;
  check_all("orbit", dx, want, 2);
  check_all("orbit as without", dx, plain, 2, exact);
  T dw[8] = {};
  __enzyme_autodiff<void>((void*)wave<true, T>, enzyme_dup, (const T*)x, dw, enzyme_const, 8, enzyme_const, steps, enzyme_const, snapshots);
  // u(t) = g(t) u(0), by the same recursion in double.
  double g0 = 1, g1 = 0.99;
  for (int t = 0; t < steps; ++t) {
    double g2 = 2 * g1 - g0 - 0.02 * g1;
    g0 = g1;
    g1 = g2;
  }
  for (int i = 0; i < 8; ++i) check("wave", dw[i], (i + 1) * g1, sizeof(T) == 4 ? 1e-3 : 1e-10);
}

int main() {
  for (int steps : {0, 1, 2, 7, 50})
    for (int snapshots : {1, 2, 3, 10}) {
      run<double>(steps, snapshots);
      run<float>(steps < 10 ? steps : 10, snapshots);
    }
  return finish();
}
