// Scalars by value: every mix of dup and const, branches, switches, selects, conversions, markers and defaults.
#include "forward.hpp"

template <class T> static T smooth(T a, T b, T c) { return a * b / c + (a - c) * (a - c) - b * T(0.5) + sin(a * c); }
template <class T> static T branchy(T a, T b, T c) {
  T r = a;
  if (a > b) r = r * b;
  else r = r - b * b;
  if (c < T(0)) return T(2);
  return val(r) > 0 ? r * c : c / (T(1) + r * r);
}
template <class T> static T chosen(T a, T b, int which) {
  switch (which) {
  case 0: return a * b;
  case 1: return T(3);
  case 2: return b;
  case 5: a = a * a; [[fallthrough]];
  case 7: return a + b;
  default: return T(0);
  }
}
template <class T> static T through_float(T a) { return widen(narrow(a * a)) * a; }

template <class T> static void run(int argc) {
  T at[3][3] = {{T(1.5), T(0.5), T(2)}, {T(-0.5), T(0.75), T(1.25)}, {T(2), T(1), T(-1)}};
  for (auto& x : at)
    for (int mask = 0; mask < 8; ++mask) {
      T dx[3] = {};
      for (int i = 0; i < 3; ++i) dx[i] = mask >> i & 1 ? T(0.5 + i) : T(0);
      auto s = tangent(x, dx, 3, [](auto* p) { return smooth(p[0], p[1], p[2]); });
      auto b = tangent(x, dx, 3, [](auto* p) { return branchy(p[0], p[1], p[2]); });
      if (argc > 1) continue;
      const double tol = kTolerance<T>;
      check("smooth", __enzyme_fwddiff<T>((void*)smooth<T>, enzyme_dup, x[0], dx[0], enzyme_dup, x[1], dx[1], enzyme_dup, x[2], dx[2]), s.tangent, tol);
      check("branchy", __tapefree_fwddiff<T>((void*)branchy<T>, tapefree_dup, x[0], dx[0], tapefree_dup, x[1], dx[1], tapefree_dup, x[2], dx[2]), b.tangent, tol);
      if (mask == 1)
        check("a alone", __enzyme_fwddiff<T>((void*)smooth<T>, enzyme_dup, x[0], dx[0], enzyme_const, x[1], enzyme_const, x[2]), s.tangent, tol);
      if (mask == 2)
        check("b alone", __enzyme_fwddiff<T>((void*)branchy<T>, enzyme_const, x[0], enzyme_dup, x[1], dx[1], enzyme_const, x[2]), b.tangent, tol);
      if (mask == 6)
        check("no markers", __enzyme_fwddiff<T>((void*)smooth<T>, enzyme_const, x[0], x[1], dx[1], x[2], dx[2]), s.tangent, tol);
    }
  for (int which = -1; which < 9; ++which) {
    T x[2] = {T(1.25), T(-0.75)}, dx[2] = {T(2), T(0.5)};
    auto w = tangent(x, dx, 2, [&](auto* p) { return chosen(p[0], p[1], which); });
    if (argc == 1) check("chosen", __enzyme_fwddiff<T>((void*)chosen<T>, x[0], dx[0], x[1], dx[1], which), w.tangent, kTolerance<T>);
  }
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  if (argc == 1) {
    check("nothing varies", __enzyme_fwddiff<double>((void*)smooth<double>, enzyme_const, 1.0, enzyme_const, 2.0, enzyme_const, 3.0), 0, 0);
    check("through float", __enzyme_fwddiff<double>((void*)through_float<double>, enzyme_dup, 1.25, 2.0), 6 * 1.25 * 1.25, 1e-5);
  }
  return finish();
}
