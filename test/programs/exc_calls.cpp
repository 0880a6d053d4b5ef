// SOURCES: exc_calls_other.cc
// LANES: 0 1
// Calls that may return or throw, of functions that nobody sees: with and without objects that are alive, in loops,
// through catch (...) that throws again, out of noexcept destructors, and arrays of variable length.
#include "forward.hpp"
#include <string>
#include <vector>

void may_throw(int i);   // throws i if it is the chosen one
extern int chosen, logged; // what throws, and how often the others were called

static int alive = 0;
struct Scope {
  Scope() { ++alive; }
  ~Scope() { --alive; }
};

double plain(const double *x, int n) { // nothing of the primal to clean up, but kept values
  double y = 1;
  for (int i = 0; i < n; ++i) {
    y = sin(y * x[i]) + x[i];
    may_throw(i);
  }
  return y;
}
double objects(const double *x, int n) {
  std::vector<double> a(n);
  std::string name = "a name that does not fit into the string itself";
  double y = 1;
  for (int i = 0; i < n; ++i) {
    Scope s;
    std::vector<double> b(i + 1, x[i]);
    may_throw(i);
    for (double v : b)
      y = y * cos(v * y) + v;
    a[i] = y * double(name.size() > 3);
    name += "x";
  }
  may_throw(100);
  for (double v : a)
    y += v * v;
  return y;
}
double again(const double *x, int n) {
  double *p = (double *)malloc(n * sizeof(double)), y = 0;
  try {
    for (int i = 0; i < n; ++i) {
      p[i] = x[i] * x[i] * (y + 1);
      may_throw(i);
      y += p[i] * p[i];
    }
  } catch (...) {
    free(p);
    throw;
  }
  free(p);
  return y;
}
double arrays(const double *x, int n) { // arrays of variable length that are made in a loop
  double y = 1;
  for (int i = 0; i < n; ++i) {
    double a[i + 1];
    for (int j = 0; j <= i; ++j)
      a[j] = x[j] * y;
    may_throw(i);
    for (int j = 0; j <= i; ++j)
      y += a[j] * a[j] * 0.1;
  }
  return y;
}
static double inside(const double *x, int i) noexcept {
  Scope s;
  std::vector<double> a(2, x[i]);
  may_throw(50); // never
  return a[0] * a[1];
}
double guarded(const double *x, int n) {
  double y = 0;
  for (int i = 0; i < n; ++i) {
    y += inside(x, i) * sin(y + 1);
    may_throw(i);
  }
  return y;
}
double steps(const double *x, int n) { // as many iterations as data says
  double y = x[0];
  int k = 0;
  while (y < 50 && k < 10000) {
    y += x[k % n] * y * 0.1 + 0.01;
    if (k % 7 == 6)
      may_throw(k / 7);
    ++k;
  }
  return y * y;
}

template <auto *f> void compare(const char *what, double *x, int n) {
  double dx[6] = {}, want[6], tx[6] = {1, -1, 2, 0.5, 3, -2}, along = 0;
  chosen = -1;
  for (int i = 0; i < n; ++i) {
    double at = x[i], h = 1e-6;
    x[i] = at + h;
    double up = f(x, n);
    x[i] = at - h;
    want[i] = (up - f(x, n)) / (2 * h);
    x[i] = at;
    along += want[i] * tx[i];
  }
  int before = logged;
  f(x, n);
  int times = logged - before;
  __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, n);
  check_all(what, dx, want, n, 1e-6);
  check("calls", logged - before, 2 * times);
  check(what, __enzyme_fwddiff<double>((void *)f, enzyme_dup, x, tx, enzyme_const, n), along, 1e-6);
  for (chosen = 0; chosen < n; ++chosen) {
    int caught = -1;
    try {
      __enzyme_autodiff<void>((void *)f, enzyme_dup, x, dx, enzyme_const, n);
    } catch (int k) {
      caught = k;
    }
    check(what, caught, chosen);
    caught = -1;
    try {
      __enzyme_fwddiff<double>((void *)f, enzyme_dup, x, tx, enzyme_const, n);
    } catch (int k) {
      caught = k;
    }
    check(what, caught, chosen);
    check("alive", alive, 0);
  }
  check_all("untouched", dx, want, n, 1e-6);
}

int main() {
  double x[6] = {0.3, 0.5, 0.7, 0.2, 0.9, 0.4};
  compare<plain>("plain", x, 6);
  compare<objects>("objects", x, 6);
  compare<again>("again", x, 6);
  compare<arrays>("arrays", x, 6);
  compare<guarded>("guarded", x, 6);
  compare<steps>("steps", x, 5);
  return finish();
}
