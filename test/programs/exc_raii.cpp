// Objects whose destructors release memory, write a log, and are alive when an exception is thrown; blocks that
// the primal has released already, and blocks that it gives to its caller.
#include "forward.hpp"
#include <stdexcept>

static int alive = 0;
struct Buffer {
  double *data;
  explicit Buffer(int n) : data(new double[n]) { ++alive; }
  ~Buffer() {
    delete[] data;
    --alive;
  }
  Buffer(const Buffer &) = delete;
};
struct Failure {
  double value;
  int where;
};

double work(const double *x, int n, double limit) {
  Buffer a(n);
  double sum = 0;
  for (int i = 0; i < n; ++i)
    a.data[i] = x[i] * x[i];
  for (int i = 0; i < n; ++i) {
    Buffer b(2 + i); // one for each iteration
    for (int j = 0; j < 2 + i; ++j)
      b.data[j] = a.data[i] * x[j % n];
    for (int j = 0; j < 2 + i; ++j)
      sum += b.data[j] * b.data[j] * a.data[j % n];
    if (sum > limit)
      throw Failure{sum, i};
  }
  {
    Buffer c(1);
    c.data[0] = sum * x[0];
    sum += c.data[0] * c.data[0];
  }
  if (sum > 0.9 * limit)
    throw Failure{sum, -1};
  return sum;
}

static double *made(const double *x, int n, double limit) { // a block that the caller would get
  double *y = new double[n];
  try {
    for (int i = 0; i < n; ++i) {
      y[i] = exp(x[i]);
      if (y[i] > limit)
        throw 1;
    }
  } catch (...) {
    delete[] y;
    throw;
  }
  return y;
}
double returned(const double *x, int n, double limit) {
  double *y = made(x, n, limit), sum = 0;
  for (int i = 0; i < n; ++i)
    sum += y[i] * x[i];
  delete[] y;
  return sum;
}

template <auto *f> void compare(const char *what, const double *x, int n, double limit) {
  double dx[5] = {}, want[5], along = 0, tx[5] = {1, -2, 3, 0.5, 1};
  for (int i = 0; i < n; ++i) {
    double y[5], h = 1e-6;
    memcpy(y, x, sizeof y);
    y[i] = x[i] + h;
    double up = f(y, n, limit);
    y[i] = x[i] - h;
    want[i] = (up - f(y, n, limit)) / (2 * h);
    along += want[i] * tx[i];
  }
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, n, enzyme_const, limit);
  check_all(what, dx, want, n, 1e-6);
  check(what, __enzyme_fwddiff<double>((void *)f, enzyme_dup, x, tx, enzyme_const, n, enzyme_const, limit), along,
        1e-6);
}

int main() {
  double x[5] = {0.3, 0.5, 0.7, 0.2, 0.9}, dx[5] = {}, tx[5] = {1, 1, 1, 1, 1};
  compare<work>("work", x, 5, 1e9);
  compare<returned>("returned", x, 5, 1e9);
  double all = work(x, 5, 1e9);
  int caught = 0;
  for (double limit : {1e-3, 0.05, 0.1, all * 0.999, all * 1.05}) {
    double want = 0;
    int where = 0;
    try {
      work(x, 5, limit);
    } catch (const Failure &f) {
      want = f.value;
      where = f.where;
    }
    try {
      __enzyme_autodiff<void>((void *)work, enzyme_dup, x, dx, enzyme_const, 5, enzyme_const, limit);
    } catch (const Failure &f) {
      check("value", f.value, want);
      check("where", f.where, where);
      ++caught;
    }
    check("destroyed", alive, 0);
    try {
      __enzyme_fwddiff<double>((void *)work, enzyme_dup, x, tx, enzyme_const, 5, enzyme_const, limit);
    } catch (const Failure &f) {
      check("value", f.value, want);
      ++caught;
    }
    check("destroyed", alive, 0);
  }
  check("caught", caught, 10);
  for (double limit : {1.0, 2.0}) {
    try {
      __enzyme_autodiff<void>((void *)returned, enzyme_dup, x, dx, enzyme_const, 5, enzyme_const, limit);
    } catch (int) {
      ++caught;
    }
    try {
      __enzyme_fwddiff<double>((void *)returned, enzyme_dup, x, tx, enzyme_const, 5, enzyme_const, limit);
    } catch (int) {
      ++caught;
    }
  }
  check("caught", caught, 14);
  for (double v : dx)
    check("no gradient of what was left", v, 0);
  return finish();
}
