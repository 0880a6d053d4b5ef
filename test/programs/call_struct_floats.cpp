// Structs of four scalars (four floats share two vector registers), nested pairs and arrays in structs.
#include "support.hpp"

template <class T> struct Quad { T a, b, c, d; };
template <class T> struct Pair { T a, b; };
template <class T> struct Box { Pair<T> low, high; };
template <class T> struct Three { T v[3]; };

template <class T> NOINLINE static Quad<T> hamilton(Quad<T> p, Quad<T> q) {
  return {p.a * q.a - p.b * q.b - p.c * q.c - p.d * q.d, p.a * q.b + p.b * q.a + p.c * q.d - p.d * q.c,
          p.a * q.c - p.b * q.d + p.c * q.a + p.d * q.b, p.a * q.d + p.b * q.c - p.c * q.b + p.d * q.a};
}
template <class T> NOINLINE static Box<T> grow(Box<T> b, Pair<T> p) {
  if (p.a < b.low.a) b.low.a = p.a;
  if (p.b < b.low.b) b.low.b = p.b;
  if (p.a > b.high.a) b.high.a = p.a;
  if (p.b > b.high.b) b.high.b = p.b;
  return b;
}
template <class T> NOINLINE static Three<T> mix(Three<T> t, T w) {
  for (int i = 0; i < 3; ++i) t.v[i] = t.v[(i + 1) % 3] * w + t.v[i];
  return t;
}
template <class T> static T f(const T* x, int n) {
  Quad<T> q = {x[0], x[1], x[2], x[3]}, r = {x[4], x[5], x[6], x[7]};
  Box<T> box = {{x[0], x[1]}, {x[0], x[1]}};
  Three<T> t = {{x[2], x[3], x[4]}};
  for (int i = 0; i < n; ++i) {
    q = hamilton(q, r);
    box = grow(box, {q.b, q.c});
    box = grow(box, {x[6], x[7 - i]});
    t = mix(t, q.d);
  }
  return (box.high.a - box.low.a) * (box.high.b - box.low.b) + t.v[0] * t.v[1] - t.v[2] + q.a;
}

template <class T> static void run(int argc, int n) {
  T x[8], dx[8] = {};
  double want[8];
  fill(x, 8, 323, -1, 1);
  reference(want, x, 8, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 8);
}

int main(int argc, char**) {
  run<double>(argc, 2);
  run<float>(argc, 2);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
