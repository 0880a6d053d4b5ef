// The words of vmap (per_lane, buffer; constant is shared with derivatives): one function called for N lanes.
#pragma once
#include "call.hpp"
#include "lengths.hpp"

namespace tapefree::detail {

// One value for each lane, or one array of them.
template <class... T> struct lane_argument {
  pack<T...> values;
};
// Memory of all lanes: lane k begins at p + k * stride bytes.
template <class T> struct buffer_argument {
  T pointer;
  std::ptrdiff_t stride;
};
// The same, cut into N equal pieces.
template <class T> struct pieces_argument {
  T *begin;
  std::size_t size;
};

template <class... T> inline constexpr bool is_argument<lane_argument<T...>> = true;
template <class T> inline constexpr bool is_argument<buffer_argument<T>> = true;
template <class T> inline constexpr bool is_argument<pieces_argument<T>> = true;

// ---- an array with the values of all lanes ---------------------------------------------------------------

template <class R> struct range_size { // known at run time only
  static constexpr std::size_t fixed = 0;
};
template <class T, std::size_t N> struct range_size<T[N]> {
  static constexpr std::size_t fixed = N;
};
template <class R>
  requires requires { std::tuple_size<R>::value; }
struct range_size<R> {
  static constexpr std::size_t fixed = std::tuple_size<R>::value;
};
template <class T, unsigned N> struct range_size<lane_array<T, N>> {
  static constexpr std::size_t fixed = N;
};

template <class T, class R = std::remove_reference_t<T>>
inline constexpr bool is_lane_range = std::is_array_v<R> || contiguous<R> || range_size<bare<R>>::fixed != 0;

// Whether the one value given stands for all lanes.
template <unsigned N, class P, class... T> inline constexpr bool takes_range = false;
template <unsigned N, class P, class T>
inline constexpr bool takes_range<N, P, T> = is_lane_range<T> && !(N == 1 && can_lower<P, T>());

template <class R> TAPEFREE_INLINE auto &lane_of(R &range, std::size_t k) {
  if constexpr (std::is_array_v<R>)
    return range[k];
  else if constexpr (contiguous<R>)
    return range.data()[k];
  else
    return range.lane[k];
}

// ---- mistakes --------------------------------------------------------------------------------------------

template <class P, class T> consteval mistake mistake_of_lane() {
  return can_lower<P, T>() || lowers_copy<P, T> ? mistake::none : mistake::not_convertible;
}

template <mode M, class P, class... T>
  requires(M.map)
struct find_mistake<M, P, lane_argument<T...>> {
  static consteval mistake find() {
    if constexpr (takes_range<M.width, P, T...>) {
      using range = std::remove_reference_t<nth<0, T...>>;
      constexpr std::size_t fixed = range_size<std::remove_cv_t<range>>::fixed;
      if (fixed != 0 && fixed != M.width)
        return mistake::lane_count;
      return mistake_of_lane<P, decltype(lane_of(std::declval<range &>(), 0))>();
    } else {
      if (sizeof...(T) != M.width)
        return mistake::lane_count;
      mistake first = mistake::none;
      ((first = first == mistake::none ? mistake_of_lane<P, T>() : first), ...);
      return first;
    }
  }
  static constexpr mistake value = find();
};

// A buffer holds what P points or refers to.
template <class P, class Pointer> consteval mistake mistake_of_buffer() {
  if constexpr (std::is_pointer_v<P>)
    return std::is_convertible_v<Pointer, P> ? mistake::none : mistake::not_convertible;
  else if constexpr (std::is_reference_v<P> && std::is_pointer_v<Pointer>)
    return std::is_convertible_v<Pointer, std::remove_reference_t<P> *> ? mistake::none
                                                                        : mistake::not_convertible;
  else
    return mistake::buffer_not_pointer;
}
template <mode M, class P, class T>
  requires(M.map)
struct find_mistake<M, P, buffer_argument<T>> {
  static constexpr mistake value = mistake_of_buffer<P, std::decay_t<T>>();
};
template <mode M, class P, class T>
  requires(M.map)
struct find_mistake<M, P, pieces_argument<T>> {
  static constexpr mistake value = mistake_of_buffer<P, T *>();
};

// ---- slots -----------------------------------------------------------------------------------------------

template <mode M, class P, class... T> struct slot<M, P, lane_argument<T...>> {
  static constexpr std::size_t items = 1 + M.width;
  static constexpr bool range = takes_range<M.width, P, T...>;
  static constexpr bool copies = [] {
    if constexpr (range)
      return lowers_copy<P, decltype(lane_of(std::declval<std::remove_reference_t<nth<0, T...>> &>(), 0))>;
    else
      return (lowers_copy<P, T> || ...);
  }();
  using stored = std::conditional_t<copies, bare<P>, lowered<P>>;
  stored values[M.width];

  TAPEFREE_INLINE explicit slot(lane_argument<T...> &a) : slot(a, std::make_index_sequence<M.width>()) {}
  template <std::size_t... I>
  TAPEFREE_INLINE slot(lane_argument<T...> &a, std::index_sequence<I...>)
      : values{make(lane<I>(checked(a)))...} {}
  static TAPEFREE_INLINE lane_argument<T...> &checked(lane_argument<T...> &a) {
    if constexpr (range && range_size<bare<nth<0, T...>>>::fixed == 0)
      check_length(static_cast<std::size_t>(at<0>(a.values).size()) == M.width,
                   "per_lane: the array must hold one value for each lane");
    return a;
  }
  template <std::size_t I> static TAPEFREE_INLINE auto &lane(lane_argument<T...> &a) {
    if constexpr (range)
      return lane_of(at<0>(a.values), I);
    else
      return at<I>(a.values);
  }
  template <class X> static TAPEFREE_INLINE stored make(X &x) {
    if constexpr (copies)
      return static_cast<bare<P>>(x);
    else
      return lower<P>(x);
  }
  template <std::size_t I> TAPEFREE_INLINE auto item() {
    if constexpr (I == 0)
      return tapefree_vector;
    else if constexpr (copies)
      return erase(&values[I - 1]);
    else
      return values[I - 1];
  }
};

template <mode M> struct buffer_slot {
  static constexpr std::size_t items = 3;
  void *pointer;
  std::ptrdiff_t stride;
  template <std::size_t I> TAPEFREE_INLINE auto item() {
    if constexpr (I == 0)
      return tapefree_buffer;
    else if constexpr (I == 1)
      return stride;
    else
      return pointer;
  }
};
template <class P, class T> TAPEFREE_INLINE void *buffer_start(T x) {
  if constexpr (std::is_pointer_v<P>)
    return erase(static_cast<P>(x));
  else
    return erase(static_cast<std::remove_reference_t<P> *>(x));
}
template <mode M, class P, class T> struct slot<M, P, buffer_argument<T>> : buffer_slot<M> {
  TAPEFREE_INLINE explicit slot(buffer_argument<T> &a)
      : buffer_slot<M>{buffer_start<P>(static_cast<std::decay_t<T>>(a.pointer)), a.stride} {}
};
template <mode M, class P, class T> struct slot<M, P, pieces_argument<T>> : buffer_slot<M> {
  TAPEFREE_INLINE explicit slot(pieces_argument<T> &a)
      : buffer_slot<M>{buffer_start<P>(a.begin), static_cast<std::ptrdiff_t>(a.size / M.width * sizeof(T))} {
    check_length(a.size % M.width == 0, "buffer: the length is not a multiple of the number of lanes");
  }
};

// ---- the parameter that a generic callable has for an argument -------------------------------------------

template <class T> struct parameter_for {
  using type = std::conditional_t<is_scalar<std::decay_t<T>>, std::decay_t<T>, const bare<T> &>;
};
template <mode M, class T, class... Rest> struct guessed_parameter<M, lane_argument<T, Rest...>> {
  template <class V> struct element {
    using type = V;
  };
  template <class V>
    requires(M.map && sizeof...(Rest) == 0 && M.width > 1 && is_lane_range<V>)
  struct element<V> {
    using type = decltype(lane_of(std::declval<std::remove_reference_t<V> &>(), 0));
  };
  using type = typename parameter_for<typename element<T>::type>::type;
};
template <mode M, class T> struct guessed_parameter<M, buffer_argument<T>> {
  using type = std::decay_t<T>;
};
template <mode M, class T> struct guessed_parameter<M, pieces_argument<T>> {
  using type = T *;
};

} // namespace tapefree::detail
