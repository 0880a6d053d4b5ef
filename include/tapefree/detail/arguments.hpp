// The argument words (active, dup, dup_noneed, constant, ...), the mistakes one can make with them, and how
// each is spelled in the call convention of abi.h.
#pragma once
#include "../abi.h"
#include "lengths.hpp"
#include "types.hpp"

namespace tapefree {

// What a gradient may assume of buffers that are reached in different ways.
enum class alias {
  of_file,  // what -tapefree-alias or TAPEFREE_ALIAS says
  checked,  // tested at run time
  c,        // only what the source proves
  disjoint, // promised by the caller
};

} // namespace tapefree

namespace tapefree::detail {

struct mode {
  bool forward = false;
  bool value = false; // the function's value is returned as well
  bool strict = false;
  alias policy = alias::of_file;
  bool workspace = false; // kept values lie in memory of the caller
  bool size = false;      // no derivative: the bytes that one keeps there
  bool map = false;       // no derivatives: the function once for each lane
  unsigned width = 1;
};

template <class T, unsigned N> struct lane_array {
  T lane[N];
  constexpr T &operator[](std::size_t i) { return lane[i]; }
  constexpr const T &operator[](std::size_t i) const { return lane[i]; }
  constexpr const T *begin() const { return lane; }
  constexpr const T *end() const { return lane + N; }
  static constexpr std::size_t size() { return N; }
};
template <class T, unsigned N> using lanes_of = std::conditional_t<N == 1, T, lane_array<T, N>>;

// ---- what the words make -------------------------------------------------------------------------------

// T is an lvalue reference where an lvalue was given, else the value itself.
template <class T> struct active_argument {
  T value;
};
template <class T> struct constant_argument {
  T value;
};
enum class layout { separate, strided, interleaved };
template <bool Noneed, layout Layout, class T, class... S> struct dup_argument {
  T value;
  pack<S...> shadows;
  std::ptrdiff_t stride;
};

// x of known length, its shadow N times as long.
template <bool Noneed, class T, class S> struct dup_lanes_argument {
  T *value;
  std::size_t size;
  S *shadow;
  std::size_t shadow_size;
};

template <class A> inline constexpr bool is_argument = false;
template <bool N, class T, class S> inline constexpr bool is_argument<dup_lanes_argument<N, T, S>> = true;
template <class T> inline constexpr bool is_argument<active_argument<T>> = true;
template <class T> inline constexpr bool is_argument<constant_argument<T>> = true;
template <bool N, layout L, class T, class... S>
inline constexpr bool is_argument<dup_argument<N, L, T, S...>> = true;

// ---- parameters ----------------------------------------------------------------------------------------

// A scalar travels as itself (pointers as void *: only the function knows their type), anything else by
// address.
template <class P>
inline constexpr bool by_address = std::is_reference_v<P> || !is_scalar<std::remove_cv_t<P>>;
template <class P> inline constexpr bool is_class_by_value = !std::is_reference_v<P> && by_address<P>;

template <class P> struct lowered_t {
  using type = std::remove_cv_t<P>;
};
template <class P>
  requires(by_address<P> || std::is_pointer_v<P> || std::is_null_pointer_v<std::remove_cv_t<P>>)
struct lowered_t<P> {
  using type = void *;
};
template <class P>
  requires std::is_enum_v<P>
struct lowered_t<P> {
  using type = std::underlying_type_t<P>;
};
template <class P> using lowered = typename lowered_t<P>::type;

template <class T> TAPEFREE_INLINE void *erase(T *p) {
  if constexpr (std::is_function_v<T>)
    return reinterpret_cast<void *>(p);
  else
    return const_cast<void *>(static_cast<const volatile void *>(p));
}

// x as parameter P, in the form that travels.
template <class P, class T> TAPEFREE_INLINE lowered<P> lower(T &x) {
  if constexpr (by_address<P>)
    return erase(static_cast<std::add_const_t<bare<P>> *>(__builtin_addressof(x)));
  else if constexpr (std::is_pointer_v<P>)
    return erase(static_cast<P>(x));
  else if constexpr (std::is_null_pointer_v<P>)
    return nullptr;
  else
    return static_cast<lowered<P>>(static_cast<P>(x));
}

// Back again, inside a trampoline.
template <class P> TAPEFREE_INLINE P raise(lowered<P> x) {
  if constexpr (std::is_reference_v<P>)
    return static_cast<P>(*static_cast<std::remove_reference_t<P> *>(x));
  else if constexpr (by_address<P>)
    return *static_cast<const P *>(x);
  else if constexpr (std::is_null_pointer_v<P>)
    return nullptr;
  else if constexpr (std::is_pointer_v<P> && std::is_function_v<std::remove_pointer_t<P>>)
    return reinterpret_cast<P>(x);
  else
    return static_cast<P>(x);
}

// ---- mistakes ------------------------------------------------------------------------------------------

enum class mistake {
  none,
  not_wrapped,
  active_not_floating,
  active_by_reference,
  active_forward,
  dup_by_value,
  not_convertible,
  shadow_type,
  shadow_const,
  shadow_count,
  not_a_lane_word,
  lane_count,
  buffer_not_pointer,
};

template <class P, class T> consteval bool can_lower() {
  using given = std::remove_reference_t<T>;
  if constexpr (!by_address<P>)
    return std::is_convertible_v<T, P>;
  else if constexpr (std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>)
    return std::is_lvalue_reference_v<T> && std::is_convertible_v<given *, std::remove_reference_t<P> *>;
  else
    return std::is_convertible_v<const given *, const bare<P> *>;
}
// A scalar for a const reference may be converted: a copy is kept for the time of the call.
template <class P, class T>
inline constexpr bool lowers_copy =
    by_address<P> && !can_lower<P, T>() && is_scalar<bare<P>> &&
    !(std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>) &&
    std::is_convertible_v<T, bare<P>>;

template <mode M, class P, class A> struct find_mistake {
  static constexpr mistake value = M.map ? mistake::not_a_lane_word : mistake::not_wrapped;
};
template <mode M, class P, class T> struct find_mistake<M, P, constant_argument<T>> {
  static constexpr mistake value =
      can_lower<P, T>() || lowers_copy<P, T> ? mistake::none : mistake::not_convertible;
};
template <mode M, class P, class T> struct find_mistake<M, P, active_argument<T>> {
  static constexpr mistake value =
      M.map                                      ? mistake::not_a_lane_word
      : !is_floating<T> || !is_floating<bare<P>> ? mistake::active_not_floating
      : M.forward                                ? mistake::active_forward
      : std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>
          ? mistake::active_by_reference
          : mistake::none;
};
template <mode M, class P, bool N, layout L, class T, class... S>
struct find_mistake<M, P, dup_argument<N, L, T, S...>> {
  template <class Shadow> static consteval mistake of_shadow() {
    if constexpr (!by_address<P> && !std::is_pointer_v<P>) { // a value and its tangent
      return std::is_convertible_v<Shadow, P> && !std::is_pointer_v<std::decay_t<Shadow>>
                 ? mistake::none
                 : mistake::shadow_type;
    } else if constexpr (by_address<P>) {
      if (!std::is_same_v<bare<T>, bare<Shadow>>)
        return mistake::shadow_type;
      return M.forward ||
                     (std::is_lvalue_reference_v<Shadow> && !std::is_const_v<std::remove_reference_t<Shadow>>)
                 ? mistake::none
                 : mistake::shadow_const;
    } else {
      using primal = std::decay_t<T>;
      using shadow = std::decay_t<Shadow>;
      if constexpr (!std::is_pointer_v<shadow>) {
        return mistake::shadow_type;
      } else {
        if (!std::is_void_v<std::remove_pointer_t<primal>> &&
            !std::is_same_v<without_const<primal>, without_const<shadow>>)
          return mistake::shadow_type;
        return M.forward || !std::is_const_v<std::remove_pointer_t<shadow>> ? mistake::none
                                                                            : mistake::shadow_const;
      }
    }
  }
  static consteval mistake find() {
    constexpr bool tangent_of_value = M.forward && !by_address<P> && is_floating<std::remove_cv_t<P>>;
    if constexpr (M.map) {
      return mistake::not_a_lane_word;
    } else if constexpr (!by_address<P> && !std::is_pointer_v<P> && !tangent_of_value) {
      return mistake::dup_by_value;
    } else if constexpr (!can_lower<P, T>()) {
      return mistake::not_convertible;
    } else {
      mistake first = mistake::none;
      ((first = first == mistake::none ? of_shadow<S>() : first), ...);
      if (first == mistake::none && sizeof...(S) != (L == layout::separate ? M.width : 1))
        return mistake::shadow_count;
      return first;
    }
  }
  static constexpr mistake value = find();
};

template <mode M, class P, bool N, class T, class S>
struct find_mistake<M, P, dup_lanes_argument<N, T, S>>
    : find_mistake<M, P, dup_argument<N, layout::strided, T *, S *>> {};

// Instantiated once for each argument; its name and place tell which one. At most one assertion fires.
template <int Number, class Parameter, class Given, mistake Found> struct check_argument {
  static constexpr bool is_wrapped = Found != mistake::not_wrapped;
  static constexpr bool active_is_floating = Found != mistake::active_not_floating;
  static constexpr bool active_is_by_value = Found != mistake::active_by_reference;
  static constexpr bool active_is_reverse = Found != mistake::active_forward;
  static constexpr bool dup_has_memory = Found != mistake::dup_by_value;
  static constexpr bool converts = Found != mistake::not_convertible;
  static constexpr bool shadow_has_same_type = Found != mistake::shadow_type;
  static constexpr bool shadow_is_writable = Found != mistake::shadow_const;
  static constexpr bool shadow_for_each_lane = Found != mistake::shadow_count;
  static constexpr bool is_lane_word = Found != mistake::not_a_lane_word;
  static constexpr bool value_for_each_lane = Found != mistake::lane_count;
  static constexpr bool buffer_is_memory = Found != mistake::buffer_not_pointer;
  static_assert(is_wrapped, "tapefree: say how each argument takes part: active(x), dup(p, dp), "
                            "dup_noneed(p, dp) or constant(x)");
  static_assert(active_is_floating, "tapefree: active is for floating-point values; use constant for others");
  static_assert(active_is_by_value, "tapefree: the function may write through this reference; "
                                    "use dup(x, dx) in place of active(x)");
  static_assert(active_is_reverse, "tapefree: forward mode needs a direction; use dup(x, dx)");
  static_assert(dup_has_memory, "tapefree: dup is for pointers and references; use active(x) for a "
                                "floating-point value, constant(x) for others");
  static_assert(converts, "tapefree: the argument does not convert to the function's parameter");
  static_assert(shadow_has_same_type, "tapefree: the shadow must have the type of its argument");
  static_assert(shadow_is_writable, "tapefree: the derivative is added into the shadow, so it must be "
                                    "writable memory: not const, not a temporary");
  static_assert(shadow_for_each_lane, "tapefree: give as many shadows as the batch is wide");
  static_assert(is_lane_word, "tapefree: say how each argument differs between the lanes: "
                              "per_lane(x0, x1, ...), buffer(p, stride) or constant(x)");
  static_assert(value_for_each_lane, "tapefree: give as many values as there are lanes");
  static_assert(buffer_is_memory, "tapefree: buffer is for pointers and references; "
                                  "use per_lane or constant for a value");
};

// ---- slots: one argument, as it stands in the call -------------------------------------------------------
// items: how many arguments of the call it fills; item<I>(): the I-th. Markers are loads of their globals.

template <mode M, class P, class A> struct slot;

template <mode M, class P, class T> struct slot<M, P, constant_argument<T>> {
  static constexpr std::size_t items = 2;
  static constexpr bool copies = lowers_copy<P, T>;
  using stored = std::conditional_t<copies, bare<P>, lowered<P>>;
  stored value;
  TAPEFREE_INLINE explicit slot(constant_argument<T> &a) : value(make(a.value)) {}
  static TAPEFREE_INLINE stored make(std::remove_reference_t<T> &x) {
    if constexpr (copies)
      return static_cast<bare<P>>(x);
    else
      return lower<P>(x);
  }
  template <std::size_t I> TAPEFREE_INLINE auto item() {
    if constexpr (I == 0 && M.map)
      return tapefree_scalar;
    else if constexpr (I == 0)
      return tapefree_const;
    else if constexpr (copies)
      return erase(&value);
    else
      return value;
  }
};

// An active value: its derivative comes back in the call's result.
template <mode M, class P, class T> struct slot<M, P, active_argument<T>> {
  static constexpr std::size_t items = 2;
  using type = bare<P>;
  type value;
  TAPEFREE_INLINE explicit slot(active_argument<T> &a) : value(static_cast<type>(a.value)) {}
  template <std::size_t I> TAPEFREE_INLINE auto item() {
    if constexpr (I == 0)
      return tapefree_out;
    else
      return value;
  }
};

// An active value for a const reference: the derivative is gathered in a shadow of our own.
template <mode M, class P, class T>
  requires by_address<P>
struct slot<M, P, active_argument<T>> {
  static constexpr std::size_t items = 2 + M.width;
  using type = bare<P>;
  type value;
  type shadow[M.width] = {};
  TAPEFREE_INLINE explicit slot(active_argument<T> &a) : value(static_cast<type>(a.value)) {}
  template <std::size_t I> TAPEFREE_INLINE auto item() {
    if constexpr (I == 0)
      return tapefree_dup;
    else if constexpr (I == 1)
      return erase(&value);
    else
      return erase(&shadow[I - 2]);
  }
  TAPEFREE_INLINE lanes_of<type, M.width> derivative() const {
    if constexpr (M.width == 1) {
      return shadow[0];
    } else {
      lanes_of<type, M.width> all;
      for (unsigned k = 0; k < M.width; ++k)
        all.lane[k] = shadow[k];
      return all;
    }
  }
};

template <mode M, class P, bool Noneed, layout L, class T, class... S>
struct slot<M, P, dup_argument<Noneed, L, T, S...>> {
  static constexpr bool strided = L == layout::strided;
  static constexpr std::size_t items = 2 + strided + sizeof...(S);
  lowered<P> value;
  lowered<P> shadow[sizeof...(S)];
  std::ptrdiff_t stride;
  TAPEFREE_INLINE explicit slot(dup_argument<Noneed, L, T, S...> &a)
      : slot(a, std::make_index_sequence<sizeof...(S)>()) {}
  template <std::size_t... I>
  TAPEFREE_INLINE slot(dup_argument<Noneed, L, T, S...> &a, std::index_sequence<I...>)
      : value(lower<P>(a.value)), shadow{lower_shadow(at<I>(a.shadows))...}, stride(a.stride) {}
  template <class X> static TAPEFREE_INLINE lowered<P> lower_shadow(X &x) {
    if constexpr (by_address<P> || std::is_convertible_v<X &, P>)
      return lower<P>(x);
    else // a shadow that only differs from P in const
      return erase(static_cast<std::decay_t<X>>(x));
  }
  static TAPEFREE_INLINE auto dupv_marker() {
    if constexpr (Noneed)
      return tapefree_dupnoneedv;
    else
      return tapefree_dupv;
  }
  template <std::size_t I> TAPEFREE_INLINE auto item() {
    if constexpr (I == 0) {
      if constexpr (L == layout::interleaved)
        return tapefree_dupi;
      else if constexpr (strided)
        return dupv_marker();
      else if constexpr (Noneed)
        return tapefree_dupnoneed;
      else
        return tapefree_dup;
    } else if constexpr (strided && I == 1) {
      return stride;
    } else if constexpr (I == 1 + strided) {
      return value;
    } else {
      return shadow[I - 2 - strided];
    }
  }
};

template <mode M, class P, bool Noneed, class T, class S>
struct slot<M, P, dup_lanes_argument<Noneed, T, S>>
    : slot<M, P, dup_argument<Noneed, layout::strided, T *, S *>> {
  using strided = dup_argument<Noneed, layout::strided, T *, S *>;
  using base = slot<M, P, strided>;
  TAPEFREE_INLINE explicit slot(dup_lanes_argument<Noneed, T, S> &a)
      : slot(as_strided(a), std::index_sequence<>()) {}
  TAPEFREE_INLINE slot(strided a, std::index_sequence<>) : base(a) {}
  static TAPEFREE_INLINE strided as_strided(dup_lanes_argument<Noneed, T, S> &a) {
    check_length(a.shadow_size == a.size * M.width,
                 "dupv: the shadow must hold as many elements as its argument, times the width of the batch");
    return {a.value, {{a.shadow}}, static_cast<std::ptrdiff_t>(a.size * sizeof(T))};
  }
};

// Where kept values go; empty: on the heap.
struct kept_memory {
  void *begin = nullptr;
  std::size_t bytes = 0;
};

// The options that stand before the arguments.
template <mode M> struct option_slot {
  static constexpr bool has_policy = M.policy != alias::of_file;
  static constexpr bool strict_checked = M.strict && M.policy == alias::checked; // one word for both
  static constexpr std::size_t words = M.strict + has_policy - strict_checked;
  static constexpr std::size_t workspace = words + M.value, width = workspace + 3 * M.workspace;
  static constexpr std::size_t items = width + 2 * (M.width > 1 || M.map);
  kept_memory memory;
  static TAPEFREE_INLINE auto policy() {
    if constexpr (strict_checked)
      return tapefree_strict_checked;
    else if constexpr (M.policy == alias::checked)
      return tapefree_alias_checked;
    else if constexpr (M.policy == alias::c)
      return tapefree_alias_c;
    else
      return tapefree_alias_disjoint;
  }
  template <std::size_t I> TAPEFREE_INLINE auto item() {
    if constexpr (M.strict && !strict_checked && I == 0)
      return tapefree_strict;
    else if constexpr (I < words)
      return policy();
    else if constexpr (I < workspace)
      return tapefree_primal_return;
    else if constexpr (I < width && I == workspace)
      return tapefree_workspace;
    else if constexpr (I < width && I == workspace + 1)
      return memory.begin;
    else if constexpr (I < width)
      return memory.bytes;
    else if constexpr (I == width)
      return tapefree_width;
    else
      return static_cast<int>(M.width);
  }
};

// The object of a functor with state.
template <mode M> struct object_slot {
  static constexpr std::size_t items = 2;
  void *object;
  template <std::size_t I> TAPEFREE_INLINE auto item() {
    if constexpr (I == 0 && M.map)
      return tapefree_scalar;
    else if constexpr (I == 0)
      return tapefree_const;
    else
      return object;
  }
};

} // namespace tapefree::detail
