// std::string beside numbers: names that are compared, a small expression that is parsed and evaluated.
#include "compare.hpp"
#include <string>

static double apply(const std::string &name, double a, double b) {
  if (name == "add")
    return a + b;
  if (name == "mul")
    return a * b;
  return a - b;
}
double f(const double *x, int n) {
  static const std::string program[] = {"mul", "add", "sub", "mul"};
  double s = x[0];
  for (int i = 1; i < n; ++i)
    s = apply(program[i % 4], s, x[i]);
  return s;
}
double stack(const double *x, int n) { // postfix, variables a, b, ...
  const char *text = "ab*cd+*ba-*";
  double values[8];
  int top = 0;
  for (const char *p = text; *p; ++p) {
    if (*p >= 'a' && *p < 'a' + n) {
      values[top++] = x[*p - 'a'];
      continue;
    }
    double b = values[--top], a = values[--top];
    values[top++] = *p == '*' ? a * b : *p == '+' ? a + b : a - b;
  }
  return values[0];
}

int main() {
  compare_at<f>("program", 6, -1, 1);
  compare_at<stack>("postfix", 4, -1, 1);
  return finish();
}
