// std::variant without visit: get, get_if, holds_alternative, assigned between alternatives.
#include "compare.hpp"
#include <variant>

struct Square {
  double side;
};
struct Circle {
  double radius;
};
typedef std::variant<Square, Circle, int> Shape;

static double area(const Shape &s) {
  if (auto *q = std::get_if<Square>(&s))
    return q->side * q->side;
  if (std::holds_alternative<Circle>(s))
    return 3 * std::get_if<Circle>(&s)->radius * std::get_if<Circle>(&s)->radius;
  return *std::get_if<int>(&s);
}
double f(const double *x, int n) {
  Shape shape = 1;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    if (i % 3 == 0)
      shape = Square{x[i]};
    else if (i % 3 == 1)
      shape = Circle{x[i] * x[0]};
    else
      shape = i;
    sum += area(shape) * x[i];
  }
  return sum;
}

int main() {
  compare_at<f>("areas", 6, -1, 1);
  return finish();
}
