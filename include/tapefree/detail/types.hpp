// The small type vocabulary of the typed API: what kinds of types there are, packs of values whose layout is
// that of a plain C struct, and the signature of everything that can be called.
#pragma once
#if __cplusplus < 202002L
#ifdef __clang__ // fatal: nothing of what follows can be understood
#pragma clang diagnostic fatal "-W#warnings"
#warning Tapefree's C++ interface needs C++20: add -std=c++20 (C and older C++ have tapefree/abi.h)
#endif
#error Tapefree's C++ interface needs C++20: add -std=c++20 (C and older C++ have tapefree/abi.h)
#endif
#include <cstddef>
#include <type_traits>
#include <utility>

#define TAPEFREE_INLINE inline __attribute__((always_inline))

namespace tapefree::detail {

// ---- kinds of types ------------------------------------------------------------------------------------

template <class T> inline constexpr bool is_floating = std::is_floating_point_v<T>;
#ifdef __FLT16_MAX__
template <> inline constexpr bool is_floating<_Float16> = true;
#endif

template <class T> using bare = std::remove_cv_t<std::remove_reference_t<T>>;

// What the C ABI passes in one piece; everything else goes by address.
template <class T>
inline constexpr bool is_scalar = is_floating<T> || std::is_arithmetic_v<T> || std::is_enum_v<T> ||
                                  std::is_pointer_v<T> || std::is_null_pointer_v<T>;

// Removes const at every level of a pointer: const double *const * becomes double **.
template <class T> struct without_const_t {
  using type = std::remove_cv_t<T>;
};
template <class T>
  requires std::is_pointer_v<T>
struct without_const_t<T> {
  using type = typename without_const_t<std::remove_cv_t<std::remove_pointer_t<T>>>::type *;
};
template <class T> using without_const = typename without_const_t<std::remove_cv_t<T>>::type;

// ---- packs ---------------------------------------------------------------------------------------------

template <class... T> struct list {
  static constexpr std::size_t size = sizeof...(T);
};

template <std::size_t I, class T> struct leaf {
  T value;
};
template <class Indices, class... T> struct leaves;
// Each leaf lies where the member of a struct { T0 a; T1 b; ... } lies, which std::tuple does not promise.
template <std::size_t... I, class... T> struct leaves<std::index_sequence<I...>, T...> : leaf<I, T>... {};
template <class... T> using pack = leaves<std::index_sequence_for<T...>, T...>;

template <std::size_t I, class T> TAPEFREE_INLINE constexpr T &at(leaf<I, T> &l) { return l.value; }
template <std::size_t I, class T> TAPEFREE_INLINE constexpr const T &at(const leaf<I, T> &l) {
  return l.value;
}

template <std::size_t I, class T> T nth_of(const leaf<I, T> &);
template <std::size_t I, class... T>
using nth = decltype(nth_of<I>(std::declval<const pack<std::type_identity<T>...> &>()))::type;

template <class A, class B> struct concat_two;
template <class... A, class... B> struct concat_two<list<A...>, list<B...>> {
  using type = list<A..., B...>;
};
template <class... L> struct concat_t {
  using type = list<>;
};
template <class L, class... Rest> struct concat_t<L, Rest...> {
  using type = typename concat_two<L, typename concat_t<Rest...>::type>::type;
};
template <class... L> using concat = typename concat_t<L...>::type;

// ---- signatures ----------------------------------------------------------------------------------------

// `known` is false for a callable with several or templated operator(): its parameters follow the arguments.
struct unknown_signature {
  static constexpr bool known = false;
};
template <class R, class... P> struct known_signature {
  static constexpr bool known = true;
  using result = R;
  using parameters = list<P...>;
};

template <class F> struct signature : unknown_signature {};
template <class R, class... P> struct signature<R(P...)> : known_signature<R, P...> {};
template <class R, class... P> struct signature<R(P...) noexcept> : known_signature<R, P...> {};
template <class R, class... P> struct signature<R (*)(P...)> : known_signature<R, P...> {};
template <class R, class... P> struct signature<R (*)(P...) noexcept> : known_signature<R, P...> {};
template <class R, class C, class... P> struct signature<R (C::*)(P...)> : known_signature<R, C &, P...> {};
template <class R, class C, class... P>
struct signature<R (C::*)(P...) noexcept> : known_signature<R, C &, P...> {};
template <class R, class C, class... P>
struct signature<R (C::*)(P...) const> : known_signature<R, const C &, P...> {};
template <class R, class C, class... P>
struct signature<R (C::*)(P...) const noexcept> : known_signature<R, const C &, P...> {};

// operator() of a lambda or functor, without its object.
template <class S> struct without_object;
template <class R, class C, class... P> struct without_object<known_signature<R, C, P...>> {
  using type = known_signature<R, P...>;
};
template <class R, class... P> known_signature<R, P...> as_known(known_signature<R, P...> *);
template <class F>
  requires(std::is_class_v<F> && requires { &F::operator(); })
struct signature<F>
    : without_object<decltype(as_known(static_cast<signature<decltype(&F::operator())> *>(nullptr)))>::type {
};

} // namespace tapefree::detail
