// A linked list built with new inside the function, reversed in place, summed and deleted node by node.
#include "support.hpp"

template <class T> struct Node { T value; Node* next; };

template <class T> static T f(const T* x, int n) {
  Node<T>* head = nullptr;
  for (int i = 0; i < n; ++i) head = new Node<T>{head ? x[i] * head->value + T(0.5) : x[i], head};
  Node<T>* back = nullptr;
  while (head) {
    Node<T>* next = head->next;
    head->next = back;
    back = head;
    head = next;
  }
  T s = T(0), w = T(1);
  while (back) {
    Node<T>* next = back->next;
    s += back->value * w;
    w = w * T(0.5) + back->value * T(0.25);
    delete back;
    back = next;
  }
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[7], dx[7] = {};
  double want[7];
  fill(x, 7, 306, -1, 1);
  reference(want, x, 7, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 7);
}

int main(int argc, char**) {
  run<double>(argc, 7);
  run<float>(argc, 7);
  run<double>(argc, 1);
  run<float>(argc, 1);
  return finish();
}
