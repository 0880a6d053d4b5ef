// Memory that only memset touches: its seed is consumed, whatever type it may have.
// Found by ./dev fuzz, seed 227.
#include <cmath>
#include <cstring>
#include "found.hpp"

namespace bug {
typedef double D;
typedef float F;
D f(D *y0) {
  memset(y0, 0, 4 * sizeof(D));
  return D(0.5);
}
struct State {
  D y0[4]; double guard0;
  D ret; double guard1;
};
void start(State &s) {
  s.guard0 = NAN;
  s.guard1 = NAN;
}
typedef State S;
D primal(D *y0) { return f(y0); }
void reverse(S &s, S &d) {
  D r = __tapefree_autodiff<D>((void *)primal, tapefree_primal_return, s.y0, d.y0, d.ret);
  s.ret = r;
}
}

static const Value s_in[] = {{0, 'd', -1.1510335206985474}, {8, 'd', -1.1602852106094359}, {16, 'd', 0.10357396602630616}, {24, 'd', 0.32376973628997802}, {40, 'd', 0.98407080173492423}};
static const Value s_want[] = {{0, 'd', 0}, {8, 'd', 0}, {16, 'd', 0}, {24, 'd', 0}, {40, 'd', 0.5}};
static const Value d_in[] = {{0, 'd', -0.77507668733596802}, {8, 'd', -0.0082212090492248535}, {16, 'd', 0.096697747707366943}, {24, 'd', 0.19220024347305298}, {40, 'd', 0.56690078973770142}};
static const Value d_want[] = {{0, 'd', 0}, {8, 'd', 0}, {16, 'd', 0}, {24, 'd', 0}, {40, '-', 0}};
int main() {
  static bug::S s, d;
  bug::start(s);
  put(&s, s_in, sizeof s_in / sizeof *s_in);
  bug::start(d);
  put(&d, d_in, sizeof d_in / sizeof *d_in);
  bug::reverse(s, d);
  int count = 0;
  count += wrong("s", &s, s_want, sizeof s_want / sizeof *s_want, 1e-09);
  count += wrong("d", &d, d_want, sizeof d_want / sizeof *d_want, 1e-09);
  std::puts(count ? "FAIL" : "ok");
  return count != 0;
}
