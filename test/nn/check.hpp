// What the tests of this folder share: a count of failures, each printed with its line.
#pragma once

#include <cmath>
#include <cstdio>

inline int failures = 0;

inline bool check_at(bool holds, const char *what, const char *file, int line) {
  if (!holds && ++failures <= 20)
    std::printf("%s:%d: failed: %s\n", file, line, what);
  return holds;
}

// |x - y| <= tolerance * max(1, |x|, |y|); false for a NaN.
inline bool near_at(double x, double y, double tolerance, const char *what, const char *file, int line) {
  const double size = std::fmax(1.0, std::fmax(std::fabs(x), std::fabs(y)));
  const bool holds = std::fabs(x - y) <= tolerance * size;
  if (!holds && ++failures <= 20)
    std::printf("%s:%d: failed: %s: %.10g and %.10g differ by more than %g\n", file, line, what, x, y,
                tolerance);
  return holds;
}

#define CHECK(condition) check_at((condition), #condition, __FILE__, __LINE__)
#define CHECK_NEAR(x, y, tolerance) near_at((x), (y), (tolerance), #x " = " #y, __FILE__, __LINE__)

inline int report(const char *name) {
  if (failures)
    std::printf("%s: %d checks failed\n", name, failures);
  else
    std::printf("%s: ok\n", name);
  return failures ? 1 : 0;
}
