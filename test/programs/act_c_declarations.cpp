// NOLANES: its own C declarations
// The C spellings: variadic prototypes with a suffix of one's own, markers by address, extern "C", function pointers.
#include "support.hpp"

extern "C" {
double __enzyme_autodiff_square(void*, ...);
void __enzyme_autodiff_many(...);
double __tapefree_autodiff_named(void*, ...);
}
extern float __enzyme_autodiff_float(void*, float);

static double square(double x) { return x * x; }
extern "C" double named(double x, double y) { return x * x * y; }
static float root(float x) { return sqrtf(x); }
static void scale(double* x, double by, int n) {
  for (int i = 0; i < n; ++i) x[i] *= by * x[i];
}

int main(int argc, char**) {
  if (argc > 1) return finish();
  check("variadic", __enzyme_autodiff_square((void*)square, 3.5), 7);
  check("function name", __enzyme_autodiff_square((void*)&square, enzyme_out, -1.5), -3);
  check("named", __tapefree_autodiff_named((void*)named, tapefree_out, 3.0, tapefree_const, 2.0), 12);
  check("float", __enzyme_autodiff_float((void*)root, 4.0f), 0.25, 1e-6);
  double x[3] = {1, 2, 3}, dx[3] = {1, 10, 100};
  __enzyme_autodiff_many((void*)scale, enzyme_dup, x, dx, enzyme_const, 0.5, 3);
  for (int i = 0; i < 3; ++i) check("scale", dx[i], (i == 0 ? 1 : i == 1 ? 10 : 100) * (i + 1.0));
  check("marker by address", __enzyme_autodiff<double>((void*)named, &enzyme_const, 3.0, &enzyme_out, 2.0), 9);
  check("marker by address", __tapefree_autodiff<double>((void*)square, &tapefree_out, 0.5), 1);
  return finish();
}
