// Zero tangents stay zero through infinite slopes, on paths taken and not taken.
// NOFASTMATH
#include "forward.hpp"

static double root(double x) { return std::sqrt(x); }
static double guarded(double x) { return x > 0 ? std::sqrt(x) : 2 * x; }
static double power(double x, double y) { return std::pow(x, y); }
static double logs(double x, double y) { return x > 0 ? x * std::log(x) + y : 3 * y; }
static double wasted(double x, double y) {
  double angle = std::acos(x * 10);
  (void)angle;
  return x * x * y;
}
static double ratio(double x, double y) { return x / y; }

int main() {
  volatile double zero = 0, one = 1, two = 2, neg = -2, inf = INFINITY;
  check("root", __enzyme_fwddiff<double>((void*)root, (double)zero, (double)zero), 0, 0);
  check_true("slope of root", __enzyme_fwddiff<double>((void*)root, (double)zero, 1.0) == INFINITY);
  check("guarded at 0", __enzyme_fwddiff<double>((void*)guarded, (double)zero, 1.0), 2, 0);
  check("guarded below", __enzyme_fwddiff<double>((void*)guarded, (double)neg, 1.0), 2, 0);
  check("0^2", __enzyme_fwddiff<double>((void*)power, (double)zero, 1.0, enzyme_const, (double)two), 0, 0);
  check("0^1 both", __enzyme_fwddiff<double>((void*)power, (double)zero, 1.0, (double)one, 1.0), 1, 0);
  check("(-2)^3, base", __enzyme_fwddiff<double>((void*)power, (double)neg, 1.0, 3.0, 0.0), 12, 1e-12);
  check("logs at 0", __enzyme_fwddiff<double>((void*)logs, (double)zero, 1.0, (double)two, 1.0), 3, 0);
  check("unused NaN", __enzyme_fwddiff<double>((void*)wasted, (double)two, 1.0, (double)one, 0.5), 6, 1e-12);
  check("1/inf", __enzyme_fwddiff<double>((void*)ratio, 1.0, 1.0, (double)inf, 0.0), 0, 0);
  check("0/0 with zero tangents", __enzyme_fwddiff<double>((void*)ratio, (double)zero, 0.0, (double)zero, 0.0), 0, 0);
  return finish();
}
