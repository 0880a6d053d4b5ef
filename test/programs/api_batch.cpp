// NOLANES: the typed interface
// The typed API with several lanes: separate, strided and interleaved shadows, and lanes of scalars.
#include "../programs/support.hpp"
#include <tapefree/tapefree.hpp>
namespace tf = tapefree;

static double square(double x) { return x * x; }
static double product(double x, const double &y) { return x * y * y; }
static void two_sums(const double *w, double *out, int n) {
  out[0] = out[1] = 0;
  for (int i = 0; i < n; ++i) {
    out[0] += w[i] * w[i];
    out[1] += w[i] * w[i] * w[i];
  }
}

int main() {
  double w[3] = {1, 2, 3};
  {
    double d0[3] = {}, d1[3] = {}, out[2] = {}, s0[2] = {1, 0}, s1[2] = {0, 1};
    tf::batch<2>::gradient(two_sums, tf::dup(w, d0, d1), tf::dup(out, s0, s1), tf::constant(3));
    for (int i = 0; i < 3; ++i) {
      check("separate 0", d0[i], 2 * w[i]);
      check("separate 1", d1[i], 3 * w[i] * w[i]);
    }
  }
  {
    double d[2][3] = {}, out[2] = {}, s[2][2] = {{1, 0}, {0, 1}};
    tf::batch<2>::gradient<two_sums>(tf::dupv(w, d[0], sizeof d[0]), tf::dupv(out, s[0], sizeof s[0]), tf::constant(3));
    for (int i = 0; i < 3; ++i) {
      check("strided 0", d[0][i], 2 * w[i]);
      check("strided 1", d[1][i], 3 * w[i] * w[i]);
    }
  }
  {
    double d[3][2] = {}, out[2] = {}, s[2][2] = {{1, 0}, {0, 1}};
    tf::batch<2>::gradient(two_sums, tf::dup_interleaved(w, d[0]), tf::dup_interleaved(out, s[0]), tf::constant(3));
    for (int i = 0; i < 3; ++i) {
      check("interleaved 0", d[i][0], 2 * w[i]);
      check("interleaved 1", d[i][1], 3 * w[i] * w[i]);
    }
  }
  {
    auto lanes = tf::batch<4>::derivative(square, tf::dup(3.0, 1.0, 2.0, 3.0, 4.0));
    for (int k = 0; k < 4; ++k)
      check("tangents", lanes[k], 6.0 * (k + 1));
    auto [dx, dy] = tf::batch<4>::gradient(product, tf::active(3.0), tf::active(4.0));
    for (int k = 0; k < 4; ++k) {
      check("active value", dx[k], 16);
      check("active reference", dy[k], 24);
    }
  }
  return finish();
}
