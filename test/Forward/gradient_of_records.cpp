// Forward over reverse through a recursive function that is given a record: compiles (it was refused, and the
// compiler crashed after that).
// Found by ./dev fuzz, seed 61.
// RUN: %clangxx -O2 -g -w -S -emit-llvm %s -o - | llvm-as -o /dev/null
// RUN: %clangxx -O0 -g -w -S -emit-llvm %s -o - | llvm-as -o /dev/null
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tapefree/abi.h>

namespace bug {
typedef double D;
typedef float F;
using std::fma;
using std::fmod;
using std::sin;
using std::atan;
using std::pow;
struct Rec { D a; D b; int k; };
__attribute__((noinline)) D h0(D u0, const D *u1, Rec *u2, int depth);
__attribute__((noinline)) D h0(D u0, const D *u1, Rec *u2, int depth) {
  int i1 = 0;
  int k4 = 0;
  while (k4 < 3 && (D(-0.871) / (D(1.2) + u0 * u0)) >= D(0.016)) {
    ++k4;
    u2->b = D(0.6) * u2->b + D(0.8) * sin(atan((u0 * u1[i1] - u1[i1])));
  }
  return D(0.341) * h0(D(0.166) * (pow(u1[2], D(3))), u1, u2, depth - 1) + D(0.15) * (fmod(D(1.9) * u2->a, D(1.3) + D(0.25) * D(0) * D(0.25) * D(0)));
}
void f(const D *__restrict__ x0, F *__restrict__ y0, int n, const int *idx, F *__restrict__ y1, D a0, Rec *s) {
  D s15 = D(0.5);
  F s17 = F(0.5);
  s[0].a += fma(D(0.5), D(0.5), h0(D(0.5), x0 + 1, &s[0], 2));
}
struct State {
  D x0[7]; double guard0;
  F y0[7]; double guard1;
  int idx[3]; double guard2;
  F y1[7]; double guard3;
  D a0; double guard4;
  Rec s[1]; double guard5;
};
void start(State &s) {
  s.guard0 = NAN;
  s.guard1 = NAN;
  const int idx_values[] = {1, 3, 3};
  memcpy(s.idx, idx_values, sizeof s.idx);
  s.guard2 = NAN;
  s.guard3 = NAN;
  s.guard4 = NAN;
  for (int i = 0; i < 1; ++i) { s.s[i].k = (i * 3 + 1) % 4; }
  s.guard5 = NAN;
}
typedef State S;
void primal(const D *__restrict__ x0, F *__restrict__ y0, int n, const int *idx, F *__restrict__ y1, D a0, Rec *s) { f(x0, y0, n, idx, y1, a0, s); }
static void inner_reverse(const D *__restrict__ x0, D *d_x0, F *__restrict__ y0, F *d_y0, int n, const int *idx, F *__restrict__ y1, F *d_y1, D a0, D *d_a0, Rec *s, Rec *d_s) {
  D r = __tapefree_autodiff<D>((void *)primal, tapefree_dup, x0, d_x0, tapefree_dup, y0, d_y0, tapefree_const, n, tapefree_const, idx, tapefree_dup, y1, d_y1, tapefree_out, a0, tapefree_dup, s, d_s);
  *d_a0 = r;
}
void forward_reverse(S &s, S &d, S &t, S &td) {
  __tapefree_fwddiff<void>((void *)inner_reverse, tapefree_dup, s.x0, t.x0, tapefree_dup, d.x0, td.x0, tapefree_dup, s.y0, t.y0, tapefree_dup, d.y0, td.y0, tapefree_const, 6, tapefree_const, s.idx, tapefree_dup, s.y1, t.y1, tapefree_dup, d.y1, td.y1, tapefree_dup, s.a0, t.a0, tapefree_dup, &d.a0, &td.a0, tapefree_dup, s.s, t.s, tapefree_dup, d.s, td.s);
}
}
int main() {}
