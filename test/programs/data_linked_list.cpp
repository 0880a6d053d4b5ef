// Walking a linked list (value and next in one node), writing to it on the way; the caller builds the shadow list.
#include "support.hpp"

template <class T> struct Node { T value; Node* next; int weight; };

template <class T> static T f(Node<T>* head, T decay) {
  T s = T(0), w = T(1);
  for (Node<T>* n = head; n; n = n->next) {
    s += w * n->value * n->value * T(n->weight);
    w *= decay;
  }
  for (Node<T>* n = head; n && n->next; n = n->next) {
    n->next->value = n->next->value * n->value + s * T(0.1);
    if (n->next->value > T(1.9)) n = n->next;          // skips one
    if (!n->next) break;
  }
  Node<T>* last = head;
  while (last->next) last = last->next;
  return s * last->value + head->value;
}

template <class T> static Node<T>* link(Node<T>* n, const T* value, int count) {
  for (int i = 0; i < count; ++i) n[i] = {value ? value[i] : T(0), i + 1 < count ? &n[i + 1] : nullptr, value ? i % 3 + 1 : 0};
  return n;
}

template <class T> static void run(int argc, int count) {
  T x[8];
  double want[8];
  fill(x, count + 1, 215, 0.4, 1.4);
  reference(want, x, count + 1, [&](auto* p) {
    Node<std::remove_reference_t<decltype(*p)>> n[7];
    using S = std::remove_reference_t<decltype(*p)>;
    return f<S>(link<S>(n, p, count), p[count]);
  });
  if (argc > 1) return;
  Node<T> n[7], dn[7];
  T d = __enzyme_autodiff<T>((void*)f<T>, enzyme_dup, link(n, (const T*)x, count), link(dn, (const T*)nullptr, count), enzyme_out, x[count]);
  for (int i = 0; i < count; ++i) check("node", dn[i].value, want[i], kTolerance<T>);
  check("decay", d, want[count], kTolerance<T>);
}

int main(int argc, char**) {
  run<double>(argc, 7);
  run<float>(argc, 7);
  run<double>(argc, 1);
  return finish();
}
