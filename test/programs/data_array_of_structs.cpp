// Arrays of structs that mix an int tag, floats, doubles and small arrays; read, chosen by tag and updated in place.
#include "support.hpp"

template <class D, class F> struct Body {
  int kind;
  F charge;
  D position[3];
  char name[3];
  D mass;
};

template <class D, class F> static D energy(Body<D, F>* b, int n, int steps) {
  D e = D(0);
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < i; ++j) {
        D r2 = D(0.1);
        for (int k = 0; k < 3; ++k) {
          D d = b[i].position[k] - b[j].position[k];
          r2 += d * d;
        }
        if (b[i].kind == b[j].kind) e -= b[i].mass * b[j].mass / sqrt(r2);
        else e += widen(b[i].charge * b[j].charge) / r2;
      }
      b[i].position[s % 3] += D(0.05) * e * D(b[i].kind + 1);
      b[i].mass *= D(0.9);
    }
  }
  return e;
}

int main(int argc, char**) {
  constexpr int n = 4, m = 5 * n;
  float start[m];                                       // float values: the charges are exact in both types
  double want[m];
  fill(start, m, 210, -1, 1);
  auto build = [&](auto* p) {
    using T = std::remove_reference_t<decltype(*p)>;
    Body<T, T> b[n];
    for (int i = 0; i < n; ++i) {
      b[i].kind = i % 2;
      b[i].charge = p[5 * i];
      for (int k = 0; k < 3; ++k) b[i].position[k] = p[5 * i + 1 + k];
      b[i].mass = p[5 * i + 4];
    }
    return energy(b, n, 3);
  };
  reference(want, start, m, build);
  if (argc > 1) return finish();
  Body<double, float> b[n] = {}, db[n] = {};
  for (int i = 0; i < n; ++i) {
    b[i].kind = i % 2;
    b[i].charge = start[5 * i];
    for (int k = 0; k < 3; ++k) b[i].position[k] = start[5 * i + 1 + k];
    b[i].mass = start[5 * i + 4];
  }
  __enzyme_autodiff<void>((void*)energy<double, float>, enzyme_dup, (Body<double, float>*)b, (Body<double, float>*)db,
                          enzyme_const, n, enzyme_const, 3);
  for (int i = 0; i < n; ++i) {
    check("charge", db[i].charge, want[5 * i], 1e-4);
    check_all("position", db[i].position, want + 5 * i + 1, 3, 1e-5);
    check("mass", db[i].mass, want[5 * i + 4], 1e-5);
    check_true("tag untouched", b[i].kind == i % 2 && db[i].kind == 0 && db[i].name[0] == 0);
  }
  return finish();
}
