// Shared by the programs of this folder: checks, dual numbers (the exact reference), a fixed random sequence,
// heap accounting, and the declarations of the calls that the plugin replaces.
#pragma once
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <malloc.h>
#include <type_traits>

#ifdef TEST_LANES
#include "all_lanes.hpp"
#else
extern int enzyme_dup, enzyme_const, enzyme_out, enzyme_dupnoneed;
extern int tapefree_dup, tapefree_const, tapefree_out, tapefree_dupnoneed;
template <class R, class... A> R __enzyme_autodiff(void*, A...);
template <class R, class... A> R __tapefree_autodiff(void*, A...);
#endif

#define NOINLINE __attribute__((noinline))

// The float and double overloads next to those for Dual below, so that templated code writes sin(x) for all three.
using std::sin; using std::cos; using std::tan; using std::asin; using std::acos; using std::atan; using std::atan2;
using std::sinh; using std::cosh; using std::tanh; using std::asinh; using std::acosh; using std::atanh; using std::exp; using std::exp2; using std::expm1; using std::log;
using std::log2; using std::log10; using std::log1p; using std::sqrt; using std::cbrt; using std::pow; using std::hypot;
using std::fabs; using std::fmin; using std::fmax; using std::fma; using std::erf; using std::erfc; using std::floor;
using std::ceil; using std::trunc; using std::round; using std::fmod; using std::copysign;

// ---- checks ------------------------------------------------------------------------------------------------------

inline int failures = 0, broken_references = 0;

// Read as bits through memory: -ffast-math would let the compiler assume that a plain comparison never sees a NaN.
NOINLINE inline bool is_finite(double x) {
  volatile double memory = x;
  std::uint64_t bits;
  std::memcpy(&bits, const_cast<double*>(&memory), sizeof bits);
  return (bits >> 52 & 0x7ff) != 0x7ff;
}

NOINLINE inline bool close_enough(double got, double want, double tol) {
  return is_finite(got) && is_finite(want) && std::fabs(got - want) <= tol * (1 + std::fabs(want));
}

NOINLINE inline void check(const char* what, double got, double want, double tol = 1e-9) {
  if (close_enough(got, want, tol)) return;
  if (++failures <= 10) std::printf("FAIL %s: got %.12g, want %.12g\n", what, got, want);
}

NOINLINE inline void check_true(const char* what, bool holds) {
  if (!holds && ++failures <= 10) std::printf("FAIL %s\n", what);
}

template <class T> inline constexpr double kTolerance = std::is_same_v<T, float> ? 1e-4 : 1e-9;

template <class T, class W>
NOINLINE inline void check_all(const char* what, const T* got, const W* want, int n, double tol = kTolerance<T>) {
  char name[96];
  for (int i = 0; i < n; ++i) {
    std::snprintf(name, sizeof name, "%s<%s>[%d]", what, sizeof(T) == 4 ? "float" : "double", i);
    check(name, got[i], want[i], tol);
  }
}

template <class T> NOINLINE inline void check_zero(const char* what, const T* got, int n) {
  for (int i = 0; i < n; ++i) check(what, got[i], 0, 0);
}

// Exit status: 0 pass, 1 wrong derivative, 2 the reference itself is broken.
inline int finish() {
  if (broken_references) return 2;
  if (failures) return 1;
  std::puts("ok");
#ifdef TEST_LANES
  std::printf("%ld values of further lanes compared\n", lanes::compared);
#endif
  return 0;
}

// ---- dual numbers ------------------------------------------------------------------------------------------------

struct Dual {
  double v, d;
  Dual() = default;
  constexpr Dual(double value, double tangent = 0) : v(value), d(tangent) {}
  friend Dual operator+(Dual a, Dual b) { return {a.v + b.v, a.d + b.d}; }
  friend Dual operator-(Dual a, Dual b) { return {a.v - b.v, a.d - b.d}; }
  friend Dual operator*(Dual a, Dual b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; }
  friend Dual operator/(Dual a, Dual b) { return {a.v / b.v, (a.d - a.v / b.v * b.d) / b.v}; }
  friend Dual operator-(Dual a) { return {-a.v, -a.d}; }
  friend Dual operator+(Dual a) { return a; }
  Dual& operator+=(Dual b) { return *this = *this + b; }
  Dual& operator-=(Dual b) { return *this = *this - b; }
  Dual& operator*=(Dual b) { return *this = *this * b; }
  Dual& operator/=(Dual b) { return *this = *this / b; }
  friend bool operator<(Dual a, Dual b) { return a.v < b.v; }
  friend bool operator>(Dual a, Dual b) { return a.v > b.v; }
  friend bool operator<=(Dual a, Dual b) { return a.v <= b.v; }
  friend bool operator>=(Dual a, Dual b) { return a.v >= b.v; }
  friend bool operator==(Dual a, Dual b) { return a.v == b.v; }
  friend bool operator!=(Dual a, Dual b) { return a.v != b.v; }
};

