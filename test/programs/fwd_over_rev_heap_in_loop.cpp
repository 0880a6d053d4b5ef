// Forward over reverse over new[] and delete[] in a loop: each block is deleted once.
// Found by ./dev fuzz, seed 20335.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <tapefree/abi.h>

namespace bug {
typedef double D;
typedef float F;
struct Rec { F a; F c[2]; int k; D b; F *p; Rec *next; };
D f(F *y0, F a0, Rec *s, int n) {
  for (int i10 = 1; i10 < n; ++i10) {
    {
      F *w12 = new F[2];
      for (int i13 = 0; i13 < 2; ++i13) w12[i13] = a0;
      a0 = w12[1];
      delete[] w12;
    }
  }
  return D(0.25) * D(s[0].k);
}
struct State {
  F y0[4]; double guard0;
  F a0; double guard1;
  Rec s[2]; double guard2;
  D ret; double guard3;
};
void start(State &s) {
  s.guard0 = NAN;
  s.guard1 = NAN;
  for (int i = 0; i < 2; ++i) { s.s[i].k = (i * 3 + 3) % 4; s.s[i].next = i + 1 < 2 ? s.s + i + 1 : 0; s.s[i].p = s.y0; }
  s.guard2 = NAN;
  s.guard3 = NAN;
}
typedef State S;
D primal(F *y0, F a0, Rec *s, int n) { return f(y0, a0, s, n); }
struct R1 { D value; F d_a0; };
static void inner_reverse(F *y0, F *d_y0, F a0, F *d_a0, Rec *s, Rec *d_s, int n, D *ret, D d_ret) {
  R1 r = __tapefree_autodiff<R1>((void *)primal, tapefree_primal_return, tapefree_dup, y0, d_y0, tapefree_out, a0, tapefree_dup, s, d_s, tapefree_const, n, d_ret);
  *ret = r.value;
  *d_a0 = r.d_a0;
}
void forward_reverse(S &s, S &d, S &t, S &td) {
  __tapefree_fwddiff<void>((void *)inner_reverse, tapefree_dup, s.y0, t.y0, tapefree_dup, d.y0, td.y0, tapefree_dup, s.a0, t.a0, tapefree_dup, &d.a0, &td.a0, tapefree_dup, s.s, t.s, tapefree_dup, d.s, td.s, tapefree_const, 3, tapefree_dup, &s.ret, &t.ret, tapefree_dup, d.ret, td.ret);
}
}

