// A memcpy of five doubles, one of which is also loaded: all five are differentiated.
// Found by ./dev fuzz, seed 196.
#include <cmath>
#include <cstring>
#include "found.hpp"

namespace bug {
typedef double D;
typedef float F;
D f(const D *x0, D *__restrict__ y0) {
  memcpy(y0, x0, 5 * sizeof(D));
  return x0[3];
}
struct State {
  D x0[5]; double guard0;
  D y0[7]; double guard1;
  D ret; double guard2;
};
void start(State &s) {
  s.guard0 = NAN;
  s.guard1 = NAN;
  s.guard2 = NAN;
}
typedef State S;
D primal(const D *x0, D *__restrict__ y0) { return f(x0, y0); }
void reverse(S &s, S &d) {
  D r = __tapefree_autodiff<D>((void *)primal, tapefree_primal_return, tapefree_dup, s.x0, d.x0, tapefree_dup, s.y0, d.y0, d.ret);
  s.ret = r;
}
}

static const Value s_in[] = {{0, 'd', -1.1510335206985474}, {8, 'd', -1.1602852106094359}, {16, 'd', 0.10357396602630616}, {24, 'd', 0.32376973628997802}, {32, 'd', 0.98407080173492423}, {48, 'd', -0.93009202480316155}, {56, 'd', -0.0098654508590698235}, {64, 'd', 0.11603729724884032}, {72, 'd', 0.23064029216766357}, {80, 'd', 0.68028094768524172}, {88, 'd', -1.1043496370315551}, {96, 'd', 0.58512289524078365}, {112, 'd', 1.117942500114441}};
static const Value s_want[] = {{0, 'd', -1.1510335206985474}, {8, 'd', -1.1602852106094359}, {16, 'd', 0.10357396602630616}, {24, 'd', 0.32376973628997802}, {32, 'd', 0.98407080173492423}, {48, 'd', -1.1510335206985474}, {56, 'd', -1.1602852106094359}, {64, 'd', 0.10357396602630616}, {72, 'd', 0.32376973628997802}, {80, 'd', 0.98407080173492423}, {88, 'd', -1.1043496370315551}, {96, 'd', 0.58512289524078365}, {112, 'd', 0.32376973628997802}};
static const Value d_in[] = {{0, 'd', -0.85266488790512085}, {8, 'd', 0.39921385049819946}, {16, 'd', -0.079411685466766357}, {24, 'd', -0.20703297853469849}, {32, 'd', 0.91904252767562866}, {48, 'd', -0.18774944543838501}, {56, 'd', 0.90552836656570435}, {64, 'd', 0.98735672235488892}, {72, 'd', 0.32740110158920288}, {80, 'd', -0.15420883893966675}, {88, 'd', -0.00015074014663696289}, {96, 'd', -0.42542988061904907}, {112, 'd', -0.15339523553848267}};
static const Value d_want[] = {{0, 'd', -1.0404143333435059}, {8, 'd', 1.3047422170639038}, {16, 'd', 0.90794503688812256}, {24, 'd', -0.033027112483978271}, {32, 'd', 0.76483368873596191}, {48, 'd', 0}, {56, 'd', 0}, {64, 'd', 0}, {72, 'd', 0}, {80, 'd', 0}, {88, 'd', -0.00015074014663696289}, {96, 'd', -0.42542988061904907}, {112, '-', 0}};
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
