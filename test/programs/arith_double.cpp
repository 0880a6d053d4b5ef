// Every scalar arithmetic instruction on doubles: fadd, fsub, fmul, fdiv, frem, fneg, and their mixtures.
#include "support.hpp"

template <class T> static T adds(T a, T b) { return a + b + a + (a + (b + T(1))); }
template <class T> static T subs(T a, T b) { return a - b - (b - (a - T(2))) - a; }
template <class T> static T muls(T a, T b) { return a * b * a * (b * T(0.5)); }
template <class T> static T divs(T a, T b) { return a / b + T(1) / a - b / (a * a) / b; }
template <class T> static T rems(T a, T b) { return fmod(T(7) * a, b) * a + fmod(b, T(0.3)) + fmod(T(5.7), a); }
template <class T> static T negs(T a, T b) { return -a * -(-b) - -(a + -b) * a; }
template <class T> static T mixed(T a, T b) {
  T t = a * a - b;
  t = t / (T(1) + t * t);
  T u = -t * b + a / (b + t);
  return (t + u) * (t - u) / (a + u * u) - fmod(a * T(3), b) * t;
}

struct Pair { double a, b; };
#define TRY(f)                                                                           \
  {                                                                                      \
    double want[2], x[2] = {1.37, 0.83};                                                 \
    reference(want, x, 2, [](auto* p) { return f(p[0], p[1]); });                        \
    if (argc == 1) {                                                                     \
      Pair g = __enzyme_autodiff<Pair>((void*)f<double>, enzyme_out, x[0], enzyme_out, x[1]); \
      check(#f " a", g.a, want[0]);                                                      \
      check(#f " b", g.b, want[1]);                                                      \
      check(#f " a alone", __enzyme_autodiff<double>((void*)f<double>, enzyme_out, x[0], enzyme_const, x[1]), want[0]); \
      check(#f " b alone", __enzyme_autodiff<double>((void*)f<double>, enzyme_const, x[0], enzyme_out, x[1]), want[1]); \
    }                                                                                    \
  }

int main(int argc, char**) {
  TRY(adds) TRY(subs) TRY(muls) TRY(divs) TRY(rems) TRY(negs) TRY(mixed)
  return finish();
}
