// What Jacobians and Hessians are made of: the words input, output and workspace, scratch memory of bounded
// size, and one pass of W directions through a function.
#pragma once
#include "../tapefree.hpp"

namespace tapefree {

namespace detail {
template <class T> struct input_argument {
  T *data;
  std::size_t size;
};
template <class T> struct output_argument {
  T *data;
  std::size_t size;
};
template <class T> struct workspace_argument {
  T *data;
  std::size_t size;
};
} // namespace detail

// The n values that are differentiated with respect to. The parameter of f is a pointer, or a span taken by
// value.
template <detail::contiguous S> TAPEFREE_INLINE auto input(S &&x) {
  return detail::input_argument<detail::element_of<S>>{x.data(), static_cast<std::size_t>(x.size())};
}
template <class T> TAPEFREE_INLINE auto input(T *x, std::size_t n) { return detail::input_argument<T>{x, n}; }

// The m results that f writes. It must not read what it finds there: f may run several times.
template <detail::contiguous S> TAPEFREE_INLINE auto output(S &&y) {
  return detail::output_argument<detail::element_of<S>>{y.data(), static_cast<std::size_t>(y.size())};
}
template <class T> TAPEFREE_INLINE auto output(T *y, std::size_t m) {
  return detail::output_argument<T>{y, m};
}

// Scratch for the directions, where what is on the stack is too small or should not be used.
template <detail::contiguous S> TAPEFREE_INLINE auto workspace(S &&memory) {
  return detail::workspace_argument<detail::element_of<S>>{memory.data(),
                                                           static_cast<std::size_t>(memory.size())};
}

// Directions that a pass takes at once if nothing else is said.
#ifndef TAPEFREE_DEFAULT_WIDTH
#define TAPEFREE_DEFAULT_WIDTH 8
#endif
inline constexpr unsigned default_width = TAPEFREE_DEFAULT_WIDTH;

enum class sweep { automatic, forward, reverse };

// How Jacobians and Hessians are computed.
struct pass_options {
  sweep direction = sweep::automatic;
  unsigned width = default_width; // directions at once
  std::size_t stack = 2048;       // values of scratch on the stack, where no workspace is given
};

namespace detail {

// ---- what is called --------------------------------------------------------------------------------------

template <auto F> struct named {};

template <class F> struct callable : signature<std::remove_cv_t<F>> {
  using type = F;
};
template <class F>
  requires std::is_function_v<std::remove_pointer_t<F>>
struct callable<F> : signature<std::remove_pointer_t<F>> {
  using type = std::remove_pointer_t<F>;
};
template <auto F> struct callable<named<F>> : signature<std::remove_cv_t<decltype(F)>> {
  using type = decltype(F);
};

template <mode M, class F, class... W> TAPEFREE_INLINE auto call_pass(F &f, W &&...w) {
  return differentiate<M>(f, w...);
}
template <mode M, auto F, class... W> TAPEFREE_INLINE auto call_pass(named<F>, W &&...w) {
  return differentiate_constant<M, F>(w...);
}

// ---- which argument is which -----------------------------------------------------------------------------

template <class A> inline constexpr bool is_input = false;
template <class T> inline constexpr bool is_input<input_argument<T>> = true;
template <class A> inline constexpr bool is_output = false;
template <class T> inline constexpr bool is_output<output_argument<T>> = true;
template <class A> inline constexpr bool is_constant = false;
template <class T> inline constexpr bool is_constant<constant_argument<T>> = true;
template <class A> inline constexpr bool is_workspace = false;
template <class T> inline constexpr bool is_workspace<workspace_argument<T>> = true;

template <class... A> consteval std::size_t find_input() {
  std::size_t i = 0, at = sizeof...(A);
  ((is_input<A> ? void(at = i++) : void(++i)), ...);
  return at;
}
template <class... A> consteval std::size_t find_output() {
  std::size_t i = 0, at = sizeof...(A);
  ((is_output<A> ? void(at = i++) : void(++i)), ...);
  return at;
}
template <std::size_t I, class First, class... Rest> TAPEFREE_INLINE auto &pick(First &first, Rest &...rest) {
  if constexpr (I == 0)
    return first;
  else
    return pick<I - 1>(rest...);
}

template <class A> struct plain_parameter : guessed_parameter<mode{}, A> {};
template <class T> struct plain_parameter<input_argument<T>> {
  using type = T *;
};
template <class T> struct plain_parameter<output_argument<T>> {
  using type = T *;
};

template <class F, class... A> struct plain_binding {
  using parameters = list<typename plain_parameter<A>::type...>;
  using result = typename decltype(result_of_call<typename callable<F>::type>(parameters()))::type;
};
template <class F, class... A>
  requires(callable<F>::known)
struct plain_binding<F, A...> {
  using parameters = typename callable<F>::parameters;
  using result = typename callable<F>::result;
};
template <std::size_t I, class L> struct nth_parameter;
template <std::size_t I, class... P> struct nth_parameter<I, list<P...>> {
  using type = nth<I, P...>;
};

// What holds of a call's words; explain_words says what does not. Two classes, because one with a failed
// assertion cannot be asked any more.
template <class F, class... A> struct word_facts {
  static constexpr bool words = ((is_input<A> || is_output<A> || is_constant<A>) && ...);
  static constexpr bool one_input = (is_input<A> + ... + 0) == 1;
  static constexpr bool one_output = (is_output<A> + ... + 0) <= 1;
  static constexpr bool one_for_each = plain_binding<F, A...>::parameters::size == sizeof...(A);
  static constexpr bool right = words && one_input && one_output && one_for_each;
};
template <class Facts> struct explain_words {
  static constexpr bool words = Facts::words, one_input = !words || Facts::one_input,
                        one_output = !words || Facts::one_output,
                        one_for_each =
                            !words || !Facts::one_input || !Facts::one_output || Facts::one_for_each;
  static_assert(words, "tapefree: say what each argument is: input(x), output(y) or constant(x)");
  static_assert(one_input, "tapefree: give one input(x), the values to differentiate by");
  static_assert(one_output, "tapefree: give one output(y) at most");
  static_assert(one_for_each,
                "tapefree: wrong number of arguments: give one for each parameter of the function");
};

// ---- memory with W shadows, as parameter P takes it ------------------------------------------------------

template <class P, class T>
inline constexpr bool takes_span =
    !std::is_pointer_v<P> && std::is_constructible_v<bare<P>, T *, std::size_t>;

// A pointer: the W shadows of each value are adjacent, so that a pass works on whole SIMD registers.
template <unsigned W, class P, class T, bool Adjacent = true> struct shadowed {
  using value_type = std::remove_cv_t<T>;
  T *data;
  value_type *shadow;
  TAPEFREE_INLINE shadowed(T *d, std::size_t, value_type *s) : data(d), shadow(s) {}
  TAPEFREE_INLINE value_type &at(std::size_t i, std::size_t k) { return shadow[i * W + k]; }
  TAPEFREE_INLINE auto word() {
    if constexpr (W == 1)
      return tapefree::dup(data, shadow);
    else
      return tapefree::dup_interleaved(data, shadow);
  }
};

// A pointer beside spans: W shadows one behind the other, as theirs, because one pointer in the function may
// lead to either.
template <unsigned W, class P, class T>
  requires(!takes_span<P, T>)
struct shadowed<W, P, T, false> {
  using value_type = std::remove_cv_t<T>;
  T *data;
  value_type *shadow;
  std::size_t size;
  TAPEFREE_INLINE shadowed(T *d, std::size_t n, value_type *s) : data(d), shadow(s), size(n) {}
  TAPEFREE_INLINE value_type &at(std::size_t i, std::size_t k) { return shadow[k * size + i]; }
  TAPEFREE_INLINE auto word() { return word(std::make_index_sequence<W>()); }
  template <std::size_t... K> TAPEFREE_INLINE auto word(std::index_sequence<K...>) {
    return tapefree::dup(data, shadow + K * size...);
  }
};

// A span: W spans of shadow memory, one behind the other.
template <unsigned W, class P, class T, bool Adjacent>
  requires takes_span<P, T>
struct shadowed<W, P, T, Adjacent> {
  using value_type = std::remove_cv_t<T>;
  using span = bare<P>;
  value_type *shadow;
  std::size_t size;
  span object;
  lane_array<span, W> lanes;
  TAPEFREE_INLINE shadowed(T *d, std::size_t n, value_type *s)
      : shadowed(d, n, s, std::make_index_sequence<W>()) {}
  template <std::size_t... K>
  TAPEFREE_INLINE shadowed(T *d, std::size_t n, value_type *s, std::index_sequence<K...>)
      : shadow(s), size(n), object(d, n), lanes{{span(s + K * n, n)...}} {}
  TAPEFREE_INLINE value_type &at(std::size_t i, std::size_t k) { return shadow[k * size + i]; }
  TAPEFREE_INLINE auto word() { return word(std::make_index_sequence<W>()); }
  template <std::size_t... K> TAPEFREE_INLINE auto word(std::index_sequence<K...>) {
    return tapefree::dup(object, lanes.lane[K]...);
  }
};

// The word of an argument in a pass: shadows for input and output, the argument itself for a constant.
template <class A, class In, class Out> TAPEFREE_INLINE decltype(auto) pass_word(A &a, In &in, Out &out) {
  if constexpr (is_input<A>)
    return in.word();
  else if constexpr (is_output<A>)
    return out.word();
  else
    return (a);
}

template <class T> TAPEFREE_INLINE void clear(T *p, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    p[i] = T();
}

// ---- passes ----------------------------------------------------------------------------------------------

// The part of a call that passes need to know: parameters in and out with their elements' types.
template <class F, class... A> struct pass_types {
  using parameters = typename plain_binding<F, A...>::parameters;
  static constexpr std::size_t in = find_input<A...>(), out = find_output<A...>();
  static constexpr bool has_output = out < sizeof...(A);
};
// Whether input and output are all pointers.
template <class F, class... A> consteval bool shadows_adjacent() {
  return []<class... P>(list<P...>) {
    return ((std::is_pointer_v<P> || is_constant<A>) && ...);
  }(typename plain_binding<F, A...>::parameters());
}
template <unsigned W, std::size_t I, class F, class... A>
TAPEFREE_INLINE auto
make_shadowed(std::remove_cv_t<std::remove_pointer_t<decltype(pick<I>(std::declval<A &>()...).data)>> *memory,
              A &...a) {
  auto &x = pick<I>(a...);
  return shadowed<W, typename nth_parameter<I, typename plain_binding<F, A...>::parameters>::type,
                  std::remove_pointer_t<decltype(x.data)>, shadows_adjacent<F, A...>()>(x.data, x.size,
                                                                                        memory);
}

// W directions forward: seed(dx) fills the directions, read(dy) takes what becomes of them. memory: W * (n +
// m) values.
template <unsigned W, class F, class T, class Seed, class Read, class... A>
TAPEFREE_INLINE void forward_pass(F &f, T *memory, Seed seed, Read read, A &...a) {
  using types = pass_types<F, A...>;
  const std::size_t n = pick<types::in>(a...).size, m = pick<types::out>(a...).size;
  clear(memory, W * (n + m));
  auto dx = make_shadowed<W, types::in, F>(memory, a...);
  auto dy = make_shadowed<W, types::out, F>(memory + W * n, a...);
  seed(dx);
  call_pass<mode{.forward = true, .width = W}>(f, pass_word(a, dx, dy)...);
  read(dy);
}

// W weightings of the outputs backward: seed(dy) says which, read(dx) takes the derivatives. memory: as
// above.
template <unsigned W, class F, class T, class Seed, class Read, class... A>
TAPEFREE_INLINE void reverse_pass(F &f, T *memory, Seed seed, Read read, A &...a) {
  using types = pass_types<F, A...>;
  const std::size_t n = pick<types::in>(a...).size, m = pick<types::out>(a...).size;
  clear(memory, W * (n + m));
  auto dx = make_shadowed<W, types::in, F>(memory, a...);
  auto dy = make_shadowed<W, types::out, F>(memory + W * n, a...);
  seed(dy);
  call_pass<mode{.width = W}>(f, pass_word(a, dx, dy)...);
  read(dx);
}

// How many of `left` directions the next pass takes: W, or one where less than half of W is left.
template <unsigned W> TAPEFREE_INLINE constexpr std::size_t pass_lanes(std::size_t left) {
  return left >= W ? W : 2 * left >= W ? left : 1;
}

} // namespace detail
} // namespace tapefree
