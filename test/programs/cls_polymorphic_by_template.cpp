// Static polymorphism: a pipeline of stages as a tuple of functors with state, called in order by recursion.
#include "compare.hpp"

struct Scale { double by; double operator()(double v) const { return v * by; } };
struct Shift { double by; double operator()(double v) const { return v + by; } };
struct Wave { double operator()(double v) const { return std::sin(v); } };
template <class... S> struct Pipeline;
template <> struct Pipeline<> { double run(double v) const { return v; } };
template <class H, class... R> struct Pipeline<H, R...> {
  H head;
  Pipeline<R...> rest;
  double run(double v) const { return rest.run(head(v)); }
};
double f(const double *x, int n) {
  Pipeline<Scale, Wave, Shift, Scale> p = {{x[0]}, {{}, {{x[1] * x[1]}, {{x[2]}, {}}}}};
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += p.run(x[i] + 0.3 * s);
  return s;
}

int main() {
  compare_at<f>("pipeline", 5, -1, 1);
  return finish();
}
