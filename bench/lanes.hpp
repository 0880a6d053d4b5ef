// Cost of a batch of 8 derivatives, for a workload that was written for one. Included in front of the workload:
//
//   clang++ -O3 -march=native -fpass-plugin=PLUGIN -I DIR -include bench/lanes.hpp DIR/04_ba.cpp
//
// Its call of __enzyme_autodiff is measured with width 1 and, for each layout of the shadows, with width LANES (8), reverse and
// forward; one JSON line gives the times as multiples of one scalar derivative. Shadows must be whole heap blocks.
#pragma once
#include "bench.hpp"
#include <type_traits>
#include <utility>

extern int tapefree_width, tapefree_dup, tapefree_dupv, tapefree_dupi, tapefree_const;
template <class R, class... A> R __tapefree_fwddiff(void *, A...);
template <class R, class... A> R __tapefree_autodiff(void *, A...);

namespace lanes {
#ifndef LANES
#define LANES 8
#endif
#define INLINED inline __attribute__((always_inline))
struct dup {};
struct constant {};
enum class layout { scalar, separate, strided, interleaved };

// Where the lanes of one shadow lie: made once, found again by the shadow's address.
struct buffers {
  const void *shadow;
  double *block;
  size_t bytes;
};
inline buffers known[64];
inline int count = 0;
inline buffers &find(const void *shadow) {
  for (int i = 0; i < count; i++)
    if (known[i].shadow == shadow)
      return known[i];
  buffers &b = known[count++];
  b.shadow = shadow;
  b.bytes = malloc_usable_size(const_cast<void *>(shadow)) / 64 * 64;
  b.block = static_cast<double *>(aligned_alloc(64, b.bytes * LANES));
  memset(b.block, 0, b.bytes * LANES);
  return b;
}
inline void clear() {
  for (int i = 0; i < count; i++)
    memset(known[i].block, 0, known[i].bytes * LANES);
}

struct lane_results {
  double d[LANES];
};

// Arguments move from the front of the call behind those that are done, D.
template <layout L, bool Forward, class... D> struct step {
  template <class... More> using then = step<L, Forward, D..., More...>;
  static INLINED void go(void *f, D... d) {
    if constexpr (!Forward && L == layout::scalar)
      __tapefree_autodiff<void>(f, d...);
    else if constexpr (!Forward)
      __tapefree_autodiff<void>(f, tapefree_width, LANES, d...);
    else if constexpr (L == layout::scalar)
      bench::keep(__tapefree_fwddiff<double>(f, d...));
    else
      bench::keep(__tapefree_fwddiff<lane_results>(f, tapefree_width, LANES, d...));
  }
  template <class X, class... A> static INLINED void go(void *f, D... d, constant, X x, A... a) {
    then<int, X>::go(f, d..., tapefree_const, x, a...);
  }
  template <class X, class T, class... A> static INLINED void go(void *f, D... d, dup, X x, T *s, A... a) {
    if constexpr (L == layout::scalar)
      then<int, X, T *>::go(f, d..., tapefree_dup, x, s, a...);
    else if constexpr (L == layout::separate)
      separate<T>(std::make_index_sequence<LANES>(), f, d..., x, s, a...);
    else if constexpr (L == layout::strided)
      then<int, long, X, T *>::go(f, d..., tapefree_dupv, long(find(s).bytes), x, (T *)find(s).block, a...);
    else
      then<int, X, T *>::go(f, d..., tapefree_dupi, x, (T *)find(s).block, a...);
  }
  template <class T, size_t... K, class X, class... A>
  static INLINED void separate(std::index_sequence<K...>, void *f, D... d, X x, T *s, A... a) {
    buffers &b = find(s);
    then<int, X, std::conditional_t<K < 99, T *, T *>...>::go(
        f, d..., tapefree_dup, x, (T *)((char *)b.block + K * b.bytes)..., a...);
  }
};

inline double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// Everything is inlined where the workload makes its call: the plugin must see the function's name there.
template <layout L, bool Forward, class... A> INLINED double seconds(void *f, A... a) {
  double best = 1e9;
  for (int round = 0; round < 8; round++) {
    int times = 0;
    double began = now(), passed = 0;
    while (passed < 0.03) {
      step<L, Forward>::go(f, a...);
      times++;
      passed = now() - began;
    }
    if (round && passed / times < best) // the first round warms up
      best = passed / times;
  }
  return best;
}

template <class... A> INLINED void measure(void *f, A... a) {
  static bool done = false;
  if (done)
    return;
  done = true;
  double r1 = seconds<layout::scalar, false>(f, a...), r0 = seconds<layout::separate, false>(f, a...);
  double r2 = seconds<layout::strided, false>(f, a...), r3 = seconds<layout::interleaved, false>(f, a...);
  clear();
  double f1 = seconds<layout::scalar, true>(f, a...), f0 = seconds<layout::separate, true>(f, a...);
  double f2 = seconds<layout::strided, true>(f, a...), f3 = seconds<layout::interleaved, true>(f, a...);
  printf("{\"lanes\":%d,\"reverse_us\":%.1f,\"separate\":%.2f,\"strided\":%.2f,\"interleaved\":%.2f,"
         "\"forward_us\":%.1f,\"fwd_separate\":%.2f,\"fwd_strided\":%.2f,\"fwd_interleaved\":%.2f}\n",
         LANES, r1 * 1e6, r0 / r1, r2 / r1, r3 / r1, f1 * 1e6, f0 / f1, f2 / f1, f3 / f1);
}
template <class R, class... A> INLINED void instead(void *f, A... a) {
  measure(f, a...);
  step<layout::scalar, false>::go(f, a...);
}
} // namespace lanes

#define enzyme_dup lanes::dup()
#define enzyme_const lanes::constant()
#define __enzyme_autodiff lanes::instead
