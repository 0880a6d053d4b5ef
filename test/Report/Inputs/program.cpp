// What report.test reports on: its lines are counted there.
#include "../../Remarks/Inputs/autodiff.h"

template <class T> struct Layer {
  const T *x;
  T *z; // <b>"marked up" & 'quoted'</b>
  void forward(int n) {
    for (int i = 0; i < n; ++i)
      z[i] = x[i] * x[i];
  }
};
static void both(Layer<double> &l, int n) { l.forward(n); }
void net(Layer<double> *l, int n) {
	both(*l, n); // a tab
}
double tree(const double *x, int n) {
  return n < 2 ? x[0] : tree(x, n / 2) * tree(x + n / 2, n - n / 2);
}
double few(double x) {
  double y = 1;
  for (int i = 0; i < 100; ++i)
    y = y * y + x;
  return y;
}
double nothing(double x) { return x * x; }
void square(const double *x, double *z, int n) {
  for (int i = 0; i < n; ++i)
    z[i] = x[i] * x[i];
}

void gradients(Layer<double> *l, Layer<double> *dl, double *x, double *dx, int n) {
  __tapefree_autodiff((void *)net, tapefree_dup, l, dl, tapefree_const, n);
  __tapefree_autodiff((void *)tree, tapefree_dup, x, dx, tapefree_const, n);
  __tapefree_autodiff((void *)few, tapefree_out, 1.0);
  __tapefree_autodiff((void *)nothing, tapefree_out, 1.0);
  __tapefree_autodiff((void *)square, tapefree_dup, x, dx, tapefree_dup, x, dx, tapefree_const, n);
}