// f with value y and slope s at x; a zero tangent stays zero through an infinite slope.
inline Dual chain(double y, double s, Dual x) { return {y, x.d == 0 ? 0 : s * x.d}; }
inline Dual sin(Dual x) { return chain(std::sin(x.v), std::cos(x.v), x); }
inline Dual cos(Dual x) { return chain(std::cos(x.v), -std::sin(x.v), x); }
inline Dual tan(Dual x) { double t = std::tan(x.v); return chain(t, 1 + t * t, x); }
inline Dual asin(Dual x) { return chain(std::asin(x.v), 1 / std::sqrt(1 - x.v * x.v), x); }
inline Dual acos(Dual x) { return chain(std::acos(x.v), -1 / std::sqrt(1 - x.v * x.v), x); }
inline Dual atan(Dual x) { return chain(std::atan(x.v), 1 / (1 + x.v * x.v), x); }
inline Dual sinh(Dual x) { return chain(std::sinh(x.v), std::cosh(x.v), x); }
inline Dual cosh(Dual x) { return chain(std::cosh(x.v), std::sinh(x.v), x); }
inline Dual tanh(Dual x) { double t = std::tanh(x.v); return chain(t, 1 - t * t, x); }
inline Dual asinh(Dual x) { return chain(std::asinh(x.v), 1 / std::sqrt(x.v * x.v + 1), x); }
inline Dual acosh(Dual x) { return chain(std::acosh(x.v), 1 / std::sqrt(x.v * x.v - 1), x); }
inline Dual atanh(Dual x) { return chain(std::atanh(x.v), 1 / (1 - x.v * x.v), x); }
inline Dual exp(Dual x) { double e = std::exp(x.v); return chain(e, e, x); }
inline Dual exp2(Dual x) { double e = std::exp2(x.v); return chain(e, e * M_LN2, x); }
inline Dual expm1(Dual x) { return chain(std::expm1(x.v), std::exp(x.v), x); }
inline Dual log(Dual x) { return chain(std::log(x.v), 1 / x.v, x); }
inline Dual log2(Dual x) { return chain(std::log2(x.v), 1 / (x.v * M_LN2), x); }
inline Dual log10(Dual x) { return chain(std::log10(x.v), 1 / (x.v * M_LN10), x); }
inline Dual log1p(Dual x) { return chain(std::log1p(x.v), 1 / (1 + x.v), x); }
inline Dual sqrt(Dual x) { double r = std::sqrt(x.v); return chain(r, 0.5 / r, x); }
inline Dual cbrt(Dual x) { double r = std::cbrt(x.v); return chain(r, 1 / (3 * r * r), x); }
inline Dual erf(Dual x) { return chain(std::erf(x.v), M_2_SQRTPI * std::exp(-x.v * x.v), x); }
inline Dual erfc(Dual x) { return chain(std::erfc(x.v), -M_2_SQRTPI * std::exp(-x.v * x.v), x); }
inline Dual fabs(Dual x) { return x.v < 0 ? -x : x; }
inline Dual floor(Dual x) { return std::floor(x.v); }
inline Dual ceil(Dual x) { return std::ceil(x.v); }
inline Dual trunc(Dual x) { return std::trunc(x.v); }
inline Dual round(Dual x) { return std::round(x.v); }
inline Dual atan2(Dual y, Dual x) {
  double r = x.v * x.v + y.v * y.v;
  return {std::atan2(y.v, x.v), (y.d * x.v - y.v * x.d) / r};
}
inline Dual pow(Dual x, Dual y) {
  double p = std::pow(x.v, y.v);
  double dx = x.d == 0 ? 0 : x.d * y.v * std::pow(x.v, y.v - 1);
  double dy = y.d == 0 ? 0 : y.d * p * std::log(x.v);
  return {p, dx + dy};
}
inline Dual hypot(Dual x, Dual y) {
  double h = std::hypot(x.v, y.v);
  return {h, (x.v * x.d + y.v * y.d) / h};
}
inline Dual fmin(Dual a, Dual b) { return a.v < b.v ? a : b; }
inline Dual fmax(Dual a, Dual b) { return a.v > b.v ? a : b; }
inline Dual fma(Dual a, Dual b, Dual c) { return a * b + c; }
inline Dual fmod(Dual x, Dual y) { return {std::fmod(x.v, y.v), x.d - std::trunc(x.v / y.v) * y.d}; }
inline Dual copysign(Dual x, Dual s) {
  bool flip = std::signbit(x.v) != std::signbit(s.v);
  return flip ? -x : x;
}

