// LANES: 0 1
// SANITIZE: undefined
// (The list is left to the system, as in many a program; the gradient leaves as much.)
// Recursion with memory that is reached through other memory: blocks made in one call and read in another, local arrays behind
// pointers in structs, and pointers that are differentiated in some calls only.
#include "support.hpp"

template <class T> struct Node { T value; Node* next; };
template <class T> static Node<T>* made(const T* x, int n) { // returns what it makes: values come out as memory
  if (n == 0) return nullptr;
  auto* node = (Node<T>*)std::malloc(sizeof(Node<T>));
  node->value = x[0] * x[0];
  node->next = made(x + 1, n - 1);
  return node;
}
template <class T> static T summed(const Node<T>* p, T weight) { return p ? p->value * weight + summed(p->next, weight * p->value) : T(0); }
template <class T> static T list(const T* x, int n) {
  Node<T>* head = made(x, n);
  return summed(head, T(1));
}

template <class T> static Node<T>* from_scalar(T x, int n) { // only a scalar goes in, only memory comes out
  auto* node = (Node<T>*)std::malloc(sizeof(Node<T>));
  node->value = x * x;
  node->next = n ? from_scalar(x * T(0.5), n - 1) : nullptr;
  return node;
}
template <class T> static T scalar_to_list(const T* x, int n) {
  Node<T>* p = from_scalar(x[0] * x[1], n);
  return p->value * p->next->value + x[2] * p->next->next->value;
}

template <class T> struct View { const T* in; T* out; };
template <class T> static void spread(const View<T>* v, int n) { // writes a local array of its caller
  if (n == 0) return;
  v->out[n - 1] = v->in[n - 1] * v->in[0];
  spread(v, n - 1);
  v->out[n - 1] = v->out[n - 1] * v->out[0];
}
template <class T> static T behind_structs(const T* x, int n) {
  T scratch[8];
  View<T> v = {x, scratch};
  spread(&v, n);
  T s = T(0);
  for (int i = 0; i < n; ++i) s += scratch[i] * scratch[i];
  return s;
}

template <class T> static T weighed(const T* x, const T* w, int n) { return n ? x[0] * w[0] + weighed(x + 1, w + 1, n - 1) * x[0] : T(1); }
template <class T> static T mixed(const T* x, int n) {
  T fixed[8];
  for (int i = 0; i < 8; ++i) fixed[i] = T(i + 1);
  return weighed(x, (const T*)fixed, n) * weighed(x, x + 1, n - 1) * weighed((const T*)fixed, x, 2);
}

#define EACH(X) X(list) X(scalar_to_list) X(behind_structs) X(mixed)

template <class T> static void run(int argc, int n) {
  T x[8];
  double want[8];
  fill(x, 8, 333, 0.4, 1);
#define TEST(f)                                                                                       \
  {                                                                                                   \
    T dx[8] = {};                                                                                     \
    reference(want, x, n, [&](auto* p) { return f(p, n); });                                          \
    if (argc == 1) {                                                                                  \
      __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);             \
      check_all(#f, dx, want, n);                                                                     \
    }                                                                                                 \
  }
  EACH(TEST)
}

int main(int argc, char**) {
  run<double>(argc, 5);
  run<float>(argc, 5);
  return finish();
}
