// Data handed over as void*: context structs, a generic swap, a generic buffer with offsets in bytes.
#include "compare.hpp"

struct Context { const double *x; int n; double scale; };
static double visit(int i, void *user) {
  auto *c = static_cast<Context *>(user);
  c->scale *= c->x[i];
  return c->scale + c->x[(i + 1) % c->n];
}
static void swap_bytes(void *a, void *b, std::size_t size) {
  unsigned char t[64];
  std::memcpy(t, a, size);
  std::memcpy(a, b, size);
  std::memcpy(b, t, size);
}
double f(const double *x, int n) {
  Context c = {x, n, x[0]};
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += visit(i, &c);
  char bytes[6 * sizeof(double)];
  for (int i = 0; i < n; ++i)
    *reinterpret_cast<double *>(bytes + i * sizeof(double)) = x[i] * x[i];
  double a = s, b = x[n - 1];
  swap_bytes(&a, &b, sizeof a);
  return a * s + b * reinterpret_cast<double *>(bytes)[2];
}

int main() {
  compare_at<f>("void pointers", 5, -1, 1);
  return finish();
}
