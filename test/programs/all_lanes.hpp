// With -DTEST_LANES=N every derivative of a program in this folder is taken in a batch of N instead. Lane 0 is the program's
// own; the other lanes start from other shadows. A derivative is linear in its shadows, so from the first three lanes all
// others follow. -DTEST_LAYOUT=0, 1, 2: separate, strided, interleaved shadows.
//
// Sizes are not known here: up to a few kilobytes behind each shadow are copied to the lanes, whatever lies there, and only
// what the derivative changed is compared. Calls with shadows of structs or of tables of pointers are left as they are.
#pragma once
#include <cstddef>
#include <sys/uio.h>
#include <unistd.h>
#include <utility>

extern int tapefree_width, tapefree_dupv, tapefree_dupi, tapefree_dupnoneedv, tapefree_dupnoneedi;
extern int tapefree_dup, tapefree_const, tapefree_out, tapefree_dupnoneed;
template <class R, class... A> R __tapefree_autodiff(void *, A...);
template <class R, class... A> R __tapefree_fwddiff(void *, A...);

namespace lanes {
#define INLINED inline __attribute__((always_inline))
constexpr int N = TEST_LANES;
constexpr std::size_t most = 1 << 14; // bytes behind a shadow

inline long batched = 0, compared = 0;

/// What lane k starts from, where the program starts from x.
template <class T> T start(T x, int k, std::size_t i) {
  return x * (1 + T(0.125) * T(k * k)) + T(k) * T(0.25) * T(int(i * 7 % 5) - 2);
}

inline bool same_bits(const void *a, const void *b, std::size_t n) { return std::memcmp(a, b, n) == 0; }

/// Everything that derivatives make of such lanes is a polynomial of degree two in k.
template <class T> void follows(const T (&g)[N]) {
  if constexpr (N > 3) {
    double a = (double(g[2]) - 2 * double(g[1]) + double(g[0])) / 2;
    double b = double(g[1]) - double(g[0]) - a, size = 1;
    for (int k = 0; k < N; ++k) size = std::fmax(size, std::fabs(double(g[k])));
    for (int k = 3; k < N; ++k) {
      ++compared;
      double want = a * k * k + b * k + double(g[0]), got = double(g[k]);
      if (std::isfinite(want) && std::fabs(got - want) > (sizeof(T) == 4 ? 1e-3 : 1e-8) * k * k * size) {
        std::printf("FAIL lane %d: got %.12g, the first lanes say %.12g\n", k, got, want);
        std::exit(9);
      }
    }
  }
}

/// The lanes of one shadow of T.
template <class T> struct Shadow {
  using V = std::remove_const_t<T>;
  T *mine; // the program's
  std::size_t count = 0;
  V *before, *buffer;
  std::size_t at(int k, std::size_t i) const { return TEST_LAYOUT == 2 ? i * N + std::size_t(k) : std::size_t(k) * count + i; }
  T *lane(int k) const { return buffer + std::size_t(k) * count; }
  explicit Shadow(T *shadow) : mine(shadow) {
    before = static_cast<V *>(std::malloc(most));
    for (std::size_t bytes = most; bytes >= sizeof(T) && !count; bytes /= 2) { // never past what can be read
      iovec to{before, bytes}, from{const_cast<V *>(shadow), bytes};
      ssize_t got = shadow ? process_vm_readv(getpid(), &to, 1, &from, 1, 0) : 0;
      count = got > 0 ? std::size_t(got) / sizeof(T) : 0;
    }
    buffer = static_cast<V *>(std::malloc((count + 1) * sizeof(T) * N));
    for (int k = 0; k < N; ++k)
      for (std::size_t i = 0; i < count; ++i) {
        if (k == 0) std::memcpy(&buffer[at(k, i)], &before[i], sizeof(T)); // no arithmetic on what may be no number
        else buffer[at(k, i)] = start(before[i], k, i);
      }
  }
  /// Compares the lanes wherever one of them changed, and gives the program its own.
  void finish() {
    for (std::size_t i = 0; i < count; ++i) {
      bool changed = false;
      V all[N];
      for (int k = 0; k < N; ++k) {
        std::memcpy(&all[k], &buffer[at(k, i)], sizeof(T));
        V was = k == 0 ? before[i] : start(before[i], k, i);
        changed |= !same_bits(&all[k], &was, sizeof(T));
      }
      if (!changed) continue;
      follows(all);
      if (!same_bits(&all[0], &before[i], sizeof(T))) std::memcpy(const_cast<V *>(&mine[i]), &all[0], sizeof(T));
    }
    std::free(before);
    std::free(buffer);
  }
};

// ---- markers as types, so that a call can be taken apart while it is compiled ------------------------------------------

enum class Word { dup, dupnoneed, out, constant };
template <Word W> struct marker {};
template <class T> INLINED T as_word(T x) { return x; }
INLINED int as_word(marker<Word::dup>) { return tapefree_dup; }
INLINED int as_word(marker<Word::dupnoneed>) { return tapefree_dupnoneed; }
INLINED int as_word(marker<Word::out>) { return tapefree_out; }
INLINED int as_word(marker<Word::constant>) { return tapefree_const; }

template <class T> inline constexpr bool is_scalar_pointer = false;
template <class T> inline constexpr bool is_scalar_pointer<T *> = std::is_floating_point_v<std::remove_const_t<T>>;

template <bool Forward, class R> struct results {
  struct type { R lane[N]; };
};
template <bool Forward> struct results<Forward, void> {
  using type = void;
};

template <class R, bool Forward, class... A> INLINED R send(void *f, A... a) {
  if constexpr (Forward) return __tapefree_fwddiff<R>(f, a...);
  else return __tapefree_autodiff<R>(f, a...);
}
template <class R, bool Forward, class... A> INLINED R batch(void *f, A... a) {
  if constexpr (std::is_void_v<R>) {
    send<void, Forward>(f, tapefree_width, N, a...);
  } else {
    auto all = send<typename results<Forward, R>::type, Forward>(f, tapefree_width, N, a...);
    follows(all.lane);
    return all.lane[0];
  }
}

/// Whether a call can be batched, seen from the types of its arguments.
template <bool Forward> struct Simple {
  template <class... A> static constexpr bool all() {
    if constexpr (sizeof...(A) == 0) return true;
    else return first<A...>();
  }
  template <class X, class... A> static constexpr bool first() {
    if constexpr (std::is_same_v<X, marker<Word::dup>> || std::is_same_v<X, marker<Word::dupnoneed>>) return pair<A...>();
    else if constexpr (std::is_same_v<X, marker<Word::constant>> || std::is_same_v<X, marker<Word::out>>) return rest<A...>();
    else if constexpr (std::is_pointer_v<X> || (std::is_floating_point_v<X> && Forward)) return pair<X, A...>();
    else return all<A...>();
  }
  template <class X, class... A> static constexpr bool rest() { return all<A...>(); }
  template <class X, class S, class... A> static constexpr bool pair() {
    return (is_scalar_pointer<S> || std::is_floating_point_v<S>) && all<A...>();
  }
};

// Each step moves one argument from the front of the call behind those that are done, D.
template <bool Forward, class R, class... D> struct Step {
  template <class... More> using then = Step<Forward, R, D..., More...>;
  static INLINED R go(void *f, D... d) { return batch<R, Forward>(f, d...); }
  template <class X, class... A> static INLINED R go(void *f, D... d, X x, A... a) {
    if constexpr (std::is_same_v<X, marker<Word::dup>>) return shadowed<false>(f, d..., a...);
    else if constexpr (std::is_same_v<X, marker<Word::dupnoneed>>) return shadowed<true>(f, d..., a...);
    else if constexpr (std::is_same_v<X, marker<Word::constant>>) return marked(tapefree_const, f, d..., a...);
    else if constexpr (std::is_same_v<X, marker<Word::out>>) return marked(tapefree_out, f, d..., a...);
    else if constexpr (std::is_pointer_v<X> || (std::is_floating_point_v<X> && Forward)) return shadowed<false>(f, d..., x, a...);
    else return then<X>::go(f, d..., x, a...);
  }
  template <class X, class... A> static INLINED R marked(int word, void *f, D... d, X x, A... a) {
    return then<int, X>::go(f, d..., word, x, a...);
  }
  template <bool NoNeed, class X, class S, class... A> static INLINED R shadowed(void *f, D... d, X x, S s, A... a) {
    if constexpr (std::is_floating_point_v<S>) return scalar<S>(std::make_index_sequence<N>(), f, d..., x, s, a...);
    else {
      Shadow<std::remove_pointer_t<S>> all(s);
      if constexpr (std::is_void_v<R>) {
        buffers<NoNeed, S>(std::make_index_sequence<N>(), all, f, d..., x, a...);
        all.finish();
      } else {
        R r = buffers<NoNeed, S>(std::make_index_sequence<N>(), all, f, d..., x, a...);
        all.finish();
        return r;
      }
    }
  }
  template <class S, std::size_t... K, class X, class... A>
  static INLINED R scalar(std::index_sequence<K...>, void *f, D... d, X x, S s, A... a) {
    return then<int, X, decltype(S(K))...>::go(f, d..., tapefree_dup, x, (K == 0 ? s : start(s, int(K), 1))..., a...);
  }
  template <bool NoNeed, class S, class T, std::size_t... K, class X, class... A>
  static INLINED R buffers(std::index_sequence<K...>, Shadow<T> &all, void *f, D... d, X x, A... a) {
    if constexpr (TEST_LAYOUT == 0)
      return then<int, X, std::conditional_t<K < 99, S, S>...>::go(f, d..., NoNeed ? tapefree_dupnoneed : tapefree_dup, x,
                                                                  all.lane(int(K))..., a...);
    else if constexpr (TEST_LAYOUT == 1)
      return then<int, long, X, S>::go(f, d..., NoNeed ? tapefree_dupnoneedv : tapefree_dupv, long(all.count * sizeof(T)), x,
                                       all.buffer, a...);
    else
      return then<int, X, S>::go(f, d..., NoNeed ? tapefree_dupnoneedi : tapefree_dupi, x, all.buffer, a...);
  }
};

template <class R, bool Forward, class... A> INLINED R instead(void *f, A... a) {
  if constexpr (Simple<Forward>::template all<A...>() && !std::is_class_v<R>) return Step<Forward, R>::go(f, a...);
  else return send<R, Forward>(f, as_word(a)...);
}
} // namespace lanes

inline constexpr lanes::marker<lanes::Word::dup> test_dup;
inline constexpr lanes::marker<lanes::Word::dupnoneed> test_dupnoneed;
inline constexpr lanes::marker<lanes::Word::out> test_out;
inline constexpr lanes::marker<lanes::Word::constant> test_const;
#define enzyme_dup test_dup
#define enzyme_dupnoneed test_dupnoneed
#define enzyme_out test_out
#define enzyme_const test_const
#define tapefree_dup test_dup
#define tapefree_dupnoneed test_dupnoneed
#define tapefree_out test_out
#define tapefree_const test_const
template <class R, class... A> INLINED R test_autodiff(void *f, A... a) { return lanes::instead<R, false>(f, a...); }
template <class R, class... A> INLINED R test_fwddiff(void *f, A... a) { return lanes::instead<R, true>(f, a...); }
#define __enzyme_autodiff test_autodiff
#define __tapefree_autodiff test_autodiff
#define __enzyme_fwddiff test_fwddiff
#define __tapefree_fwddiff test_fwddiff
