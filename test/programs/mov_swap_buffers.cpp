// Blocks that change hands: swapped structs with arrays inside, ping-pong by index, a buffer copied whole in a loop.
#include "compare.hpp"

struct State { double u[4]; int step; float gain; };
double f(const double *x, int n) {
  State now = {{x[0], x[1], x[2], x[3]}, 0, 0.5f}, next = now, best = now;
  double score = -1e30;
  for (int s = 0; s < n; ++s) {
    for (int i = 0; i < 4; ++i)
      next.u[i] = now.u[i] * now.u[(i + 1) % 4] + x[s] * now.gain;
    next.step = now.step + 1;
    std::swap(now, next);
    double v = now.u[0] + now.u[2] * x[0];
    if (v > score)
      score = v, best = now;
  }
  double sum = best.step;
  for (double v : best.u)
    sum += v * v;
  return sum + now.u[3];
}

int main() {
  compare_at<f>("buffers", 6, -1, 1);
  return finish();
}
