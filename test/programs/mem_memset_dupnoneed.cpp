// As mem_memset_only.cpp, behind dupnoneed and short enough to become an integer store.
// Found by ./dev fuzz, seed 53.
#include <cmath>
#include <cstring>
#include "found.hpp"

namespace bug {
typedef double D;
typedef float F;
void f(D *y0) {
  memset(y0, 0, 1 * sizeof(D));
}
struct State {
  D y0[4]; double guard0;
};
void start(State &s) {
  s.guard0 = NAN;
}
typedef State S;
void primal(D *y0) { f(y0); }
void reverse(S &s, S &d) {
  __tapefree_autodiff<void>((void *)primal, tapefree_dupnoneed, s.y0, d.y0);
}
}

static const Value s_in[] = {{0, 'd', -1.1510335206985474}, {8, 'd', -1.1602852106094359}, {16, 'd', 0.10357396602630616}, {24, 'd', 0.32376973628997802}};
static const Value s_want[] = {{0, '-', 0}, {8, '-', 0}, {16, '-', 0}, {24, '-', 0}};
static const Value d_in[] = {{0, 'd', 0.82005900144577026}, {8, 'd', -0.77507668733596802}, {16, 'd', -0.0082212090492248535}, {24, 'd', 0.096697747707366943}};
static const Value d_want[] = {{0, 'd', 0}, {8, 'd', -0.77507668733596802}, {16, 'd', -0.0082212090492248535}, {24, 'd', 0.096697747707366943}};
int main() {
  static bug::S s, d;
  bug::start(s);
  put(&s, s_in, sizeof s_in / sizeof *s_in);
  bug::start(d);
  put(&d, d_in, sizeof d_in / sizeof *d_in);
  bug::reverse(s, d);
  int count = 0;
  count += wrong("s", &s, s_want, sizeof s_want / sizeof *s_want, 0.0001);
  count += wrong("d", &d, d_want, sizeof d_want / sizeof *d_want, 0.0001);
  std::puts(count ? "FAIL" : "ok");
  return count != 0;
}
