// NOLANES: derivatives of derivatives
// LEVELS: O0 O2 fast
// SANITIZE: address
// (UBSan puts tests into the primal before the plugin sees it, and with them this program is refused.)
// Chains of modes over functions with blocks of their own on the heap, which every level makes and releases again.
#include "nest.hpp"

template <class T> static T new_array(const T* x, int n) {
  T* a = new T[n];
  for (int i = 0; i < n; ++i) a[i] = x[i] * x[(i + 1) % n];
  T s = T(0);
  for (int i = 0; i < n; ++i) s = s * T(0.5) + a[i] * a[i] * a[(i + 1) % n];
  delete[] a;
  return s;
}
template <class T> static T block_in_loop(const T* x, int n) { // one block for each iteration
  T s = T(1);
  for (int r = 0; r < n; ++r) {
    T* a = (T*)std::malloc(sizeof(T) * n);
    for (int i = 0; i < n; ++i) a[i] = x[i] * s;
    for (int i = 0; i < n; ++i) s = s * T(0.5) + a[i] * a[r] * T(0.1);
    std::free(a);
  }
  return s;
}
template <class T> struct Node { T value; Node* next; };
template <class T> static T linked_list(const T* x, int n) {
  Node<T>* head = nullptr;
  for (int i = 0; i < n; ++i) {
    auto* node = (Node<T>*)std::malloc(sizeof(Node<T>));
    node->value = x[i] * x[i];
    node->next = head;
    head = node;
  }
  T s = T(1);
  for (Node<T>* p = head; p; p = p->next) s = s * p->value + sin(p->value);
  while (head) {
    Node<T>* next = head->next;
    std::free(head);
    head = next;
  }
  return s;
}
template <class T> static T grown(const T* x, int n) { // realloc
  int room = 1;
  T* a = (T*)std::malloc(sizeof(T));
  for (int i = 0; i < n; ++i) {
    if (i == room) a = (T*)std::realloc((void*)a, sizeof(T) * (room *= 2));
    a[i] = i ? a[i - 1] * x[i] + x[i] : x[i] * x[i];
  }
  T s = T(0);
  for (int i = 0; i < n; ++i) s += a[i] * a[i];
  std::free(a);
  return s;
}

template <class T> static T array_in_loop(const T* x, int n) { // of variable length: one block for each iteration
  T s = T(1);
  for (int r = 1; r <= n; ++r) {
    T a[r];
    for (int i = 0; i < r; ++i) a[i] = x[i] * s;
    for (int i = 0; i < r; ++i) s = s * T(0.5) + a[i] * a[r - 1 - i] * T(0.25);
  }
  return s;
}
template <class T> static T block_in_branch(const T* x, int n) { // made in some iterations only, and of different sizes
  T s = T(1);
  T* a = nullptr;
  for (int r = 0; r < n; ++r) {
    if (s > T(1)) {
      a = new T[r + 2];
      a[r + 1] = s * x[r];
      s = s * T(0.5) + a[r + 1] * a[r + 1] * T(0.1);
      delete[] a;
    } else {
      auto* b = new T(x[r] * s);
      s = s + *b * *b;
      delete b;
    }
  }
  return s;
}

#define EACH(X) X(new_array) X(block_in_loop) X(linked_list) X(grown) X(array_in_loop) X(block_in_branch)
NEST_MAIN(EACH, double, 4, 426, 0.3)
