// A marked loop of marked loops, in a loop that is not marked, in a function that is called, with code before and behind
// that changes the state; memory made in each step; and forward mode, for which marks are nothing.
// SANITIZE: address
// NOLANES: forward mode, too
#include "support.hpp"
extern "C" void __tapefree_checkpoint(int);
template <class R, class... A> R __enzyme_fwddiff(void*, A...);

constexpr int kSize = 5;

template <bool Marked, class T> static void days(T* u, const T* c, int hours, int n, int snapshots) {
  for (int d = 0; d < n; ++d) {
    if (Marked) __tapefree_checkpoint(snapshots);
    for (int h = 0; h < hours; ++h) {
      if (Marked) __tapefree_checkpoint(2);
      for (int i = 0; i < kSize; ++i) u[i] += T(0.05) * sin(u[i] * c[i]);
    }
    T* tmp = (T*)malloc(kSize * sizeof(T));
    for (int i = 0; i < kSize; ++i) tmp[i] = u[i] * u[(i + 1) % kSize];
    for (int i = 0; i < kSize; ++i) u[i] = T(0.7) * u[i] + T(0.1) * tmp[i];
    free(tmp);
  }
}
template <bool Marked, class T> static T years(const T* x, int hours, int n, int snapshots) {
  T u[kSize];
  for (int i = 0; i < kSize; ++i) u[i] = x[i] * x[i];
  for (int y = 0; y < 3; ++y) {
    for (int i = 0; i < kSize; ++i) u[i] = exp(-u[i]) + T(y);
    days<Marked>(u, x + kSize, hours, n, snapshots);
    for (int i = 0; i < kSize; ++i) u[i] = u[i] * u[i] * T(0.3);
  }
  T s = T(0);
  for (int i = 0; i < kSize; ++i) s += u[i] * u[i];
  return s;
}

static void run(int hours, int n, int snapshots) {
  double x[2 * kSize], dx[2 * kSize] = {}, plain[2 * kSize] = {}, want[2 * kSize];
  fill(x, 2 * kSize, 8, 0.3, 0.9);
  reference(want, x, 2 * kSize, [&](auto* p) { return years<false>(p, hours, n, snapshots); });
  __enzyme_autodiff<void>((void*)years<true, double>, enzyme_dup, (const double*)x, dx, enzyme_const, hours, enzyme_const, n, enzyme_const, snapshots);
  __enzyme_autodiff<void>((void*)years<false, double>, enzyme_dup, (const double*)x, plain, enzyme_const, hours, enzyme_const, n, enzyme_const, snapshots);
  check_all("dual", dx, want, 2 * kSize);
  check_all("as without", dx, plain, 2 * kSize, 1e-12);
  double direction[2 * kSize] = {};
  direction[1] = 1;
  check("forward", __enzyme_fwddiff<double>((void*)years<true, double>, enzyme_dup, (const double*)x, (const double*)direction,
                                            enzyme_const, hours, enzyme_const, n, enzyme_const, snapshots), want[1]);
}

int main() {
  for (int hours : {0, 1, 5})
    for (int n : {0, 1, 6})
      for (int snapshots : {1, 3, 20}) run(hours, n, snapshots);
  return finish();
}
