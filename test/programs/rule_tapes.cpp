// NOLANES: the augmented functions of this spelling are given shadows
// Registered gradients in the spelling that Enzyme's users know: three entries, the augmented one leaves a tape.
#include "forward.hpp"

extern "C" {
int augmented_runs, reverse_runs;

// Nothing returned, a pointer for a tape.
NOINLINE void square(const double* x, double* out) { *out = *x * *x; }
void* square_augmented(const double* x, const double*, double* out, double*) {
  ++augmented_runs;
  double* tape = (double*)malloc(sizeof(double));
  *tape = *x;
  *out = *x * *x;
  return tape;
}
void square_reverse(const double*, double* dx, const double*, double* dout, void* tape) {
  ++reverse_runs;
  *dx += 2 * *(double*)tape * *dout;
  *dout = 0;
  free(tape);
}
void* __enzyme_register_gradient_square[] = {(void*)square, (void*)square_augmented, (void*)square_reverse};

// A result and a tape.
double cube(double x) { return x * x * x; }
struct Left { double tape, result; };
Left cube_augmented(double x) { return {3 * x * x, x * x * x}; }
double cube_reverse(double, double seed, double tape) { return seed * tape; }
void* __enzyme_register_gradient_cube[] = {(void*)cube, (void*)cube_augmented, (void*)cube_reverse};

// A result, and no tape.
float half(float x) { return x / 2; }
float half_augmented(float x) { return x / 2; }
float half_reverse(float, float seed) { return seed / 2; }
void* __enzyme_register_gradient_half[3] = {(void*)half, (void*)half_augmented, (void*)half_reverse};
}

double f(const double* x, int n) {
  double s = 0, y = 1;
  for (int i = 0; i < n; ++i) {
    double z;
    y = y * 0.5 + x[i];
    square(&y, &z);
    s += cube(z) * half((float)x[i]);
    for (int k = 0; k < i; ++k) s += cube(s * 0.1);
  }
  return s;
}

int main(int argc, char**) {
  enum { n = 4 };
  double x[n], dx[n] = {};
  fill(x, n, 33, 0.2, 0.8);
  if (argc > 1) return 0;
  __enzyme_autodiff<void>((void*)f, enzyme_dup, (const double*)x, dx, enzyme_const, (int)n);
  check("augmented runs", augmented_runs, n);
  check("reverse runs", reverse_runs, n);
  for (int i = 0; i < n; ++i) {
    double at = x[i], h = 1e-3;
    double side[4];
    for (int k = 0; k < 4; ++k) {
      const int step[] = {-2, -1, 1, 2};
      x[i] = at + step[k] * h;
      side[k] = f(x, n);
    }
    x[i] = at;
    check("dx", dx[i], (side[0] - 8 * side[1] + 8 * side[2] - side[3]) / (12 * h), 1e-4);
  }
  return finish();
}