struct Value { unsigned offset; char kind; double value; }; // kind '-' is not compared
static void put(void *state, const Value *v, int n) {
  for (int i = 0; i < n; ++i) {
    char *p = (char *)state + v[i].offset;
    v[i].kind == 'f' ? void(*(float *)p = (float)v[i].value) : void(*(double *)p = v[i].value);
  }
}
static int wrong(const char *name, const void *state, const Value *v, int n, double tolerance) {
  int count = 0;
  for (int i = 0; i < n; ++i) {
    if (v[i].kind == '-') continue;
    const char *p = (const char *)state + v[i].offset;
    const double got = v[i].kind == 'f' ? *(const float *)p : *(const double *)p;
    if (std::fabs(got - v[i].value) <= tolerance * (1 + std::fabs(v[i].value))) continue;
    ++count;
    std::printf("%s at offset %u: got %.12g, must be %.12g\n", name, v[i].offset, got, v[i].value);
  }
  return count;
}
static const Value s_in[] = {{0, 'f', -1.1510335206985474}, {4, 'f', -1.1602852344512939}, {8, 'f', 0.10357396304607391}, {12, 'f', 0.32376974821090698}, {24, 'f', 0.98407077789306641}, {40, 'f', -0.93009203672409058}, {56, 'd', -0.0098654508590698235}, {44, 'f', 0.11603729426860809}, {48, 'f', 0.23064029216766357}, {80, 'f', 0.68028092384338379}, {96, 'd', -1.1043496370315551}, {84, 'f', 0.58512288331985474}, {88, 'f', 1.1179424524307251}, {128, 'd', -1.0231978654861449}};
static const Value s_want[] = {{0, 'f', -1.1510335206985474}, {4, 'f', -1.1602852344512939}, {8, 'f', 0.10357396304607391}, {12, 'f', 0.32376974821090698}, {24, '-', 0}, {40, 'f', -0.93009203672409058}, {56, 'd', -0.0098654508590698235}, {44, 'f', 0.11603729426860809}, {48, 'f', 0.23064029216766357}, {80, 'f', 0.68028092384338379}, {96, 'd', -1.1043496370315551}, {84, 'f', 0.58512288331985474}, {88, 'f', 1.1179424524307251}, {128, 'd', 0.75}};
static const Value d_in[] = {{0, 'f', 0.39921385049819946}, {4, 'f', -0.079411685466766357}, {8, 'f', -0.20703297853469849}, {12, 'f', 0.91904252767562866}, {24, 'f', -0.18774944543838501}, {40, 'f', 0.90552836656570435}, {56, 'd', 0.98735672235488892}, {44, 'f', 0.32740110158920288}, {48, 'f', -0.15420883893966675}, {80, 'f', -0.00015074014663696289}, {96, 'd', -0.42542988061904907}, {84, 'f', -0.15339523553848267}, {88, 'f', 0.35063749551773071}, {128, 'd', -0.68939262628555298}};
static const Value d_want[] = {{0, 'f', 0.39921385049819946}, {4, 'f', -0.079411685466766357}, {8, 'f', -0.20703297853469849}, {12, 'f', 0.91904252767562866}, {24, 'f', 0}, {40, 'f', 0.90552836656570435}, {56, 'd', 0.98735672235488892}, {44, 'f', 0.32740110158920288}, {48, 'f', -0.15420883893966675}, {80, 'f', -0.00015074014663696289}, {96, 'd', -0.42542988061904907}, {84, 'f', -0.15339523553848267}, {88, 'f', 0.35063749551773071}, {128, '-', 0}};
static const Value t_in[] = {{0, 'f', -0.82246154546737671}, {4, 'f', 0.7053719162940979}, {8, 'f', -0.37687474489212036}, {12, 'f', -0.9858587384223938}, {24, 'f', -0.074665725231170654}, {40, 'f', -0.41664403676986694}, {56, 'd', 0.14596861600875854}, {44, 'f', 0.92455357313156128}, {48, 'f', -0.96906918287277222}, {80, 'f', 0.55951040983200073}, {96, 'd', -0.39550429582595825}, {84, 'f', -0.35772937536239624}, {88, 'f', 0.90997594594955444}, {128, 'd', 0.093655407428741455}};
static const Value t_want[] = {{0, 'f', -0.82246154546737671}, {4, 'f', 0.7053719162940979}, {8, 'f', -0.37687474489212036}, {12, 'f', -0.9858587384223938}, {24, '-', 0}, {40, 'f', -0.41664403676986694}, {56, 'd', 0.14596861600875854}, {44, 'f', 0.92455357313156128}, {48, 'f', -0.96906918287277222}, {80, 'f', 0.55951040983200073}, {96, 'd', -0.39550429582595825}, {84, 'f', -0.35772937536239624}, {88, 'f', 0.90997594594955444}, {128, 'd', 0}};
static const Value td_in[] = {{0, 'f', 0.33452421426773071}, {4, 'f', 0.31392961740493774}, {8, 'f', 0.24683254957199097}, {12, 'f', -0.6775011420249939}, {24, 'f', 0.85812836885452271}, {40, 'f', 0.53484529256820679}, {56, 'd', -0.085865914821624756}, {44, 'f', 0.45135957002639771}, {48, 'f', -0.33645397424697876}, {80, 'f', 0.42530316114425659}, {96, 'd', 0.15210586786270142}, {84, 'f', 0.52284425497055054}, {88, 'f', -0.11452335119247437}, {128, 'd', -0.58806842565536499}};
static const Value td_want[] = {{0, 'f', 0.33452421426773071}, {4, 'f', 0.31392961740493774}, {8, 'f', 0.24683254957199097}, {12, 'f', -0.6775011420249939}, {24, 'f', 0}, {40, 'f', 0.53484529256820679}, {56, 'd', -0.085865914821624756}, {44, 'f', 0.45135957002639771}, {48, 'f', -0.33645397424697876}, {80, 'f', 0.42530316114425659}, {96, 'd', 0.15210586786270142}, {84, 'f', 0.52284425497055054}, {88, 'f', -0.11452335119247437}, {128, '-', 0}};
int main() {
  static bug::S s, d, t, td;
  bug::start(s);
  put(&s, s_in, sizeof s_in / sizeof *s_in);
  bug::start(d);
  put(&d, d_in, sizeof d_in / sizeof *d_in);
  bug::start(t);
  put(&t, t_in, sizeof t_in / sizeof *t_in);
  bug::start(td);
  put(&td, td_in, sizeof td_in / sizeof *td_in);
  bug::forward_reverse(s, d, t, td);
  int count = 0;
  count += wrong("s", &s, s_want, sizeof s_want / sizeof *s_want, 0.0001);
  count += wrong("d", &d, d_want, sizeof d_want / sizeof *d_want, 0.0001);
  count += wrong("t", &t, t_want, sizeof t_want / sizeof *t_want, 0.0001);
  count += wrong("td", &td, td_want, sizeof td_want / sizeof *td_want, 0.0001);
  std::puts(count ? "FAIL" : "ok");
  return count != 0;
}
