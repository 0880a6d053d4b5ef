// Structs that travel in memory (byval, sret): three doubles, a 3x3 matrix, one nested in the other.
#include "support.hpp"

template <class T> struct Vec { T x, y, z; };
template <class T> struct Frame { Vec<T> row[3]; Vec<T> origin; int turns; };

template <class T> NOINLINE static Vec<T> cross(Vec<T> a, Vec<T> b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T> NOINLINE static T dot(Vec<T> a, Vec<T> b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class T> NOINLINE static Vec<T> scaled(Vec<T> a, T s) {
  a.x *= s;                                            // changes its own copy
  a.y *= s;
  a.z *= s;
  return a;
}
template <class T> NOINLINE static Frame<T> turn(Frame<T> f, Vec<T> by) {
  for (int i = 0; i < 3; ++i) f.row[i] = cross(f.row[i], by);
  f.origin = scaled(f.row[f.turns % 3], dot(by, f.origin));
  ++f.turns;
  return f;
}
template <class T> static T f(const T* x, int n) {
  Frame<T> frame;
  for (int i = 0; i < 3; ++i) frame.row[i] = {x[3 * i], x[3 * i + 1], x[3 * i + 2]};
  frame.origin = {x[9], x[10], x[11]};
  frame.turns = 0;
  Vec<T> by = frame.row[1];
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    frame = turn(frame, by);
    by = scaled(by, T(0.5) + frame.origin.x);
    s += dot(frame.row[2], frame.origin);
  }
  return s + dot(by, frame.row[0]) + T(frame.turns) * frame.origin.z;
}

template <class T> static void run(int argc, int n) {
  T x[12], dx[12] = {};
  double want[12];
  fill(x, 12, 321, -1, 1);
  reference(want, x, 12, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 12);
}

int main(int argc, char**) {
  run<double>(argc, 3);
  run<float>(argc, 3);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
