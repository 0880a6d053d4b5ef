// Blocks that grow while they are filled: what realloc copies is no multiple of what the function knows of them, and may be
// more than was asked for; a block that is made, moved and dropped without being used changes nothing.
#include "support.hpp"

template <class T> static T doubled(const T* x, int n) {
  int room = 2;
  T* w = (T*)std::malloc(2 * sizeof(T));
  for (int i = 0; i < 4; ++i) {
    if (i == room) {
      room *= 2;
      w = (T*)std::realloc((void*)w, (std::size_t)room * sizeof(T));
    }
    w[i] = x[i] * x[i];
  }
  T s = w[0] * w[3] + w[1] * w[2] * x[n - 1];
  std::free((void*)w);
  return s;
}
template <class T> struct Pair { T a; int tag; T b; };
template <class T> static T one_by_one(const T* x, int n) {
  Pair<T>* w = (Pair<T>*)std::malloc(sizeof(Pair<T>));
  for (int i = 0; i < n; ++i) {
    w = (Pair<T>*)std::realloc((void*)w, sizeof(Pair<T>) * (std::size_t)(i + 1));
    w[i].a = sin(x[i]);
    w[i].tag = i;
    w[i].b = x[i] * w[i / 2].a;
  }
  T s = T(0);
  for (int i = 0; i < n; ++i) s += w[i].a * w[n - 1 - i].b * T(w[i].tag + 1);
  std::free((void*)w);
  return s;
}
template <class T> static T unused(const T* x, int n) {
  T* w = (T*)std::malloc(2 * sizeof(T));
  for (int i = 0; i < 4; ++i)
    if (i == 2) w = (T*)std::realloc((void*)w, 2 * sizeof(T));
  std::free((void*)w);
  return x[0] * x[n - 1];
}

template <class T> static void run(int argc) {
  constexpr int n = 7;
  T x[n];
  double want[n];
  fill(x, n, 330, -1, 1);
  T d[n] = {};
  reference(want, x, n, [&](auto* p) { return doubled(p, n); });
  if (argc <= 1) {
    __enzyme_autodiff<void>((void*)doubled<T>, enzyme_dup, (const T*)x, d, enzyme_const, n);
    check_all("doubled", d, want, n);
  }
  reference(want, x, n, [&](auto* p) { return one_by_one(p, n); });
  if (argc <= 1) {
    std::memset(d, 0, sizeof d);
    __enzyme_autodiff<void>((void*)one_by_one<T>, enzyme_dup, (const T*)x, d, enzyme_const, n);
    check_all("one by one", d, want, n);
  }
  reference(want, x, n, [&](auto* p) { return unused(p, n); });
  if (argc <= 1) {
    std::memset(d, 0, sizeof d);
    __enzyme_autodiff<void>((void*)unused<T>, enzyme_dup, (const T*)x, d, enzyme_const, n);
    check_all("unused", d, want, n);
  }
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
