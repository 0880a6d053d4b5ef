// A small machine: a state variable picks the next step, data picks the next state, and the loop ends when it says so.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  enum { Start, Grow, Shrink, Turn, Done } state = Start;
  T a = x[0], energy = T(0);
  int at = 0, steps = 0;
  while (state != Done) {
    ++steps;
    T in = x[at % n];
    switch (state) {
      case Start: energy = in * in; state = Grow; break;
      case Grow:
        a = a * (T(1) + T(0.25) * in);
        state = a > T(2.5) ? Turn : Grow;
        break;
      case Turn: energy += a * in; state = Shrink; break;
      case Shrink:
        a = a * T(0.5) + T(0.1) * in;
        energy += sin(a);
        state = a > T(0.6) ? Shrink : (steps > 30 ? Done : Grow);
        break;
      case Done: break;
    }
    ++at;
  }
  return energy + a * T(steps);
}

template <class T> static void run(int argc) {
  constexpr int n = 5;
  T x[n], dx[n] = {};
  double want[n];
  fill(x, n, 40, 0.6, 1.2);
  reference(want, x, n, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, n);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
