// Recursion over a binary tree of nodes in an array of structs, reading and writing the nodes.
#include "support.hpp"

template <class T> struct Node { T value; Node *left, *right; int depth; };

template <class T> static T visit(Node<T>* n, T from) {
  if (!n) return from * T(0.1);
  T l = visit(n->left, from * n->value + T(0.5));
  n->value += l * l * T(0.3);
  T r = visit(n->right, n->value * from);
  return l * r + n->value * T(n->depth + 1);
}
template <class T> static T f(const T* x, int n) {
  Node<T> node[7];
  for (int i = 0; i < n; ++i) {
    node[i] = {x[i], nullptr, nullptr, 0};
    if (i) {
      Node<T>* parent = &node[(i - 1) / 2];
      (i & 1 ? parent->left : parent->right) = &node[i];
      node[i].depth = parent->depth + 1;
    }
  }
  T s = visit(node, T(1));
  return s + visit(node, s * T(0.2)) + node[0].value;
}

template <class T> static void run(int argc, int n) {
  T x[7], dx[7] = {};
  double want[7];
  fill(x, 7, 310, -1, 1);
  reference(want, x, 7, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 7);
}

int main(int argc, char**) {
  run<double>(argc, 7);
  run<float>(argc, 7);
  run<double>(argc, 3);
  run<float>(argc, 3);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
