// Scalar out arguments return in order: one, two, three, five, mixed float and double, with const and dup between them.
#include "support.hpp"

template <class T> static T one(T a) { return a * a * a; }
template <class A, class B> static auto two(A a, B b) { return widen(a) * widen(a) * b; }
template <class A, class B, class C> static auto three(A a, B b, C c) { return widen(a) * b * b + widen(c) * b * widen(a); }
template <class T> static T five(T a, T b, T c, T d, T e) { return a * b + b * c * c + c * d * d * d + d * e - sin(a * e); }
template <class T> static T mixed(T a, const T* p, int k, T b, T c) { return a * p[0] * T(k) + b * b * p[1] - c * p[0] * p[1]; }

struct Two { double a, b; };
struct TwoFloat { float a, b; };
struct FloatDouble { float a; double b; };
struct FloatDoubleFloat { float a; double b; float c; };
struct ThreeFloat { float a, b, c; };
struct Three { double a, b, c; };
struct Five { double g[5]; };

int main(int argc, char**) {
  double x[5] = {1.25, -0.75, 0.5, 1.5, -1.125}, want[5];
  reference(want, x, 1, [](auto* p) { return one(p[0]); });
  if (argc == 1) {
    check("one", __enzyme_autodiff<double>((void*)one<double>, enzyme_out, x[0]), want[0]);
    check("one float", __tapefree_autodiff<float>((void*)one<float>, tapefree_out, (float)x[0]), want[0], 1e-4);
  }
  reference(want, x, 2, [](auto* p) { return two(p[0], p[1]); });
  if (argc == 1) {
    Two d = __enzyme_autodiff<Two>((void*)two<double, double>, enzyme_out, x[0], enzyme_out, x[1]);
    check("dd a", d.a, want[0]);
    check("dd b", d.b, want[1]);
    FloatDouble m = __tapefree_autodiff<FloatDouble>((void*)two<float, double>, tapefree_out, (float)x[0], tapefree_out, x[1]);
    check("fd a", m.a, want[0], 1e-4);
    check("fd b", m.b, want[1]);
    check("fd b only", __enzyme_autodiff<double>((void*)two<float, double>, enzyme_const, (float)x[0], enzyme_out, x[1]), want[1]);
  }
  reference(want, x, 3, [](auto* p) { return three(p[0], p[1], p[2]); });
  if (argc == 1) {
    Three d = __enzyme_autodiff<Three>((void*)three<double, double, double>, enzyme_out, x[0], enzyme_out, x[1], enzyme_out, x[2]);
    check("ddd a", d.a, want[0]);
    check("ddd b", d.b, want[1]);
    check("ddd c", d.c, want[2]);
    FloatDoubleFloat m = __enzyme_autodiff<FloatDoubleFloat>((void*)three<float, double, float>, enzyme_out, (float)x[0],
                                                             enzyme_out, x[1], enzyme_out, (float)x[2]);
    check("fdf a", m.a, want[0], 1e-4);
    check("fdf b", m.b, want[1]);
    check("fdf c", m.c, want[2], 1e-4);
    TwoFloat ends = __tapefree_autodiff<TwoFloat>((void*)three<float, double, float>, tapefree_out, (float)x[0],
                                                  tapefree_const, x[1], tapefree_out, (float)x[2]);
    check("f-f a", ends.a, want[0], 1e-4);
    check("f-f c", ends.b, want[2], 1e-4);
  }
  reference(want, x, 5, [](auto* p) { return five(p[0], p[1], p[2], p[3], p[4]); });
  if (argc == 1) {
    Five d = __enzyme_autodiff<Five>((void*)five<double>, enzyme_out, x[0], enzyme_out, x[1], enzyme_out, x[2], enzyme_out, x[3], enzyme_out, x[4]);
    check_all("five", d.g, want, 5);
  }
  reference(want, x, 5, [](auto* p) { return mixed(p[0], p + 1, 3, p[3], p[4]); });
  if (argc == 1) {
    double dp[2] = {0, 0};
    Three d = __tapefree_autodiff<Three>((void*)mixed<double>, tapefree_out, x[0], tapefree_dup, (const double*)(x + 1), dp,
                                         tapefree_const, 3, tapefree_out, x[3], tapefree_out, x[4]);
    check("mixed a", d.a, want[0]);
    check_all("mixed p", dp, want + 1, 2);
    check("mixed b", d.b, want[3]);
    check("mixed c", d.c, want[4]);
    float y[2] = {(float)x[1], (float)x[2]}, dy[2] = {0, 0};
    ThreeFloat g = __enzyme_autodiff<ThreeFloat>((void*)mixed<float>, enzyme_out, (float)x[0], enzyme_dup, (const float*)y, dy,
                                                 enzyme_const, 3, enzyme_out, (float)x[3], enzyme_out, (float)x[4]);
    check("mixed float a", g.a, want[0], 1e-4);
    check_all("mixed float p", dy, want + 1, 2);
    check("mixed float b", g.b, want[3], 1e-4);
    check("mixed float c", g.c, want[4], 1e-4);
  }
  return finish();
}
