// n bodies under gravity with softening, leapfrog steps; the energy and a distance after some steps.
#include "compare.hpp"

template <class T> struct Body { T p[2], v[2], m; };
template <class T> static void kick(Body<T> *b, int n, T dt) {
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j) {
      T d[2] = {b[j].p[0] - b[i].p[0], b[j].p[1] - b[i].p[1]};
      T r2 = d[0] * d[0] + d[1] * d[1] + T(0.8), g = dt / (r2 * sqrt(r2));
      for (int k = 0; k < 2; ++k) {
        b[i].v[k] += d[k] * b[j].m * g;
        b[j].v[k] -= d[k] * b[i].m * g;
      }
    }
}
template <class T> static T f(const T *x, int n) {
  Body<T> b[4];
  int bodies = n / 4;
  for (int i = 0; i < bodies; ++i)
    b[i] = {{x[4 * i], x[4 * i + 1]}, {x[4 * i + 2], x[4 * i + 3]}, T(0.5 + i)};
  for (int s = 0; s < 5; ++s) {
    kick(b, bodies, T(0.05));
    for (int i = 0; i < bodies; ++i)
      for (int k = 0; k < 2; ++k)
        b[i].p[k] += b[i].v[k] * T(0.1);
    kick(b, bodies, T(0.05));
  }
  T e = 0;
  for (int i = 0; i < bodies; ++i)
    e += b[i].m * (b[i].v[0] * b[i].v[0] + b[i].v[1] * b[i].v[1]);
  return e + hypot(b[0].p[0] - b[1].p[0], b[0].p[1] - b[1].p[1]);
}

int main() {
  compare_at<f<float>, f<double>>("n-body", 12, -1, 1);
  return finish();
}
