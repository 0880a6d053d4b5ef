// LANES: 0 1
// Recursive calls that get, and return, pointers which have a shadow in some runs only; blocks made further down.
#include "forward.hpp"

static double table[32];

template <class T> static T sum(const T* p, int n) { return n == 1 ? p[0] * p[0] : sum(p, n / 2) + sum(p + n / 2, n - n / 2); }
static double either(const double* x, const double* c, int n, int mode) { return sum(mode ? x : c, n) * x[0]; }

static const double* pick(const double* x, int n) { return n == 0 ? table : n == 1 ? x : pick(x, n - 2); }
static double picked(const double* x, int n) {
  const double* p = pick(x, n);
  return p[0] * x[1] + p[1] * x[0];
}

template <class T> static T* block(const T* x, int n) {
  if (n > 4) return block(x, n - 1);
  T* p = (T*)std::malloc(n * sizeof(T));
  for (int i = 0; i < n; ++i) p[i] = T(0.5);
  return p;
}
template <class T> static T filled_later(const T* x, int n) { // what the callee made carries derivatives only here
  T* p = block(x, n);
  p[1] = x[1] * x[2];
  T s = p[0] * p[1] * x[0];
  std::free(p);
  return s;
}

template <class T> struct Tree {
  T value;
  Tree *left, *right;
};
template <class T> static Tree<T>* insert(Tree<T>* t, Tree<T>* fresh) {
  if (!t) return fresh;
  if (fresh->value < t->value) t->left = insert(t->left, fresh);
  else t->right = insert(t->right, fresh);
  return t;
}
template <class T> static T in_order(const Tree<T>* t, T s) {
  if (!t) return s;
  s = in_order(t->left, s);
  s = s * T(0.5) + t->value * t->value;
  return in_order(t->right, s);
}
template <class T> static T tree_sort(const T* x, int n) {
  Tree<T> nodes[8], *root = nullptr;
  for (int i = 0; i < n; ++i) {
    nodes[i] = {x[i], nullptr, nullptr};
    root = insert(root, nodes + i);
  }
  return in_order(root, x[0]);
}

int main(int argc, char**) {
  double x[32], dx[32];
  fill(x, 32, 141, 0.2, 1);
  fill(table, 32, 143, 0.2, 1);
  direction(dx, 32, 142);
  double before[32];
  std::memcpy(before, table, sizeof table);
  for (int mode = 0; mode < 2; ++mode) {
    double constant = sum((const double*)table, 32);
    auto w = tangent(x, dx, 32, [&](auto* p) { return mode ? sum(p, 32) * p[0] : p[0] * constant; });
    if (argc == 1)
      check("either", __enzyme_fwddiff<double>((void*)either, enzyme_dup, (const double*)x, (const double*)dx, enzyme_const, (const double*)table, enzyme_const, 32, enzyme_const, mode), w.tangent);
    w = tangent(x, dx, 2, [&](auto* p) { return mode ? p[0] * p[1] * 2.0 : p[1] * table[0] + p[0] * table[1]; });
    if (argc == 1) check("picked", __enzyme_fwddiff<double>((void*)picked, enzyme_dup, (const double*)x, (const double*)dx, enzyme_const, 4 + mode), w.tangent);
  }
  auto w = tangent(x, dx, 8, [](auto* p) { return filled_later(p, 8); });
  auto t = tangent(x, dx, 8, [](auto* p) { return tree_sort(p, 8); });
  if (argc == 1) {
    auto call = [&] { return __enzyme_fwddiff<double>((void*)filled_later<double>, enzyme_dup, (const double*)x, (const double*)dx, enzyme_const, 8); };
    check("filled later", call(), w.tangent);
    check_no_leak("filled later", 100, call);
    check("tree sort", __enzyme_fwddiff<double>((void*)tree_sort<double>, enzyme_dup, (const double*)x, (const double*)dx, enzyme_const, 8), t.tangent);
  }
  check_true("table intact", !std::memcmp(before, table, sizeof table));
  return finish();
}
