// What only watches: clocks, printf of differentiated values, a log file, environment; nothing of it has a derivative.
#include "compare.hpp"
#include <chrono>

static FILE *log_file;
static int steps;

double f(const double *x, int n) {
  auto begin = std::chrono::steady_clock::now();
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += x[i] * x[(i + 1) % n];
    ++steps;
    if (log_file) {
      std::fprintf(log_file, "%d: %g of %g\n", i, sum, x[i]);
      std::fflush(log_file);
    }
    char line[64];
    std::snprintf(line, sizeof line, "%.3f", sum);
    if (line[0] == 'n')
      std::puts(line);
  }
  auto end = std::chrono::steady_clock::now();
  if (std::chrono::duration<double>(end - begin).count() < 0)
    std::printf("%g\n", sum);
  return sum * sum;
}

int main() {
  compare_at<f>("quiet", 5, -1, 1);
  log_file = std::fopen("/dev/null", "w");
  compare_at<f>("logged", 5, -1, 1);
  std::fclose(log_file);
  check_true("counted", steps > 0);
  return finish();
}
