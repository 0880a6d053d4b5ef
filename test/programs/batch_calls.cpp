// Batches without derivatives by the call convention: vectors, shared scalars, buffers, results of every size, both spellings,
// branches that differ between the lanes, loops of different lengths, and writes to memory in lane order.
#include "support.hpp"
extern int tapefree_width, tapefree_vector, tapefree_scalar, tapefree_buffer;
extern int enzyme_width, enzyme_vector, enzyme_scalar, enzyme_buffer;
template <class R, class... A> R __tapefree_batch(void *, A...);
template <class R, class... A> R __enzyme_batch(void *, A...);
template <class T, int N> struct Lanes {
  T lane[N];
};

static double mix(double x, double y, const double *p, int n) {
  double s = x > 2 ? std::sqrt(x) * y : x * x - y;
  for (int i = 0; i < n; ++i)
    s += p[i];
  return s;
}
static int collatz(int n) {
  int steps = 0;
  for (; n != 1; ++steps)
    n = n % 2 ? 3 * n + 1 : n / 2;
  return steps;
}
static float half(float x) { return x / 2; }
static bool odd(unsigned char x) { return x & 1; }
static const char *from(const char *text, short n) { return text + n; }
static long double wide(long double x) { return x + 1; }
static short narrow_sum(signed char a, short b) { return a + b; }
static NOINLINE void append(int *count, double *log, double x) { log[(*count)++] = x; }
static void halve(double *x, int n) {
  for (int i = 0; i < n; ++i)
    x[i] /= 2;
}
static double first_negative(const double *x, int n) {
  for (int i = 0; i < n; ++i)
    if (x[i] < 0)
      return i;
  return -1;
}

template <int... K> static void all_widths(const double *x, const double *p) {
  auto one = []<int N>(std::integral_constant<int, N>, const double *v, const double *q) {
    double want[N];
    for (int k = 0; k < N; ++k)
      want[k] = mix(v[k % 8], 3, q + k, 2);
    auto call = [&]<int... I>(std::integer_sequence<int, I...>) {
      return __tapefree_batch<Lanes<double, N>>((void *)mix, tapefree_width, N, tapefree_vector, v[I % 8]...,
                                                tapefree_scalar, 3.0, tapefree_buffer, sizeof(double), q,
                                                tapefree_scalar, 2);
    };
    auto got = call(std::make_integer_sequence<int, N>());
    check_all("width", got.lane, want, N);
  };
  (one(std::integral_constant<int, K>(), x, p), ...);
}

int main() {
  double x[8], p[80];
  fill(x, 8, 1, 0.5, 4);
  fill(p, 80, 2, -1, 1);
  all_widths<1, 2, 3, 4, 7, 8, 16, 33, 64>(x, p);

  {
    auto got = __enzyme_batch<Lanes<double, 2>>((void *)mix, enzyme_width, 2, enzyme_scalar, x[0], enzyme_vector, 1.0, 2.0,
                                                enzyme_buffer, -8, (const double *)p + 5, enzyme_vector, 3, 1);
    check("enzyme 0", got.lane[0], mix(x[0], 1, p + 5, 3));
    check("enzyme 1", got.lane[1], mix(x[0], 2, p + 4, 1));
  }
  {
    auto steps = __tapefree_batch<Lanes<int, 5>>((void *)collatz, tapefree_width, 5, tapefree_vector, 1, 6, 7, 27, 97);
    const int want[] = {0, 8, 16, 111, 118};
    for (int k = 0; k < 5; ++k)
      check("loops of different lengths", steps.lane[k], want[k]);
  }
  {
    auto f = __tapefree_batch<Lanes<float, 3>>((void *)half, tapefree_width, 3, tapefree_vector, 1.f, 2.0, 3.f);
    check("float", f.lane[0] + 10 * f.lane[1] + 100 * f.lane[2], 160.5);
    auto b = __tapefree_batch<Lanes<bool, 5>>((void *)odd, tapefree_width, 5, tapefree_vector, 1, 2, 255, 4, 257);
    check("bool", b.lane[0] + 2 * b.lane[1] + 4 * b.lane[2] + 8 * b.lane[3] + 16 * b.lane[4], 1 + 4 + 16);
    const char *text = "abcdef";
    auto c = __tapefree_batch<Lanes<const char *, 3>>((void *)from, tapefree_width, 3, tapefree_buffer, 1, text,
                                                      tapefree_vector, 0, 1, 2);
    check("pointers", *c.lane[0] + 256.0 * *c.lane[1] + 65536.0 * *c.lane[2], 'a' + 256.0 * 'c' + 65536.0 * 'e');
    auto l = __tapefree_batch<Lanes<long double, 3>>((void *)wide, tapefree_width, 3, tapefree_vector, 1.0L, 2.0L, 3.0L);
    check("long double", (double)(l.lane[0] * 100 + l.lane[1] * 10 + l.lane[2]), 234);
    auto s = __tapefree_batch<Lanes<short, 3>>((void *)narrow_sum, tapefree_width, 3, tapefree_vector, -1, 127, -128,
                                               tapefree_scalar, (short)-300);
    for (int k = 0; k < 3; ++k)
      check("small integers", s.lane[k], (k == 0 ? -1 : k == 1 ? 127 : -128) - 300);
  }
  {
    int count = 0;
    double log[4];
    __tapefree_batch<void>((void *)append, tapefree_width, 4, tapefree_scalar, &count, tapefree_scalar, log,
                           tapefree_vector, 4.0, 3.0, 2.0, 1.0);
    check("every lane", count, 4);
    for (int k = 0; k < 4; ++k)
      check("in lane order", log[k], 4 - k);
  }
  {
    double y[12];
    for (int i = 0; i < 12; ++i)
      y[i] = i;
    __tapefree_batch<void>((void *)halve, tapefree_width, 4, tapefree_buffer, 3 * sizeof(double), y, tapefree_vector, 3, 0, 1, 2);
    for (int i = 0; i < 12; ++i)
      check("written through buffers", y[i], i < 3 || i == 6 || i == 9 || i == 10 ? i / 2.0 : i);
    double *all[3] = {y, y + 1, y + 2};
    __tapefree_batch<void>((void *)halve, tapefree_width, 3, tapefree_vector, all[2], all[1], all[0], tapefree_scalar, 1);
    check("separate pointers", y[0] + y[1] + y[2], (0 + 1 + 2) / 4.0);
  }
  {
    double y[3][4] = {{1, 2, -1, 4}, {-1, 2, 3, 4}, {1, 2, 3, 4}};
    auto at = __tapefree_batch<Lanes<double, 3>>((void *)first_negative, tapefree_width, 3, tapefree_buffer, sizeof y[0],
                                                 y[0], tapefree_scalar, 4);
    check("early exits", at.lane[0] + 10 * at.lane[1] + 100 * at.lane[2], 2 + 0 - 100);
  }
  { // the batch inside a loop, its result used in the next round
    double v = 1;
    for (int i = 0; i < 20; ++i) {
      auto r = __tapefree_batch<Lanes<double, 2>>((void *)mix, tapefree_width, 2, tapefree_vector, v, v + 1, tapefree_scalar,
                                                  0.5, tapefree_scalar, (const double *)p, tapefree_scalar, 0);
      v = 0.3 * (r.lane[0] + r.lane[1]);
    }
    double w = 1;
    for (int i = 0; i < 20; ++i)
      w = 0.3 * (mix(w, 0.5, p, 0) + mix(w + 1, 0.5, p, 0));
    check("in a loop", v, w);
  }
  return finish();
}
