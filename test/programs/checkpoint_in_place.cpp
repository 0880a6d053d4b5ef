// Steps that update the caller's state in place (Gauss-Seidel sweeps with a scalar parameter), with scratch that each
// step fills before it reads it; the state is an input and an output.
// SANITIZE: address
#include "support.hpp"
extern "C" void __tapefree_checkpoint(int);

template <bool Marked, class T> static void relax(T* u, T* scratch, const T* load, T w, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    if (Marked) __tapefree_checkpoint(3);
    for (int i = 0; i < n; ++i) scratch[i] = load[i] * u[i];
    for (int i = 1; i + 1 < n; ++i) u[i] += w * (scratch[i] + u[i - 1] * u[i + 1] - T(0.9) * u[i]);
  }
}

static void run(int n, int steps, bool overlap) {
  double u0[16], load0[16], w = 0.21, seed[16], u[2][32], s[2][16], load[2][16], du[2][32], ds[2][16] = {}, dload[2][16] = {}, dw[2];
  fill(u0, n, 5, 0.2, 0.8);
  fill(load0, n, 6, 0.1, 0.5);
  fill(seed, n, 7, -1, 1);
  for (int k = 0; k < 2; ++k) {
    for (int i = 0; i < n; ++i) u[k][i] = u0[i], du[k][i] = seed[i], load[k][i] = load0[i], s[k][i] = 0;
    for (int i = n; i < 32; ++i) u[k][i] = du[k][i] = 0;
    // Scratch that overlaps with the state is state.
    double *scratch = overlap ? u[k] + n / 2 : s[k], *dscratch = overlap ? du[k] + n / 2 : ds[k];
    if (k == 0)
      dw[k] = __enzyme_autodiff<double>((void*)relax<false, double>, enzyme_dup, u[k], du[k], enzyme_dup, scratch, dscratch, enzyme_dup,
                                        load[k], dload[k], enzyme_out, w, enzyme_const, n, enzyme_const, steps);
    else
      dw[k] = __enzyme_autodiff<double>((void*)relax<true, double>, enzyme_dup, u[k], du[k], enzyme_dup, scratch, dscratch, enzyme_dup,
                                        load[k], dload[k], enzyme_out, w, enzyme_const, n, enzyme_const, steps);
  }
  check("dw", dw[1], dw[0], 1e-12);
  check_all("u", u[1], u[0], 32, 1e-13);
  check_all("scratch", s[1], s[0], n, 1e-13);
  check_all("du", du[1], du[0], 32, 1e-12);
  check_all("dscratch", ds[1], ds[0], n, 1e-12);
  check_all("dload", dload[1], dload[0], n, 1e-12);
  // Against dual numbers, of the whole by a weighted sum of the final state.
  if (overlap) return;
  double x[33], want[33];
  for (int i = 0; i < n; ++i) x[i] = u0[i], x[n + i] = load0[i];
  x[2 * n] = w;
  reference(want, x, 2 * n + 1, [&](auto* p) {
    std::remove_reference_t<decltype(*p)> tmp[16];
    relax<false>(p, tmp, p + n, p[2 * n], n, steps);
    auto sum = p[0] * seed[0];
    for (int i = 1; i < n; ++i) sum += p[i] * seed[i];
    return sum;
  });
  check_all("dual du", du[1], want, n);
  check_all("dual dload", dload[1], want + n, n);
  check("dual dw", dw[1], want[2 * n]);
}

int main() {
  for (int steps : {0, 1, 2, 3, 4, 9, 40})
    for (bool overlap : {false, true}) {
      run(16, steps, overlap);
      run(3, steps, overlap);
    }
  run(1, 6, false);
  return finish();
}