// The plain number behind a scalar, for decisions on data; and float <-> double steps that a Dual passes through.
inline float val(float x) { return x; }
inline double val(double x) { return x; }
inline double val(Dual x) { return x.v; }
inline float narrow(double x) { return (float)x; }
inline float narrow(float x) { return x; }
inline Dual narrow(Dual x) { return x; }
inline double widen(float x) { return x; }
inline double widen(double x) { return x; }
inline Dual widen(Dual x) { return x; }

// want[i] = d fn / d x[i], where fn maps an array of n scalars of any type (its own copy of x) to one scalar.
// The dual numbers are checked against central differences of the same source at double precision, and the gradient
// must not move when the inputs move by a few units in the last place of X: then rounding and -ffast-math cannot fail it.
template <class X, class F>
NOINLINE inline void reference(double* want, const X* x, int n, F fn, double h = 1e-6, double tol = 1e-5) {
  Dual* dual = new Dual[n];
  double* point = new double[n];
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) dual[k] = {(double)x[k], k == i ? 1.0 : 0.0};
    Dual result = fn(dual);
    want[i] = result.d;
    double side[2];
    for (int s = 0; s < 2; ++s) {
      for (int k = 0; k < n; ++k) point[k] = x[k];
      point[i] += s ? h : -h;
      side[s] = fn(point);
    }
    double difference = (side[1] - side[0]) / (2 * h);
    if (!close_enough(difference, want[i], tol)) {
      ++broken_references;
      std::printf("REFERENCE %d: central difference %.9g, dual %.9g\n", i, difference, want[i]);
    }
  }
  const double ulps = std::is_same_v<X, float> ? 2.4e-7 : 1e-15;
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n; ++k) dual[k] = {x[k] * (1 + (k % 2 ? ulps : -ulps)), k == i ? 1.0 : 0.0};
    Dual moved = fn(dual);
    if (!close_enough(moved.d, want[i], 0.3 * kTolerance<X>)) {
      ++broken_references;
      std::printf("ILL-CONDITIONED %d: %.9g, moved inputs %.9g\n", i, want[i], moved.d);
    }
  }
  delete[] dual;
  delete[] point;
}

// ---- data --------------------------------------------------------------------------------------------------------

// A fixed sequence in (0, 1) for each seed (a 64-bit LCG; the upper bits are used).
struct Sequence {
  std::uint64_t state;
  explicit Sequence(unsigned seed) : state(seed * 0x9e3779b97f4a7c15u + 1442695040888963407u) {}
  double next() {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return ((state >> 33) + 0.5) / 2147483648.0;
  }
};
template <class T> NOINLINE inline void fill(T* x, int n, unsigned seed, double lo, double hi) {
  Sequence s(seed);
  for (int i = 0; i < n; ++i) x[i] = (T)(lo + (hi - lo) * s.next());
}

// ---- heap --------------------------------------------------------------------------------------------------------

// Bytes in use, for leaks: compare after a warm-up, because glibc keeps small freed blocks in a per-thread cache.
NOINLINE inline long heap_in_use() {
  struct mallinfo2 m = mallinfo2();
  return (long)(m.uordblks + m.hblkhd);
}

