// Euler integration in place: a pendulum and a predator-prey system in an array of state variables.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T state[4], rate[4];
  for (int i = 0; i < 4; ++i) state[i] = x[i];
  const T h = T(0.05);
  T work = T(0);
  for (int step = 0; step < n; ++step) {
    rate[0] = state[1];
    rate[1] = -x[4] * sin(state[0]) - T(0.1) * state[1];
    rate[2] = state[2] * (T(1) - state[3]);
    rate[3] = state[3] * (x[5] * state[2] - T(1));
    for (int i = 0; i < 4; ++i) state[i] += h * rate[i];
    work += h * state[1] * state[2];
  }
  return work + state[0] * state[3] + state[1] - state[2];
}

template <class T> static void run(int argc, int n) {
  T x[6], dx[6] = {};
  double want[6];
  fill(x, 6, 117, 0.4, 1.2);
  reference(want, x, 6, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, 6);
}

int main(int argc, char**) {
  run<double>(argc, 25);
  run<float>(argc, 25);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
