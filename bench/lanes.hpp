// Cost of a batch of 8 derivatives, for a workload that was written for one. Included in front of the workload:
//
//   clang++ -O3 -march=native -fpass-plugin=PLUGIN -I DIR -include bench/lanes.hpp DIR/04_ba.cpp
//
// Its call of __enzyme_autodiff is measured with width 1 and, for each layout of the shadows, with width LANES (8), reverse and
// forward; one JSON line gives the times as multiples of one scalar derivative. Shadows must be arrays made by bench::array, or
// structs of pointers to such. With -DLANES_CODE=layout::LAYOUT,true (forward; false: reverse) there is that one derivative
// instead, to look at the code of (bench/lanes_code.sh).
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

// Every array of the workload; the lanes of one that serves as a shadow are made when they are asked for.
struct block {
  char *start;
  size_t bytes;
  char *lanes;
};
inline block blocks[256];
inline int count = 0;
inline block &find(const void *inside) {
  for (int i = 0; i < count; i++)
    if (inside >= blocks[i].start && inside < blocks[i].start + blocks[i].bytes) {
      if (!blocks[i].lanes) {
        blocks[i].lanes = static_cast<char *>(aligned_alloc(64, blocks[i].bytes * LANES));
        memset(blocks[i].lanes, 0, blocks[i].bytes * LANES);
      }
      return blocks[i];
    }
  fprintf(stderr, "a shadow is no array of the workload\n");
  exit(1);
}
inline void clear() {
  for (int i = 0; i < count; i++)
    if (blocks[i].lanes)
      memset(blocks[i].lanes, 0, blocks[i].bytes * LANES);
}
// What stands for `shadow` in lane k.
template <layout L> void *lane(const void *shadow, size_t k) {
  block &b = find(shadow);
  size_t offset = size_t((const char *)shadow - b.start);
  return L == layout::interleaved ? b.lanes + offset * LANES : b.lanes + k * b.bytes + offset;
}
// The same for a struct of pointers to arrays: a struct with shadows of its pointers, or, interleaved, N slots for each.
template <layout L, class T> T *shadow_of(T *shadow, size_t k) {
  if constexpr (!std::is_class_v<T>)
    return (T *)lane<L>(shadow, k);
  else {
    static void *table[LANES * sizeof(T) / sizeof(void *)]; // one shadow of each type in a workload
    constexpr size_t members = sizeof(T) / sizeof(void *);
    void **mine = table + (L == layout::interleaved ? 0 : k * members);
    for (size_t i = 0; i < members; i++)
      mine[L == layout::interleaved ? i * LANES : i] = lane<L>(((void **)shadow)[i], k);
    return (T *)mine;
  }
}
template <class T> size_t distance(T *shadow) {
  if constexpr (std::is_class_v<T>) {
    for (size_t k = 1; k < LANES; k++)
      shadow_of<layout::strided>(shadow, k);
    return sizeof(T);
  } else
    return find(shadow).bytes;
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
      then<int, long, X, T *>::go(f, d..., tapefree_dupv, long(distance(s)), x, shadow_of<L>(s, 0), a...);
    else
      then<int, X, T *>::go(f, d..., tapefree_dupi, x, shadow_of<L>(s, 0), a...);
  }
  template <class T, size_t... K, class X, class... A>
  static INLINED void separate(std::index_sequence<K...>, void *f, D... d, X x, T *s, A... a) {
    then<int, X, std::conditional_t<K < 99, T *, T *>...>::go(f, d..., tapefree_dup, x, shadow_of<L>(s, K)..., a...);
  }
};

inline double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

// Lowers `best` to the mean of some 30 ms of calls. Everything is inlined where the workload makes its call: the plugin must see
// the function's name there.
template <layout L, bool Forward, class... A> INLINED void lower(double &best, void *f, A... a) {
  int times = 0;
  double began = now(), passed = 0;
  while (passed < 0.03) {
    step<L, Forward>::go(f, a...);
    times++;
    passed = now() - began;
  }
  if (passed / times < best)
    best = passed / times;
}

#ifndef LANES_CODE
template <class... A> INLINED void measure(void *f, A... a) {
  static bool done = false;
  if (done)
    return;
  done = true;
  double reverse[4], forward[4];
  for (int i = 0; i < 4; i++)
    reverse[i] = forward[i] = 1e9;
  // All variants in every round: a busy spell of the machine then slows all of them, and none of their best times.
  for (int round = 0; round < 20; round++) {
    lower<layout::scalar, false>(reverse[0], f, a...);
    lower<layout::separate, false>(reverse[1], f, a...);
    lower<layout::strided, false>(reverse[2], f, a...);
    lower<layout::interleaved, false>(reverse[3], f, a...);
    clear();
    lower<layout::scalar, true>(forward[0], f, a...);
    lower<layout::separate, true>(forward[1], f, a...);
    lower<layout::strided, true>(forward[2], f, a...);
    lower<layout::interleaved, true>(forward[3], f, a...);
  }
  printf("{\"lanes\":%d,\"reverse_us\":%.1f,\"separate\":%.2f,\"strided\":%.2f,\"interleaved\":%.2f,"
         "\"forward_us\":%.1f,\"fwd_separate\":%.2f,\"fwd_strided\":%.2f,\"fwd_interleaved\":%.2f}\n",
         LANES, reverse[0] * 1e6, reverse[1] / reverse[0], reverse[2] / reverse[0], reverse[3] / reverse[0],
         forward[0] * 1e6, forward[1] / forward[0], forward[2] / forward[0], forward[3] / forward[0]);
}
template <class R, class... A> INLINED void instead(void *f, A... a) {
  measure(f, a...);
  step<layout::scalar, false>::go(f, a...);
}
#else
template <class R, class... A> INLINED void instead(void *f, A... a) { step<LANES_CODE>::go(f, a...); }
#endif
} // namespace lanes

// Arrays of the workload are entered above.
namespace bench {
template <class T> T *known_array(size_t n) {
  T *p = array<T>(n);
  lanes::blocks[lanes::count++] = {(char *)p, (n * sizeof(T) + 63) / 64 * 64, nullptr};
  return p;
}
} // namespace bench
#define array known_array
#define enzyme_dup lanes::dup()
#define enzyme_const lanes::constant()
#define __enzyme_autodiff lanes::instead
