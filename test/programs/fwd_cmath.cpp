// Every function of <cmath> that the library promises, in double and float, one tangent each and in a chain.
#include "cmath_list.hpp"
#include "forward.hpp"

#define DEFINE(name, expr, at) template <class T> static T one_##name(T x) { return expr; }
#define DEFINE2(name, expr, at, bt) template <class T> static T two_##name(T x, T y) { return expr; }
LIST(DEFINE)
LIST2(DEFINE2)

template <class T> static void run(int argc) {
#define TEST(name, expr, at)                                                                          \
  {                                                                                                   \
    volatile T hidden = T(at);                                                                        \
    T x[1] = {hidden}, dx[1] = {T(1.5)};                                                              \
    auto w = tangent(x, dx, 1, [](auto* p) { return one_##name(p[0]); });                             \
    if (argc == 1) check(#name, __enzyme_fwddiff<T>((void*)one_##name<T>, x[0], dx[0]), w.tangent, kTolerance<T>); \
  }
#define TEST2(name, expr, at, bt)                                                                     \
  {                                                                                                   \
    volatile T hidden = T(at);                                                                        \
    T x[2] = {hidden, T(bt)};                                                                         \
    for (int mask = 1; mask < 4; ++mask) {                                                            \
      T dx[2] = {mask & 1 ? T(0.5) : T(0), mask & 2 ? T(-2) : T(0)};                                  \
      auto w = tangent(x, dx, 2, [](auto* p) { return two_##name(p[0], p[1]); });                     \
      if (argc == 1)                                                                                  \
        check(#name, __enzyme_fwddiff<T>((void*)two_##name<T>, x[0], dx[0], x[1], dx[1]), w.tangent, kTolerance<T>); \
    }                                                                                                 \
  }
  LIST(TEST)
  LIST2(TEST2)
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