// Runs call() a few times, then `times` more: nothing may stay allocated.
template <class F> NOINLINE inline void check_no_leak(const char* what, int times, F call) {
  for (int i = 0; i < 3; ++i) call();
  long before = heap_in_use();
  for (int i = 0; i < times; ++i) call();
  long grown = heap_in_use() - before;
#ifdef TEST_LANES
  return; // the batch around the call allocates as well
#endif
  if (grown >= 8L * times && ++failures <= 10) std::printf("FAIL %s: %ld bytes left by %d calls\n", what, grown, times);
}

#ifdef TAPEFREE_COUNT_HEAP  // defined by the mem_ programs before the include
// malloc and its family count below the compiler's sight: the symbols are assembler aliases, so the plugin sees an
// ordinary program. Under a sanitiser, which has its own allocator, the counts stay zero.
extern "C" {
inline volatile long heap_calls = 0, heap_bytes = 0, heap_peak = 0;
}
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer) || __has_feature(thread_sanitizer)
#define TAPEFREE_HEAP_HIDDEN 1
#endif
#endif
#if defined(__GLIBC__) && defined(__x86_64__) && !defined(TAPEFREE_HEAP_HIDDEN)
extern "C" {
void* __libc_malloc(size_t);
void* __libc_calloc(size_t, size_t);
void* __libc_realloc(void*, size_t);
void* __libc_memalign(size_t, size_t);
void __libc_free(void*);
__attribute__((used)) void* counted_note(void* p) {
  heap_calls = heap_calls + 1;
  heap_bytes = heap_bytes + (p ? (long)malloc_usable_size(p) : 0);
  if (heap_bytes > heap_peak) heap_peak = heap_bytes;
  return p;
}
__attribute__((used)) void* counted_malloc(size_t n) { return counted_note(__libc_malloc(n)); }
__attribute__((used)) void* counted_calloc(size_t n, size_t s) { return counted_note(__libc_calloc(n, s)); }
__attribute__((used)) void* counted_memalign(size_t a, size_t n) { return counted_note(__libc_memalign(a, n)); }
__attribute__((used)) void* counted_realloc(void* old, size_t n) {
  if (old) heap_bytes = heap_bytes - (long)malloc_usable_size(old);
  return counted_note(__libc_realloc(old, n));
}
__attribute__((used)) int counted_posix_memalign(void** out, size_t a, size_t n) {
  *out = counted_note(__libc_memalign(a, n));
  return *out ? 0 : 12;
}
__attribute__((used)) void counted_free(void* p) {
  if (p) heap_bytes = heap_bytes - (long)malloc_usable_size(p);
  __libc_free(p);
}
}
asm(".globl malloc\n.set malloc, counted_malloc\n"
    ".globl calloc\n.set calloc, counted_calloc\n"
    ".globl realloc\n.set realloc, counted_realloc\n"
    ".globl aligned_alloc\n.set aligned_alloc, counted_memalign\n"
    ".globl memalign\n.set memalign, counted_memalign\n"
    ".globl posix_memalign\n.set posix_memalign, counted_posix_memalign\n"
    ".globl free\n.set free, counted_free\n");
#endif

// What one call asked of the heap.
struct HeapUse { long calls, peak, left; };
template <class F> NOINLINE inline HeapUse heap_use(F call) {
  asm volatile("" ::: "memory");
  long calls = heap_calls, bytes = heap_bytes;
  heap_peak = bytes;
  asm volatile("" ::: "memory");
  call();
  asm volatile("" ::: "memory");
  return {heap_calls - calls, heap_peak - bytes, heap_bytes - bytes};
}
// The counters themselves: call this first, so that a count of zero means something.
NOINLINE inline void check_heap_counters() {
#ifndef TAPEFREE_HEAP_HIDDEN
  HeapUse use = heap_use([] {
    void* volatile p = std::malloc(1000);
    void* volatile q = std::calloc(10, 10);
    p = std::realloc(p, 3000);
    double* volatile r = new double[50];
    delete[] r;
    std::free(q);
    std::free(p);
  });
  if (use.calls != 4 || use.peak < 3500 || use.peak > 6000 || use.left != 0) {
    ++broken_references;
    std::printf("REFERENCE heap counters: %ld calls, peak %ld, left %ld\n", use.calls, use.peak, use.left);
  }
#endif
}
NOINLINE inline void check_at_most(const char* what, long got, long most) {
  if (got > most && ++failures <= 10) std::printf("FAIL %s: %ld, at most %ld allowed\n", what, got, most);
}
#endif
