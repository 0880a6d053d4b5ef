// After the gradient every primal output has the value that the plain call gives, and inputs keep theirs.
#include "support.hpp"

template <class T> struct State { T position; int ticks; T velocity; };

template <class T> static T f(const T* x, T* out, State<T>* state, int* counts, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    T* scratch = out + n;                                // the second half is overwritten again and again
    scratch[i % 2] = x[i] * (i ? scratch[(i + 1) % 2] : T(1)) + T(0.5);
    out[i] = sin(scratch[i % 2]) + (i ? out[i - 1] * T(0.5) : T(0));
    state->velocity += out[i];
    state->position += state->velocity * T(0.1);
    ++state->ticks;
    ++counts[x[i] > T(0)];
    s += out[i] * state->position;
  }
  return s;
}

template <class T> static void run(int argc) {
  constexpr int n = 6;
  T x[n], saved[n], dx[n] = {}, out[n + 2] = {}, dout[n + 2] = {}, plain[n + 2] = {};
  double want[n];
  State<T> state = {T(0.5), 3, T(-0.25)}, dstate = {0, 0, 0}, after = state;
  int counts[2] = {10, 20}, after_counts[2] = {10, 20};
  fill(x, n, 430, -1, 1);
  std::memcpy(saved, x, sizeof x);
  reference(want, x, n, [&](auto* p) {
    using S = std::remove_reference_t<decltype(*p)>;
    S o[n + 2] = {};
    State<S> st = {S(0.5), 3, S(-0.25)};
    int c[2] = {0, 0};
    return f<S>(p, o, &st, c, n);
  });
  if (argc > 1) return;
  f((const T*)x, plain, &after, after_counts, n);
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_dup, (T*)out, dout, enzyme_dup, &state, &dstate,
                          enzyme_const, (int*)counts, enzyme_const, n);
  check_all("dx", dx, want, n);
  check_all("out", out, plain, n + 2, kTolerance<T>);
  check("position", state.position, after.position, kTolerance<T>);
  check("velocity", state.velocity, after.velocity, kTolerance<T>);
  check_true("ticks", state.ticks == after.ticks && dstate.ticks == 0);
  check_true("counts", counts[0] == after_counts[0] && counts[1] == after_counts[1]);
  check_true("input", std::memcmp(x, saved, sizeof x) == 0);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
