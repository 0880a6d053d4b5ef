// Forward mode: the calls, and tangents of whole functions by dual numbers.
#pragma once
#include "support.hpp"

extern int enzyme_primal_return, tapefree_primal_return, enzyme_noret;
#ifndef TEST_LANES
template <class R, class... A> R __enzyme_fwddiff(void*, A...);
template <class R, class... A> R __tapefree_fwddiff(void*, A...);
#endif

template <class T> struct ValueAndTangent { T value, tangent; };

// A direction with every entry different, a negative one and a zero among them.
template <class T> NOINLINE inline void direction(T* d, int n, unsigned seed) {
  fill(d, n, seed, -1, 1);
  if (n > 2) d[2] = 0;
}

// want = tangents of out[0..m) along dx, for fn(x, out) with x and out arrays of any scalar; checked by differences.
template <class X, class F>
NOINLINE inline void tangents(double* value, double* want, int m, const X* x, const X* dx, int n, F fn, double tol = 1e-5) {
  Dual *in = new Dual[n], *out = new Dual[m];
  double *point = new double[n], *side = new double[2 * m];
  for (int i = 0; i < n; ++i) in[i] = {(double)x[i], (double)dx[i]};
  for (int k = 0; k < m; ++k) out[k] = {0, 0};
  fn(in, out);
  const double h = 1e-6;
  for (int s = 0; s < 2; ++s) {
    for (int i = 0; i < n; ++i) point[i] = x[i] + (s ? h : -h) * dx[i];
    for (int k = 0; k < m; ++k) side[s * m + k] = 0;
    fn(point, side + s * m);
  }
  for (int k = 0; k < m; ++k) {
    value[k] = out[k].v;
    want[k] = out[k].d;
    double difference = (side[m + k] - side[k]) / (2 * h);
    if (!close_enough(difference, want[k], tol)) {
      ++broken_references;
      std::printf("REFERENCE %d: central difference %.9g, dual %.9g\n", k, difference, want[k]);
    }
  }
  delete[] in;
  delete[] out;
  delete[] point;
  delete[] side;
}

// The same for a function that returns its one result.
template <class X, class F> NOINLINE inline ValueAndTangent<double> tangent(const X* x, const X* dx, int n, F fn) {
  ValueAndTangent<double> r;
  tangents(&r.value, &r.tangent, 1, x, dx, n, [&](auto* p, auto* out) { *out = fn(p); });
  return r;
}
