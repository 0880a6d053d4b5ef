// Functions with variable arguments that only watch: a tracer of the user's own with va_list, printf's family.
#include "compare.hpp"
#include <cstdarg>

static int traced = 0;
static void trace(const char *format, ...) {
  char line[128];
  va_list list;
  va_start(list, format);
  traced += std::vsnprintf(line, sizeof line, format, list);
  va_end(list);
}
double f(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    s = s * x[i] + 0.25;
    trace("%d of %d\n", i, n);
  }
  return s;
}

int main() {
  compare_at<f>("varargs", 5, -1, 1);
  check_true("traced", traced > 0);
  return finish();
}
