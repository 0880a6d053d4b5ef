// Big switches: a dense one of 24 cases with fall-through, a sparse one, one inside a loop as a state machine of Duff's kind.
#include "compare.hpp"

double op(int k, double a, double b) {
  switch (k) {
  case 0: return a + b;
  case 1: return a - b;
  case 2: return a * b;
  case 3: return a / (2 + b * b);
  case 4: return sin(a) * b;
  case 5: return cos(b) * a;
  case 6: a *= b; [[fallthrough]];
  case 7: a += 1; [[fallthrough]];
  case 8: return a * a;
  case 9: case 10: case 11: return fmax(a, b);
  case 12: return exp(a * 0.1);
  case 13: return a < b ? a : b * b;
  case 14: return tanh(a - b);
  case 15: return sqrt(1 + a * a);
  case 16: return -a;
  case 100: return atan2(a, b + 3);
  case 1000: return log(2 + a * a);
  case -7: return a * 0.25;
  default: return b;
  }
}
double f(const double *x, int n) {
  static const int program[] = {0, 6, 3, 100, 9, 12, 2, 1000, -7, 4, 8, 15, 13, 55, 7, 14, 16, 5, 1};
  double s = x[0];
  for (int k = 0; k < 19; ++k)
    s = op(program[k], s, x[k % n]);
  return s;
}
double duff(const double *x, int n) {
  double s = 0;
  int i = 0, rounds = (n + 3) / 4;
  switch (n % 4) {
  case 0: do { s = s * 0.5 + x[i] * x[i]; ++i; [[fallthrough]];
  case 3: s = s * 0.5 + x[i] * x[i]; ++i; [[fallthrough]];
  case 2: s = s * 0.5 + x[i] * x[i]; ++i; [[fallthrough]];
  case 1: s = s * 0.5 + x[i] * x[i]; ++i;
    } while (--rounds > 0);
  }
  return s;
}

int main() {
  compare_at<f>("switch", 5, -1, 1);
  compare_at<duff>("duff", 7, -1, 1);
  return finish();
}
