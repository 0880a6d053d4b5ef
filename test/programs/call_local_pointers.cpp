// Local objects that a function which stays a call is given through pointers kept in local memory: a table of them, a
// struct, and links between them that the function follows and writes through.
#include "support.hpp"

template <class T> struct Node {
  T v;
  const Node *l, *r;
};
template <class T> static T sum(const Node<T>* n) { return n ? n->v * n->v + sum(n->l) * n->v + sum(n->r) : T(0); }
template <class T> struct Cell {
  T v;
  Cell* next;
};
template <class T> static void pass_on(Cell<T>* c, T w) {
  if (!c) return;
  c->v = c->v * w + w;
  pass_on(c->next, c->v);
}
template <class T> static T f(const T* x, int n) {
  Node<T> a{x[0] * T(2), nullptr, nullptr}, b{x[1] * x[2], nullptr, nullptr}, c{x[2], &a, &b};
  const Node<T>* table[3] = {&a, &b, &c};
  T s = T(0);
  for (int i = 0; i < n; ++i) s += sum(table[i]);
  Cell<T> p{x[0], nullptr}, q{x[1], &p}, r{x[3], nullptr};
  Cell<T>* heads[2] = {&q, &r};
  for (int i = 0; i < n - 1; ++i) pass_on(heads[i], x[3]);
  return s + p.v * q.v + r.v;
}

// Nothing else here has a shadow.
template <class T> static T only(const T* x, int n) {
  Node<T> a{x[0] * T(2), nullptr, nullptr}, b{x[1], nullptr, nullptr}, c{x[2] * x[3], nullptr, nullptr};
  const Node<T>* table[3] = {&a, &b, &c};
  T s = T(0);
  for (int i = 0; i < n; ++i) s += sum(table[i]);
  return s;
}

template <class T> static void run(int argc) {
  T x[4], dx[4] = {};
  double want[4];
  fill(x, 4, 211, -1, 1);
  if (argc > 1) return;
  reference(want, x, 4, [&](auto* p) { return f(p, 3); });
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, 3);
  check_all("dx", dx, want, 4);
  for (T& d : dx) d = 0;
  reference(want, x, 4, [&](auto* p) { return only(p, 3); });
  __enzyme_autodiff<void>((void*)only<T>, enzyme_dup, (const T*)x, dx, enzyme_const, 3);
  check_all("only", dx, want, 4);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
