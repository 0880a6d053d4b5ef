// Debug records that link stores to variables must not be shared between a derivative and its primal: a pass
// over the one would follow them into the other.
// Found by ./dev fuzz, seed 10337.
// RUN: %clangxx -O2 -g -w -S -emit-llvm %s -o - | llvm-as -o /dev/null
// RUN: %clangxx -O0 -g -w -S -emit-llvm %s -o - | llvm-as -o /dev/null
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tapefree/abi.h>

inline double powi(double x, int n) { return __builtin_powi(x, n); }
inline float powi(float x, int n) { return __builtin_powif(x, n); }
namespace bug {
typedef double D;
typedef float F;
using std::cbrt;
using std::copysign;
using std::remainder;
using std::sin;
using std::cos;
using std::acos;
using std::atan;
using std::tanh;
using std::log;
using std::sqrt;
using std::ceil;
using std::atan2;
using std::pow;
static inline F h0(const F *u0, F u1, int u2, int depth);
F h1(const F *u0, F u1, int depth);
F h2(const F *u0, F u1, F *u2);
static inline F h0(const F *u0, F u1, int u2, int depth) {
  for (int i1 = 0; i1 != 6; ++i1) {
    u1 = u1;
  }
  u1 = F(0.666) * (u0[u2 % 3]);
  u1 = F(0.6) * u1 - F(0.8) * sin(atan2((u1 / (F(2) + sin(u0[u2 % 3]))), acos(F(0.7) * tanh(F(-1.067)))));
  if (depth <= 0) {
    return (u0[(u2 * 3 + 1) % 3] / (F(1.2) + u1 * u1));
  }
  return F(0.413) * h0(u0, log(F(2.5) + sin(u0[u2 % 3])), u2, depth - 1) + F(0.3) * h0(u0, u1, u2, depth - 2) + F(0.199) * ((u0[(u2 * 3 + 1) % 3] / (F(2) + sin(u0[(u2 * 3 + 1) % 3]))));
}
F h1(const F *u0, F u1, int depth) {
  u1 = F(0.312) * (atan2((h0(u0, F(0.336), 1, 2) - (F(0.25) * F(3) / (F(2) + sin(u1)))), h0(u0, F(0.333) * ((u1 + u0[1])), 1, 1)));
  u1 = F(0.296) * (((3) > 3 ? ceil(F(1.3) * u0[1]) : log(F(2.5) + sin(u1))));
  if (depth <= 0) {
    return F(0.222) * ((F(0.75) * F(0.25) * F(1) - u0[1]));
  }
  return F(0.595) * h1(u0, cbrt(F(0.6) + u1 * u1), depth - 1) + F(0.3) * h1(u0, u1, depth - 2) + F(0.099) * (powi(F(1.3) + F(0.5) * sin(u0[2]), 1));
}
F h2(const F *u0, F u1, F *u2) {
  for (int i2 = 0; i2 < 6; ++i2) {
    const F *q3 = (i2) % 2 == 0 ? u0 + 0 : u2;
    switch (i2) {
    case 0: {
      int k6 = 0;
      int k8 = 0;
      while (k8 < 1 && u1 > F(-0.531)) {
      }
    }
    case 1: {
    } break;
    case 2: {
      F s14 = tanh(((i2) % 2 == 0 ? u1 : q3[i2 % 3]));
      for (int i13 = 0; i13 < 2; ++i13) {
        F v15 = u1;
        s14 += pow(F(1.2) + v15 * v15, F(0.5));
      }
      s14 *= F(0.0357);
      int k16 = (i2 * 3 + 0) % 4;
      s14 = F(0.75) * s14 + F(0.294) * (((u1 + F(-0.404)) / (F(1.2) + u1 * u1)));
    } break;
    case 3: {
      u1 = F(0.444) * (remainder(F(1.7) * cos(q3[(i2 * 3 + 1) % 3]), F(1.6) + sin(copysign(u1, q3[i2 % 3]))));
    } break;
    default: {
      u2[i2 % 4] = F(0.666) * (q3[(i2 * 3 + 1) % 3]);
    }
    }
  }
  return F(0.404) * (sqrt(F(0.5) + u0[0] * u0[0]));
}
D f(F a1, int n, const F *x0, const int *idx, const F *x1, F a0, const F *c, F *y0) {
  F t22[3];
  for (int i23 = 0; i23 < 3; ++i23) t22[i23] = h1(y0, F(0.666) * (c[4 - i23]), i23);
  y0[5 - n] = h2(t22, F(0.666) * (F(D(c[n % 5]))), y0 + 2);
  return atan(cbrt(D(0.6) + D(x1[n]) * D(x1[n])) + D(0.812) * D(a0) + D(0.395) * D(c[n % 5]) + D(0.749) * D(a0));
}
struct State {
  F a1; double guard0;
  F x0[5]; double guard1;
  int idx[3]; double guard2;
  F x1[7]; double guard3;
  F a0; double guard4;
  F c[5]; double guard5;
  F y0[6]; double guard6;
  D ret; double guard7;
};
void start(State &s) {
  s.guard0 = NAN;
  s.guard1 = NAN;
  const int idx_values[] = {2, 2, 1};
  memcpy(s.idx, idx_values, sizeof s.idx);
  s.guard2 = NAN;
  s.guard3 = NAN;
  s.guard4 = NAN;
  s.guard5 = NAN;
  s.guard6 = NAN;
  s.guard7 = NAN;
}
typedef State S;
D primal(F a1, int n, const F *x0, const int *idx, const F *x1, F a0, const F *c, F *y0) { return f(a1, n, x0, idx, x1, a0, c, y0); }
struct R1 { D value; F d_a1; F d_a0; };
static void inner_reverse(F a1, F *d_a1, int n, const F *x0, F *d_x0, const int *idx, const F *x1, F *d_x1, F a0, F *d_a0, const F *c, F *y0, F *d_y0, D *ret, D d_ret) {
  R1 r = __tapefree_autodiff<R1>((void *)primal, tapefree_primal_return, tapefree_out, a1, tapefree_const, n, tapefree_dup, x0, d_x0, tapefree_const, idx, tapefree_dup, x1, d_x1, tapefree_out, a0, tapefree_const, c, tapefree_dup, y0, d_y0, d_ret);
  *ret = r.value;
  *d_a1 = r.d_a1;
  *d_a0 = r.d_a0;
}
void forward_reverse(S &s, S &d, S &t, S &td) {
  __tapefree_fwddiff<void>((void *)inner_reverse, tapefree_dup, s.a1, t.a1, tapefree_dup, &d.a1, &td.a1, tapefree_const, 5, tapefree_dup, s.x0, t.x0, tapefree_dup, d.x0, td.x0, tapefree_const, s.idx, tapefree_dup, s.x1, t.x1, tapefree_dup, d.x1, td.x1, tapefree_dup, s.a0, t.a0, tapefree_dup, &d.a0, &td.a0, tapefree_const, s.c, tapefree_dup, s.y0, t.y0, tapefree_dup, d.y0, td.y0, tapefree_dup, &s.ret, &t.ret, tapefree_dup, d.ret, td.ret);
}
}
int main() {}
