// NOLANES: the typed interface, or batches themselves
// Batches of spans with checked lengths, values beside lanes of derivatives, jvp, and dup_noneedv.
#include "support.hpp"
#include <tapefree/tapefree.hpp>
#include <vector>
namespace tf = tapefree;

static double square(double x) { return x * x; }
static void two_sums(const double *w, double *out, int n) {
  out[0] = out[1] = 0;
  for (int i = 0; i < n; ++i) {
    out[0] += w[i] * w[i];
    out[1] += w[i] * w[i] * w[i];
  }
}
static double weighted(const double *w, const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += w[i] * w[i] * x[i];
  return s;
}

int main() {
  const int n = 3;
  const std::vector<double> w{1, 2, 3};
  {
    std::vector<double> dw(2 * n), out(2), seeds{1, 0, 0, 1};
    tf::batch<2>::gradient(two_sums, tf::dupv(w, dw), tf::dup_noneedv(out, seeds), tf::constant(n));
    for (int i = 0; i < n; ++i) {
      check("first", dw[i], 2 * w[i]);
      check("second", dw[n + i], 3 * w[i] * w[i]);
    }
  }
  {
    std::vector<double> dw{1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 1}, x{4, 5, 6};
    auto d = tf::batch<4>::jvp(weighted, tf::dupv(w, dw), tf::constant(x.data()), tf::constant(n));
    auto [value, slopes] = tf::batch<4>::value_and_derivative(weighted, tf::dup_noneedv(w.data(), dw.data(), n * sizeof(double)),
                                                              tf::constant(x.data()), tf::constant(n));
    check("value", value, 4 + 20 + 54);
    for (int k = 0; k < 4; ++k) {
      double want = 0;
      for (int i = 0; i < n; ++i)
        want += 2 * w[i] * x[i] * dw[k * n + i];
      check("jvp", d[k], want);
      check("beside the value", slopes[k], want);
    }
    auto [nine, twice] = tf::batch<2>::value_and_derivative<square>(tf::dup(3.0, 1.0, 2.0));
    check("scalar", nine + 100 * twice[0] + 10000 * twice[1], 9 + 600 + 120000);
  }
  return finish();
}
