// Inactive functions and globals, functions like library functions, allocators: in C, in C++, by annotation.
#include <tapefree/rule.hpp>
#include "forward.hpp"
namespace tf = tapefree;

static int logged, counted, made, released;
static double total;      // a sum over all calls, of no interest
static double monitor[2];

inline __attribute__((always_inline)) double log_value(double x) { // a constant, whatever it computes
  ++logged;
  return x * x;
}
inline constexpr tf::register_inactive<log_value> log_is_inactive;
inline constexpr tf::register_inactive_global<&total> total_is_inactive;

extern "C" {
double count(const double* x, int n) {
  ++counted;
  double s = 0;
  for (int i = 0; i < n; ++i) s += x[i] * 100;
  return s;
}
void* __enzyme_inactivefn_count = (void*)count;
void* __tapefree_inactive_global[] = {(void*)&monitor};
double my_tanh(double x) { double e = std::exp(2 * x); return (e - 1) / (e + 1); }
void* __enzyme_function_like_tanh[] = {(void*)my_tanh, (void*)"tanh"};
}
__attribute__((annotate("enzyme_inactive"))) double noted(double x) {
  ++logged;
  return x + 1;
}

static float my_power(float x, float y) { return std::exp(y * std::log(x)); }
inline constexpr tf::register_function_like<my_power, "powf"> power_is_known;

static char pool[1 << 16];
static size_t used;
NOINLINE static double* take(int what, size_t count) {
  ++made;
  used = (used + 15) / 16 * 16;
  char* p = pool + used;
  used += count;
  for (size_t i = 0; i < count; ++i) p[i] = char(what); // as malloc: anything
  return (double*)p;
}
NOINLINE static void give(double*) { ++released; }
inline constexpr tf::register_allocator<take, 1, give> take_is_an_allocator;

double f(const double* x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double* scratch = take(7, sizeof(double) * 2);
    scratch[0] = x[i] * x[i];
    scratch[1] = my_tanh(scratch[0]) + log_value(s) * 0.001;
    total += scratch[0];
    monitor[i & 1] = scratch[1];
    s += scratch[1] * my_power((float)x[i], 1.5f) + count(x, n) * x[i] + noted(s) * 0.01;
    give(scratch);
  }
  return s;
}

// What the derivative sees: the inactive results are constants.
template <class T> static T seen(const T* x, const double* logs, const double* notes, double counts, int n) {
  T s = 0;
  for (int i = 0; i < n; ++i)
    s += (tanh(x[i] * x[i]) + logs[i]) * pow(x[i], T(1.5)) + x[i] * counts + notes[i];
  return s;
}

int main(int argc, char**) {
  enum { n = 4 };
  double x[n], dx[n] = {}, d[n], want[n], logs[n], notes[n];
  fill(x, n, 71, 0.3, 1.2);
  fill(d, n, 72, -1, 1);
  double sum = 0, s = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * 100;
  for (int i = 0; i < n; ++i) {
    logs[i] = s * s * 0.001;
    double was = s;
    s += (std::tanh(x[i] * x[i]) + logs[i]) * std::pow(x[i], 1.5) + x[i] * sum;
    notes[i] = (was + 1) * 0.01;
    s += notes[i];
  }
  reference(want, x, n, [&](auto* p) { return seen(p, logs, notes, sum, n); });
  if (argc > 1) return 0;
  logged = counted = made = released = 0;
  __enzyme_autodiff<void>((void*)f, enzyme_dup, (const double*)x, dx, enzyme_const, (int)n);
  check_all("gradient", dx, want, n, 1e-5);
#ifndef TEST_LANES
  check("logged", logged, 2 * n);
  check("counted", counted, n);
  check("made", made, 2 * n);
  check("released", released, 2 * n);
#endif
  used = 0;
  double t = __enzyme_fwddiff<double>((void*)f, enzyme_dup, (const double*)x, (const double*)d, enzyme_const, (int)n), along = 0;
  for (int i = 0; i < n; ++i) along += want[i] * d[i];
  check("tangent", t, along, 1e-5);
  return finish();
}
