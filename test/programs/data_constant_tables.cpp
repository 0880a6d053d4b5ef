// Inactive globals: constant tables, a table of structs, a mutable global scale, a static const local.
#include "support.hpp"

struct Term { int power; double factor; };
static const double kNodes[4] = {-0.861136, -0.339981, 0.339981, 0.861136};
static const float kWeights[4] = {0.347855f, 0.652145f, 0.652145f, 0.347855f};
static constexpr Term kTerms[] = {{0, 0.5}, {2, -1.25}, {3, 0.125}, {1, 2.0}};
double global_scale = 1.5;
static int global_order[4] = {2, 0, 3, 1};

template <class T> static T f(const T* x, int n) {
  static const int map[8] = {7, 6, 1, 0, 2, 3, 5, 4};
  T s = T(0);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 4; ++k) {
      T at = x[map[i]] * T(kNodes[global_order[k]]) + T(1);
      T p = T(kTerms[k].factor);
      for (int j = 0; j < kTerms[k].power; ++j) p *= at;
      s += T(kWeights[k]) * p * T(global_scale);
    }
  return s;
}

template <class T> static void run(int argc, int n) {
  T x[8], dx[8] = {};
  double want[8];
  fill(x, 8, 217, -1, 1);
  reference(want, x, 8, [&](auto* p) { return f(p, n); });
  if (argc > 1) return;
  __tapefree_autodiff<void>((void*)f<T>, tapefree_dup, (const T*)x, dx, tapefree_const, n);
  check_all("dx", dx, want, 8);
}

int main(int argc, char**) {
  run<double>(argc, 8);
  run<float>(argc, 8);
  run<double>(argc, 3);
  run<float>(argc, 3);
  return finish();
}
