// LANES: 0 1
// Heap blocks made by the function: shadows come and go with them. malloc, calloc, realloc, new, lists, and no leak.
#include "forward.hpp"

template <class T> static T blocks(const T* x, int n) {
  T* a = (T*)std::malloc(n * sizeof(T));
  T* b = (T*)std::calloc(n, sizeof(T));
  T* c = new T[n];
  for (int i = 0; i < n; ++i) a[i] = x[i] * x[i];
  for (int i = 0; i + 1 < n; ++i) b[i + 1] += a[i] * x[i + 1];
  for (int i = 0; i < n; ++i) c[i] = b[i] - a[i] * T(0.5);
  T s = T(0);
  for (int i = 0; i < n; ++i) s += c[i] * c[i] + b[i];
  std::free(a);
  std::free(b);
  delete[] c;
  return s;
}
template <class T> struct Link {
  T value;
  Link* next;
};
template <class T> static T list(const T* x, int n) {
  Link<T>* head = nullptr;
  for (int i = 0; i < n; ++i) head = new Link<T>{x[i] * T(i + 1), head};
  T s = T(1);
  for (Link<T>* l = head; l; l = l->next) s = s * l->value + cos(l->value);
  while (head) {
    Link<T>* next = head->next;
    delete head;
    head = next;
  }
  return s;
}
template <class T> static T growing(const T* x, int n) {
  T* v = (T*)std::malloc(2 * sizeof(T));
  int room = 2, used = 0;
  for (int i = 0; i < n; ++i) {
    if (used == room) v = (T*)std::realloc((void*)v, (room *= 2) * sizeof(T));
    v[used++] = x[i] * x[i] + T(i);
    if (used > 1) v[used - 2] = v[used - 2] * v[used - 1];
  }
  T s = T(0);
  for (int i = 0; i < used; ++i) s += v[i] * T(i + 1);
  std::free(v);
  return s;
}
template <class T> static T each_round(const T* x, int n) {
  T s = x[0];
  for (int r = 0; r < n; ++r) {
    T* tmp = new T[r + 1];
    for (int i = 0; i <= r; ++i) tmp[i] = x[i] * s;
    s = T(0);
    for (int i = 0; i <= r; ++i) s += tmp[i] * tmp[r - i];
    delete[] tmp;
  }
  return s;
}
template <class T> static T* make(const T* x, int n) {
  T* p = (T*)std::malloc(n * sizeof(T));
  for (int i = 0; i < n; ++i) p[i] = x[i] * x[n - 1 - i];
  return p;
}
template <class T> static T* depth(const T* x, int n) { return n > 4 ? depth(x, n - 1) : make(x, n); }
template <class T> static T from_below(const T* x, int n) { // a recursive function returns a block
  T* p = depth(x, n);
  T s = p[0] * p[1];
  std::free(p);
  return s;
}

template <class T> static void run(int argc) {
  enum { N = 7 };
  T x[N], dx[N];
  fill(x, N, 61, 0.2, 1);
  direction(dx, N, 62);
#define EACH(X) X(blocks) X(list) X(growing) X(each_round) X(from_below)
#define TEST(f)                                                                                                     \
  {                                                                                                                 \
    auto w = tangent(x, dx, N, [](auto* p) { return f(p, N); });                                                    \
    auto call = [&] { return __enzyme_fwddiff<T>((void*)f<T>, enzyme_dup, (const T*)x, (const T*)dx, enzyme_const, (int)N); }; \
    if (argc == 1) {                                                                                                \
      check(#f, call(), w.tangent, kTolerance<T>);                                                                  \
      check_no_leak(#f, 100, call);                                                                                 \
    }                                                                                                               \
  }
  EACH(TEST)
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
