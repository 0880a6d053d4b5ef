// double**: rows behind pointers, rows that share storage, rows swapped by exchanging the pointers inside the function.
#include "support.hpp"

template <class T> static T f(T** row, int n, int m) {
  T s = T(0);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < m; ++j) s += row[i][j] * row[(i + 1) % n][m - 1 - j];
  for (int i = 0; i + 1 < n; ++i) {
    T* t = row[i];                                     // rotate the rows
    row[i] = row[i + 1];
    row[i + 1] = t;
    for (int j = 0; j < m; ++j) row[i][j] = row[i][j] * row[i + 1][j] + s * T(0.1);
  }
  for (int j = 0; j < m; ++j) s += sin(row[n - 1][j]) * row[0][j];
  return s;
}

template <class T> static void run(int argc) {
  constexpr int n = 4, m = 3;
  T x[n * m], dx[n * m] = {};
  double want[n * m];
  fill(x, n * m, 212, -1, 1);
  for (int shared = 0; shared < 2; ++shared) {         // with shared, row 3 is row 1
    reference(want, x, n * m, [&](auto* p) {
      std::remove_reference_t<decltype(p)> row[n];
      for (int i = 0; i < n; ++i) row[i] = p + m * i;
      if (shared) row[3] = row[1];
      return f(row, n, m);
    });
    if (argc > 1) continue;
    T y[n * m], *row[n], *drow[n];
    std::memcpy(y, x, sizeof y);
    std::memset(dx, 0, sizeof dx);
    for (int i = 0; i < n; ++i) row[i] = y + m * i, drow[i] = dx + m * i;
    if (shared) row[3] = row[1], drow[3] = drow[1];
    __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (T**)row, (T**)drow, enzyme_const, n, enzyme_const, m);
    check_all(shared ? "dx shared" : "dx", dx, want, n * m);
  }
}

int main(int argc, char**) {
  run<double>(argc);
  run<float>(argc);
  return finish();
}
