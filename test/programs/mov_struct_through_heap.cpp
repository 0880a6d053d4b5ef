// Structs with numbers, flags and pointers copied whole to heap blocks and back, blocks of bytes from calloc.
#include "compare.hpp"

struct Record { short id; bool on; double v; float w; const double *base; };
double f(const double *x, int n) {
  Record *all = static_cast<Record *>(std::calloc(n, sizeof(Record)));
  for (int i = 0; i < n; ++i) {
    Record r = {short(i), i % 2 == 0, x[i] * x[i], float(i) / 4, x + i};
    std::memcpy(&all[n - 1 - i], &r, sizeof r);
  }
  Record *copy = static_cast<Record *>(std::malloc(n * sizeof(Record)));
  std::memcpy(copy, all, n * sizeof(Record));
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += copy[i].on ? copy[i].v * copy[i].w + *copy[i].base : copy[i].v * all[0].v;
  std::free(all);
  std::free(copy);
  return s;
}

int main() {
  compare_at<f>("records", 5, -1, 1);
  return finish();
}
