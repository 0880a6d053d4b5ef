// calloc and malloc of changing size in a loop, freed in the same iteration, with an early continue.
#include "support.hpp"

template <class T> static T f(const T* x, int n) {
  T s = T(0);
  for (int i = 0; i < n; ++i) {
    T* sum = (T*)std::calloc(i + 2, sizeof(T));
    for (int j = 0; j <= i; ++j) sum[j + 1] = sum[j] + x[j] * x[i] * T(0.5);
    s = s * T(0.5) + sum[i + 1] * sum[i + 1];
    if (x[i] > T(0.2)) {
      std::free(sum);
      continue;
    }
    T* copy = (T*)std::malloc(sizeof(T) * (i + 2));
    for (int j = 0; j < i + 2; ++j) copy[j] = sum[i + 1 - j] * s;
    std::free(sum);
    s += sin(copy[i / 2]) * copy[0];
    std::free(copy);
  }
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[7], dx[7] = {};
  double want[7];
  fill(x, 7, 302, -1, 1);
  reference(want, x, 7, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, 7);
}

int main(int argc, char**) {
  run<double>(argc, 7);
  run<float>(argc, 7);
  run<double>(argc, 2);
  run<float>(argc, 2);
  return finish();
}
