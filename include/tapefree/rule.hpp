// Derivatives that you write yourself, and what else the compiler is told of your functions:
//
//   double f(double x, double y);
//   tapefree::gradients<double, double> f_gradient(double x, double y, double seed);
//   inline constexpr tapefree::register_gradient<f, f_gradient> f_has_a_gradient;
//
// docs/user-rules.md has the whole story. Signatures are checked here, when the program is compiled.
#pragma once
#include "tapefree/tapefree.hpp"
#include <cstdint>
#include <type_traits>

namespace tapefree {

/// In place of a parameter of a gradient that it does not read: then the argument need not be kept.
struct not_read {};

/// What the gradient of a function with several floating parameters returns.
template <class... T> constexpr gradients<T...> partials(T... each) {
  gradients<T...> all{};
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    ((detail::at<I>(all) = each), ...);
  }(std::index_sequence_for<T...>{});
  return all;
}

/// What an augmented function returns: the value of the function, and what its gradient will want to know.
template <class R, class T> struct with_tape {
  R value;
  T tape;
};

/// What a derivative (forward mode) may return in place of the tangent alone.
template <class R> struct value_and_tangent {
  R value;
  R tangent;
};

} // namespace tapefree

#include "tapefree/detail/rule.hpp"

namespace tapefree {

// Each is registered by a variable of one of these types, where the function is declared. The variable has no
// other use.

/// f(p...) has the gradient g(p..., shadows..., seed), of which the parameters are, in this order:
///   for each parameter of f: itself, or not_read; behind a pointer or reference to what may carry a
///   derivative
///     its shadow, a pointer, which is null where the call has none
///   the seed, if f returns a floating value
/// It adds to the shadows, and returns the derivatives of the floating parameters: nothing, the one, or
/// gradients<...>.
/// With three functions, the second runs in place of f and leaves a tape: with_tape<R, T> (f's own
/// parameters), or the tape T alone if f returns nothing; the gradient is then given a const T & behind all
/// else. A tape is trivially copyable.
template <auto F, auto... G> struct register_gradient {
  static_assert(sizeof...(G) == 1 || sizeof...(G) == 2,
                "tapefree: register_gradient takes a function and its gradient, or a function, its augmented "
                "function and its gradient");
  constexpr register_gradient() { (void)detail::gradient_entry<F, G...>::__tapefree_cxx_gradient; }
};

/// f(p...) has the derivative d(p..., tangents...): each floating parameter is followed by its tangent, each
/// pointer or reference to what may carry a derivative by its shadow, a pointer. Returns the tangent of f's
/// value, which leaves it to f itself to run; or value_and_tangent<R>, or nothing if f returns nothing: then
/// it does what f does, too.
template <auto F, auto D> struct register_derivative {
  constexpr register_derivative() { (void)detail::derivative_entry<F, D>::__tapefree_cxx_derivative; }
};

/// No derivative passes through f: its result is a constant, and it runs once, with the primal.
template <auto F> struct register_inactive {
  static_assert(detail::is_function_pointer<decltype(F)>, "tapefree: register_inactive takes a function");
  constexpr register_inactive() { (void)detail::inactive_entry<F>::__tapefree_inactivefn; }
};

/// A global variable in which no derivative is of interest: register_inactive_global<&g>.
template <auto *G> struct register_inactive_global {
  static_assert(!std::is_function_v<std::remove_pointer_t<decltype(G)>>,
                "tapefree: register_inactive_global takes the address of a variable");
  constexpr register_inactive_global() { (void)detail::inactive_global_entry<G>::__tapefree_inactive_global; }
};

/// f is, in every respect, the library function of that name: register_function_like<my_sin, "sin">.
template <auto F, detail::fixed_string Name> struct register_function_like {
  static_assert(detail::is_function_pointer<decltype(F)>,
                "tapefree: register_function_like takes a function");
  constexpr register_function_like() { (void)detail::function_like_entry<F, Name>::__tapefree_function_like; }
};

/// Memory from `Allocate`, of which argument `Size` (from 0) says how many bytes, is released by `Release`.
template <auto Allocate, std::size_t Size, auto Release> struct register_allocator {
  constexpr register_allocator() {
    (void)detail::allocation_entry<Allocate, Size, Release>::__tapefree_allocation_like;
  }
};

} // namespace tapefree
