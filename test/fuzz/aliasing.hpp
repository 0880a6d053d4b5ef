// aliasing.hpp: runs the programs of aliasing.py with buffers that overlap, or not, in many ways, and compares their
// gradients under each alias policy with dual numbers.
//
// All buffers of a program lie in one arena, those of their shadows at the same places of another one. A program is a
// template over its number and its pointer. With double and double * it is what the plugin sees; with Jet<double> and
// Tracked it is the reference, and says which ranges it touches.
#ifndef TAPEFREE_FUZZ_ALIASING_HPP
#define TAPEFREE_FUZZ_ALIASING_HPP
#include "jet.hpp"
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <tapefree/abi.h>

namespace aliasing {
const int cells = 64, most = 12;
typedef Jet<double> J;

struct Ranges {
  int low[most], high[most];
};
extern Ranges touched;

struct Tracked { // a pointer that knows how it was reached
  J *p;
  int way;
  J &at(long i) const;
  J &operator[](long i) const { return at(i); }
  J &operator*() const { return at(0); }
  Tracked operator+(long i) const { return {p + i, way}; }
  Tracked &operator++() { ++p; return *this; }
};
inline double *address(double *p) { return p; }
inline void move(double *to, const double *from, int n) { __builtin_memmove(to, from, n * sizeof(double)); }
void move(Tracked to, Tracked from, int n);
inline double number(double x) { return x; }
inline double number(const J &x) { return x.v; }

struct Program {
  const char *name;
  int ways;                // buffers
  const bool *written;     // by the program's text
  const bool *restricted;  // lies apart from all others
  int length;              // of each, in cells
  double (*primal)(double *const *at, const int *index, int n);
  J (*reference)(const Tracked *at, const int *index, int n);
  void (*gradient[3])(double *const *at, double *const *shadow, const int *index, int n); // checked, c, disjoint
};
int run(const Program *programs, int count, int configurations, unsigned seed, const char *only);
} // namespace aliasing
#endif
