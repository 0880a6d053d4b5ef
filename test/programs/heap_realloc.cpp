// A buffer that grows by realloc while active values are appended, read and overwritten between growths.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  int capacity = 2, size = 0;
  T* data = (T*)std::malloc(sizeof(T) * capacity);
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    if (size == capacity) {
      capacity = capacity * 3 / 2 + 1;
      data = (T*)std::realloc(data, sizeof(T) * capacity);
    }
    data[size] = x[i] * x[i];
    if (size > 0) data[size] += data[size - 1] * x[i];
    ++size;
    s += data[size / 2];
  }
  for (int i = 0; i < size; ++i) s += data[i] * x[size - 1 - i];
  std::free(data);
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[11], dx[11] = {};
  double want[11];
  fill(x, 11, 303, -1, 1);
  reference(want, x, 11, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __enzyme_autodiff<void>((void*)f<T>, enzyme_dup, (const T*)x, dx, enzyme_const, n);
  check_all("dx", dx, want, 11);
}

int main(int argc, char**) {
  run<double>(argc, 11);
  run<float>(argc, 11);
  run<double>(argc, 1);
  run<float>(argc, 1);
  run<double>(argc, 4);
  run<float>(argc, 4);
  return finish();
}
