// Forward mode over a list without active data: each node is deleted once.
// Found by ./dev fuzz, seed 20470.
#include <cmath>
#include <cstring>
#include "found.hpp"

namespace bug {
typedef double D;
typedef float F;
struct Rec { int k; Rec *next; D *p; D a; };
D f(const D *x0) {
  Rec *head3 = 0;
  for (int i4 = 0; i4 < 3; ++i4) {
    Rec *p5 = new Rec;
    p5->next = head3;
    head3 = p5;
  }
  while (head3) {
    Rec *p5 = head3;
    head3 = p5->next;
    delete p5;
  }
  return D(0.5);
}
struct State {
  D x0[7]; double guard0;
  D ret; double guard1;
};
void start(State &s) {
  s.guard0 = NAN;
  s.guard1 = NAN;
}
typedef State S;
D primal(const D *x0) { return f(x0); }
void forward(S &s, S &d) {
  D r = __tapefree_fwddiff<D>((void *)primal, tapefree_dup, s.x0, d.x0);
  d.ret = r;
}
}

static const Value s_in[] = {{0, 'd', -1.1510335206985474}, {8, 'd', -1.1602852106094359}, {16, 'd', 0.10357396602630616}, {24, 'd', 0.32376973628997802}, {32, 'd', 0.98407080173492423}, {40, 'd', -0.93009202480316155}, {48, 'd', -0.0098654508590698235}, {64, 'd', 0.11603729724884032}};
static const Value s_want[] = {{0, 'd', -1.1510335206985474}, {8, 'd', -1.1602852106094359}, {16, 'd', 0.10357396602630616}, {24, 'd', 0.32376973628997802}, {32, 'd', 0.98407080173492423}, {40, 'd', -0.93009202480316155}, {48, 'd', -0.0098654508590698235}, {64, '-', 0}};
static const Value d_in[] = {{0, 'd', 0.19220024347305298}, {8, 'd', 0.56690078973770142}, {16, 'd', -0.92029136419296265}, {24, 'd', 0.48760241270065308}, {32, 'd', 0.93161875009536743}, {40, 'd', -0.85266488790512085}, {48, 'd', 0.39921385049819946}, {64, 'd', -0.079411685466766357}};
static const Value d_want[] = {{0, 'd', 0.19220024347305298}, {8, 'd', 0.56690078973770142}, {16, 'd', -0.92029136419296265}, {24, 'd', 0.48760241270065308}, {32, 'd', 0.93161875009536743}, {40, 'd', -0.85266488790512085}, {48, 'd', 0.39921385049819946}, {64, 'd', 0}};
int main() {
  static bug::S s, d;
  bug::start(s);
  put(&s, s_in, sizeof s_in / sizeof *s_in);
  bug::start(d);
  put(&d, d_in, sizeof d_in / sizeof *d_in);
  bug::forward(s, d);
  int count = 0;
  count += wrong("s", &s, s_want, sizeof s_want / sizeof *s_want, 1e-09);
  count += wrong("d", &d, d_want, sizeof d_want / sizeof *d_want, 1e-09);
  std::puts(count ? "FAIL" : "ok");
  return count != 0;
}
