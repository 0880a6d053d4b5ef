// Calls that stay calls: recursion over scalars, arrays, trees and structs by value, mutual recursion.
#include "forward.hpp"

template <class T> static T power(T x, int n) {
  if (n == 0) return T(1);
  T h = power(x, n / 2);
  return n % 2 ? h * h * x : h * h;
}
template <class T> static T even(T x, T c, int n);
template <class T> static T odd(T x, T c, int n) { return n ? even(x * T(1.1), c, n - 1) * x : c; }
template <class T> static T even(T x, T c, int n) { return n ? odd(sin(x), c, n - 1) + x * c : x; }

template <class T> static void sort(const T* in, T* out, int n) {
  if (n == 1) {
    out[0] = in[0] * in[0] + in[0] * T(0.3);
    return;
  }
  T a[8], b[8];
  int h = n / 2, i = 0, j = 0;
  sort(in, a, h);
  sort(in + h, b, n - h);
  for (int k = 0; k < n; ++k) {
    if (j >= n - h || (i < h && a[i] < b[j])) out[k] = a[i++];
    else out[k] = b[j++];
  }
}

template <class T> struct Node {
  T value;
  Node *left, *right;
};
template <class T> static T fold(const Node<T>* n) {
  if (!n) return T(0.5);
  return n->value * fold(n->left) + fold(n->right) * fold(n->right);
}
template <class T> static void rescale(Node<T>* n, T by) {
  if (!n) return;
  n->value = n->value * by;
  rescale(n->left, by * n->value);
  rescale(n->right, T(2));
}

template <class T> struct Pair { T a, b; };
template <class T> static Pair<T> fibonacci(Pair<T> p, int n) {
  if (n == 0) return p;
  Pair<T> q = fibonacci(Pair<T>{p.b, p.a * p.b}, n - 1);
  q.a += q.b * T(0.25);
  return q;
}
template <class T> static T by_pair(T a, T b) {
  Pair<T> p = fibonacci(Pair<T>{a, b}, 4);
  return p.a * p.b;
}
template <class T> struct Big {
  T v[5];
  int depth;
};
template <class T> static T big(Big<T> s) {
  if (s.depth == 0) return s.v[0] + s.v[4];
  s.depth--;
  for (int i = 0; i < 5; ++i) s.v[i] = s.v[i] * s.v[(i + 1) % 5] + T(0.1);
  T r = big(s);
  return r * s.v[2] + r; // the callee worked on its own copy
}
template <class T> static T by_big(const T* x) {
  Big<T> b = {{x[0], x[1], x[2], x[3], x[4]}, 3};
  return big(b) + b.v[0];
}

template <class T> static void run(int argc) {
  enum { N = 7 };
  T x[N], dx[N];
  double value[N], want[N];
  fill(x, N, 51, 0.3, 1.1);
  direction(dx, N, 52);
  const double tol = kTolerance<T>;
  auto w = tangent(x, dx, N, [](auto* p) { return power(p[0], 11); });
  if (argc == 1) check("power", __enzyme_fwddiff<T>((void*)power<T>, x[0], dx[0], 11), w.tangent, tol);
  w = tangent(x, dx, N, [&](auto* p) { return even(p[0], p[0] * 0.0 + x[1], 6); });
  if (argc == 1) check("mutual", __enzyme_fwddiff<T>((void*)even<T>, enzyme_dup, x[0], dx[0], enzyme_const, x[1], enzyme_const, 6), w.tangent, tol);
  tangents(value, want, N, x, dx, N, [](auto* p, auto* out) { sort(p, out, N); });
  if (argc == 1) {
    T out[N], dout[N];
    __enzyme_fwddiff<void>((void*)sort<T>, enzyme_dup, (const T*)x, (const T*)dx, enzyme_dup, (T*)out, (T*)dout, enzyme_const, (int)N);
    check_all("sort", out, value, N);
    check_all("dsort", dout, want, N);
  }
  auto plant = [](auto* p, auto* nodes, int n) {
    for (int i = 0; i < n; ++i)
      nodes[i] = {p[i], 2 * i + 1 < n ? nodes + 2 * i + 1 : nullptr, 2 * i + 2 < n ? nodes + 2 * i + 2 : nullptr};
  };
  w = tangent(x, dx, N, [&](auto* p) {
    Node<std::remove_reference_t<decltype(*p)>> nodes[N];
    plant(p, nodes, N);
    rescale(nodes, p[N - 1]);
    return fold(nodes);
  });
  if (argc == 1) {
    Node<T> nodes[N], dnodes[N];
    plant(x, nodes, N);
    plant(dx, dnodes, N);
    __enzyme_fwddiff<void>((void*)rescale<T>, enzyme_dup, (Node<T>*)nodes, (Node<T>*)dnodes, enzyme_dup, x[N - 1], dx[N - 1]);
    check("tree", __enzyme_fwddiff<T>((void*)fold<T>, enzyme_dup, (const Node<T>*)nodes, (const Node<T>*)dnodes), w.tangent, tol);
  }
  w = tangent(x, dx, N, [](auto* p) { return by_pair(p[0], p[1]); });
  if (argc == 1) check("pairs", __enzyme_fwddiff<T>((void*)by_pair<T>, x[0], dx[0], x[1], dx[1]), w.tangent, tol);
  w = tangent(x, dx, N, [](auto* p) { return by_big(p); });
  if (argc == 1) check("big", __enzyme_fwddiff<T>((void*)by_big<T>, (const T*)x, (const T*)dx), w.tangent, tol);
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
