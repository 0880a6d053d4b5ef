// Every function of <cmath> that the library promises, in double, one call each and in a chain.
#include "cmath_list.hpp"

#define DEFINE(name, expr, at) template <class T> static T one_##name(T x) { return expr; }
#define DEFINE2(name, expr, at, bt) template <class T> static T two_##name(T x, T y) { return expr; }
LIST(DEFINE)
LIST2(DEFINE2)

struct Pair { double a, b; };

int main(int argc, char**) {
  double want[2];
#define TEST(name, expr, at)                                                                    \
  {                                                                                             \
    volatile double hidden = at;                                                                \
    double x[1] = {hidden};                                                                     \
    reference(want, x, 1, [](auto* p) { return one_##name(p[0]); });                            \
    if (argc == 1) check(#name, __enzyme_autodiff<double>((void*)one_##name<double>, x[0]), want[0]); \
  }
#define TEST2(name, expr, at, bt)                                                               \
  {                                                                                             \
    volatile double hidden = at;                                                                \
    double x[2] = {hidden, bt};                                                                 \
    reference(want, x, 2, [](auto* p) { return two_##name(p[0], p[1]); });                      \
    if (argc == 1) {                                                                            \
      Pair g = __enzyme_autodiff<Pair>((void*)two_##name<double>, x[0], x[1]);                  \
      check(#name " x", g.a, want[0]);                                                          \
      check(#name " y", g.b, want[1]);                                                          \
    }                                                                                           \
  }
  LIST(TEST)
  LIST2(TEST2)
  return finish();
}
