// NOLANES: it is about batches itself
// NOFASTMATH
// A hundred derivatives one by one, four by four with four shadows each, and four by four with one shadow four times longer:
// equal bit for bit, in forward and reverse mode, for slices and scalars, with the value beside the derivatives.
#include "forward.hpp"
extern int tapefree_width, tapefree_dupv, enzyme_width, enzyme_dupv;

enum { count = 100, step = 4, n = 12 };

static double slices(const double* x, const double* y) {
  double s = 0;
  for (int i = 0; i < n; ++i) s += std::sin(x[i]) * y[n - 1 - i] + x[i] * x[(i + 5) % n];
  return s;
}
static double scalars(double a, double b) { return std::exp(a) * b + a * a / (1 + b * b); }

template <int N> struct Derivatives { double d[N]; };
template <int N> struct WithValue { double value, d[N]; };
template <int N> struct Pair { double da[N], db[N]; };

static double x[n], y[n], dx[count * n], dy[count * n];
static double one[count], four[count], longer[count];

static void same(const char* what, const double* a, const double* b, int m) {
  if (std::memcmp(a, b, sizeof(double) * std::size_t(m)) != 0) check_true(what, false);
}

static void forward_slices() {
  double value = slices(x, y);
  for (int i = 0; i < count; ++i)
    one[i] = __tapefree_fwddiff<double>((void*)slices, tapefree_dup, x, dx + i * n, tapefree_dup, y, dy + i * n);
  for (int i = 0; i < count; i += step) {
    auto r = __tapefree_fwddiff<WithValue<step>>(
        (void*)slices, tapefree_width, 4, tapefree_primal_return, tapefree_dup, x, dx + i * n, dx + (i + 1) * n, dx + (i + 2) * n,
        dx + (i + 3) * n, tapefree_dup, y, dy + i * n, dy + (i + 1) * n, dy + (i + 2) * n, dy + (i + 3) * n);
    check("value", r.value, value, 0);
    std::memcpy(four + i, r.d, sizeof r.d);
    auto l = __enzyme_fwddiff<WithValue<step>>((void*)slices, enzyme_width, 4, enzyme_primal_return, enzyme_dupv,
                                               sizeof(double) * n, x, dx + i * n, enzyme_dupv, sizeof(double) * n, y, dy + i * n);
    check("value, one shadow", l.value, value, 0);
    std::memcpy(longer + i, l.d, sizeof l.d);
  }
  same("forward, slices, four shadows", one, four, count);
  same("forward, slices, one shadow", one, longer, count);
}

static void forward_scalars() {
  double a = 0.3, b = -1.2, value = scalars(a, b);
  for (int i = 0; i < count; ++i)
    one[i] = __enzyme_fwddiff<double>((void*)scalars, enzyme_dup, a, dx[i], enzyme_dup, b, dy[i]);
  for (int i = 0; i < count; i += step) {
    auto r = __enzyme_fwddiff<Derivatives<step>>((void*)scalars, enzyme_width, 4, enzyme_dup, a, dx[i], dx[i + 1], dx[i + 2],
                                                 dx[i + 3], enzyme_dup, b, dy[i], dy[i + 1], dy[i + 2], dy[i + 3]);
    std::memcpy(four + i, r.d, sizeof r.d);
    auto v = __enzyme_fwddiff<WithValue<step>>((void*)scalars, enzyme_width, 4, enzyme_primal_return, enzyme_dup, a, dx[i],
                                               dx[i + 1], dx[i + 2], dx[i + 3], enzyme_dup, b, dy[i], dy[i + 1], dy[i + 2],
                                               dy[i + 3]);
    check("value of scalars", v.value, value, 1e-15);
    same("the value changes nothing", v.d, r.d, step);
  }
  same("forward, scalars", one, four, count);
}

// Seeds differ from lane to lane: each batch of a reverse derivative has four of them.
static void reverse_slices() {
  double gx[count][n], gy[count][n], fx[count][n], fy[count][n], lx[count][n], ly[count][n];
  for (auto* g : {gx, fx, lx}) std::memcpy(g, dx, sizeof dx);
  for (auto* g : {gy, fy, ly}) std::memcpy(g, dy, sizeof dy);
  for (int i = 0; i < count; ++i)
    __enzyme_autodiff<void>((void*)slices, enzyme_dup, x, gx[i], enzyme_dup, y, gy[i], dx[i]);
  double value = slices(x, y);
  for (int i = 0; i < count; i += step) {
    __enzyme_autodiff<void>((void*)slices, enzyme_width, 4, enzyme_dup, x, fx[i], fx[i + 1], fx[i + 2], fx[i + 3], enzyme_dup, y,
                            fy[i], fy[i + 1], fy[i + 2], fy[i + 3], dx[i], dx[i + 1], dx[i + 2], dx[i + 3]);
    double v = __tapefree_autodiff<double>((void*)slices, tapefree_width, 4, tapefree_primal_return, tapefree_dupv, sizeof lx[0],
                                           x, lx[i], tapefree_dupv, sizeof ly[0], y, ly[i], dx[i], dx[i + 1], dx[i + 2],
                                           dx[i + 3]);
    check("value in reverse", v, value, 1e-15);
  }
  same("reverse, slices, four shadows", gx[0], fx[0], count * n);
  same("reverse, second slices, four shadows", gy[0], fy[0], count * n);
  same("reverse, slices, one shadow", gx[0], lx[0], count * n);
  same("reverse, second slices, one shadow", gy[0], ly[0], count * n);
}

static void reverse_scalars() {
  double a = 0.3, b = -1.2;
  for (int i = 0; i < count; i += step) {
    auto four = __tapefree_autodiff<Pair<step>>((void*)scalars, tapefree_width, 4, tapefree_out, a, tapefree_out, b, dx[i],
                                                dx[i + 1], dx[i + 2], dx[i + 3]);
    for (int k = 0; k < step; ++k) {
      auto one = __tapefree_autodiff<Pair<1>>((void*)scalars, tapefree_out, a, tapefree_out, b, dx[i + k]);
      same("reverse, scalars, a", &four.da[k], one.da, 1);
      same("reverse, scalars, b", &four.db[k], one.db, 1);
    }
  }
}

int main() {
  fill(x, n, 1, -1, 1);
  fill(y, n, 2, -1, 1);
  fill(dx, count * n, 3, -1, 1);
  fill(dy, count * n, 4, -1, 1);
  check_true("the reference is no constant", slices(x, y) != slices(y, x));
  forward_slices();
  forward_scalars();
  reverse_slices();
  reverse_scalars();
  return finish();
}
