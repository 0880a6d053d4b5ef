// new[] and delete[]: ping-pong buffers, an array of structs, an array of rows each allocated in a loop.
#include "support.hpp"

template <class T> struct Point { T x, y; };

template <class T> static T f(const T* x, int n) {
  T *now = new T[n], *next = new T[n];
  for (int i = 0; i < n; ++i) now[i] = x[i];
  for (int k = 0; k < 3; ++k) {
    for (int i = 0; i < n; ++i) next[i] = now[i] * now[(i + 1) % n] + T(0.5) * x[i];
    T* t = now;
    now = next;
    next = t;
  }
  Point<T>* p = new Point<T>[n];
  for (int i = 0; i < n; ++i) p[i] = {now[i], next[i] * x[i]};
  T** row = new T*[n];
  for (int i = 0; i < n; ++i) {
    row[i] = new T[i + 1];
    for (int j = 0; j <= i; ++j) row[i][j] = p[i].x * p[j].y;
  }
  T s = T(0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) s += row[i][j] * row[n - 1][i];
  for (int i = 0; i < n; ++i) delete[] row[i];
  delete[] row;
  delete[] p;
  delete[] now;
  delete[] next;
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[6], dx[6] = {};
  double want[6];
  fill(x, 6, 305, -1, 1);
  reference(want, x, 6, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 6);
}

int main(int argc, char**) {
  run<double>(argc, 6);
  run<float>(argc, 6);
  run<double>(argc, 3);
  run<float>(argc, 3);
  return finish();
}
