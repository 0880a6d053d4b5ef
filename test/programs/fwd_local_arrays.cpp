// Local arrays: fixed, of variable length (outside and inside loops), of structs, of pointers, and constant tables.
#include "forward.hpp"

template <class T> static T fixed(const T* x, int n) {
  T a[8][3], s = T(0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 3; ++j) a[i][j] = j ? a[i][j - 1] * x[i] : x[(i + 1) % n];
  for (int i = 0; i < n; ++i) s += a[i][2] * a[n - 1 - i][1];
  return s;
}
template <class T> static T variable(const T* x, int n) {
  T a[n], s = T(0);
  for (int i = 0; i < n; ++i) a[i] = sin(x[i]) * x[n - 1 - i];
  for (int i = 0; i < n; ++i) s += a[i] * a[(i + 2) % n];
  return s;
}
template <class T> static T variable_in_loop(const T* x, int n) {
  T s = x[0];
  for (int r = 1; r < n; ++r) {
    T a[r];
    for (int i = 0; i < r; ++i) a[i] = x[i] * s + x[r];
    s = T(0);
    for (int i = 0; i < r; ++i) s += a[i] * a[r - 1 - i] * T(0.5);
  }
  return s;
}
template <class T> static T pointers(const T* x, int n) {
  T a[4], b[4];
  T* both[2] = {a, b};
  for (int i = 0; i < 4; ++i) both[i % 2][i] = x[i % n], both[1 - i % 2][i] = x[i % n] * x[0];
  T s = T(0);
  for (int i = 0; i < 8; ++i) s = s * T(0.75) + both[i / 4][i % 4] * T(i + 1);
  return s;
}
template <class T> static T tables(const T* x, int n) {
  static const double weight[4] = {0.5, -1, 2, 0.25};
  T local[4] = {T(1), T(2), T(3), T(4)}, s = T(0); // starts without a derivative
  for (int i = 0; i < n; ++i) s += x[i] * T(weight[i % 4]) * local[i % 4];
  local[1] = x[0] * x[0];
  local[2] = T(7); // and loses one
  local[3] = s;
  local[3] = T(1);
  for (int i = 0; i < 4; ++i) s = s * local[i] + T(weight[i]);
  return s;
}

template <class T> static void run(int argc) {
  T x[7], dx[7];
  fill(x, 7, 71, 0.2, 1);
  direction(dx, 7, 72);
#define EACH(X) X(fixed) X(variable) X(variable_in_loop) X(pointers) X(tables)
#define TEST(f)                                                                                                     \
  for (int n : {1, 2, 7}) {                                                                                         \
    auto w = tangent(x, dx, n, [&](auto* p) { return f(p, n); });                                                   \
    auto call = [&] { return __tapefree_fwddiff<T>((void*)f<T>, tapefree_dup, (const T*)x, (const T*)dx, tapefree_const, n); }; \
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
