// Bit-fields beside numbers, packed structs with numbers at odd offsets, flags in one word.
#include "compare.hpp"

struct Flags { unsigned kind : 3, level : 5; float weight; unsigned on : 1; };
#pragma pack(push, 1)
struct Packed { char tag; double value; short more; float extra; };
#pragma pack(pop)
double f(const double *x, int n) {
  Flags flags[6];
  Packed packed[6];
  for (int i = 0; i < n; ++i) {
    flags[i] = {unsigned(i) % 8, 3, float(i) / 2, unsigned(i) % 2};
    packed[i] = {char(i), x[i] * x[(i + 1) % n], short(2 * i), 0.5f};
  }
  Packed last = packed[n - 1];
  double s = last.value;
  for (int i = 0; i < n; ++i) {
    flags[i].level += flags[i].kind;
    if (flags[i].on)
      packed[i].value *= x[0];
    s += packed[i].value * flags[i].level * (flags[i].weight + packed[i].extra) + packed[i].more;
  }
  return s;
}

int main() {
  compare_at<f>("bit-fields", 6, -1, 1);
  return finish();
}
