// Every scalar arithmetic instruction on floats, with out arguments returned as a struct of floats.
#include "support.hpp"

template <class T> static T sums(T a, T b) { return a + b - (a - b - T(3)) + (b - a) + a; }
template <class T> static T prods(T a, T b) { return a * b * b / a / (a + b) - T(1) / b; }
template <class T> static T rems(T a, T b) { return fmod(T(5) * a, b) * b - fmod(b, T(0.25)); }
template <class T> static T negs(T a, T b) { return -(a * -b) - -a * (-b / -a - T(2)); }
template <class T> static T mixed(T a, T b) {
  T t = a * b - T(0.5) / b;
  T u = (t + a) / (T(1) + t * t);
  t = u - t * u;
  return t * t - a / (u + T(3));
}

struct Pair { float a, b; };
#define TRY(f)                                                                           \
  {                                                                                      \
    float x[2] = {1.25f, 0.875f};                                                        \
    double want[2];                                                                      \
    reference(want, x, 2, [](auto* p) { return f(p[0], p[1]); });                        \
    if (argc == 1) {                                                                     \
      Pair g = __tapefree_autodiff<Pair>((void*)f<float>, tapefree_out, x[0], tapefree_out, x[1]); \
      check(#f " a", g.a, want[0], 1e-4);                                                \
      check(#f " b", g.b, want[1], 1e-4);                                                \
    }                                                                                    \
  }

int main(int argc, char**) {
  TRY(sums) TRY(prods) TRY(rems) TRY(negs) TRY(mixed)
  return finish();
}
