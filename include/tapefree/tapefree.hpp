// Tapefree: derivatives of ordinary C++ functions, made by the compiler.
//
//   double loss(const double *w, const double *x, int n);
//   tapefree::gradient(loss, tapefree::dup(w, dw), tapefree::constant(x), tapefree::constant(n)); // dw +=
//   ... double slope = tapefree::gradient(square, tapefree::active(3.0));                             // 6
//
// Compile with -fpass-plugin=libTapefree.so, or with `tapefree c++`. docs/cpp-api.md has the whole story.
#ifndef TAPEFREE_TAPEFREE_HPP
#define TAPEFREE_TAPEFREE_HPP

#include "detail/call.hpp"
#include "detail/lengths.hpp"
#include "detail/vmap.hpp"
#include <span>

namespace tapefree {

// ---- loops ------------------------------------------------------------------------------------------------

// At the start of a loop's body: reverse mode keeps at most so many snapshots of what the loop changes, and
// runs its steps again. Otherwise it is nothing.
TAPEFREE_INLINE void checkpoint(int snapshots) noexcept { __tapefree_checkpoint(snapshots); }

// ---- how an argument takes part --------------------------------------------------------------------------

// A floating-point value; its derivative is returned.
template <class T> TAPEFREE_INLINE constexpr auto active(T x) { return detail::active_argument<T>{x}; }

// Takes no part.
template <class T> TAPEFREE_INLINE constexpr auto constant(T &&x) {
  return detail::constant_argument<T>{static_cast<T &&>(x)};
}

namespace detail {
template <bool Noneed, layout L, class T, class... S>
TAPEFREE_INLINE constexpr auto make_dup(std::ptrdiff_t stride, T &&x, S &&...shadow) {
  using shadows = pack<S...>;
  return []<std::size_t... I>(std::ptrdiff_t n, std::index_sequence<I...>, T &&v, S &&...s)
             __attribute__((always_inline)) {
               return dup_argument<Noneed, L, T, S...>{static_cast<T &&>(v),
                                                       shadows{leaf<I, S>{static_cast<S &&>(s)}...}, n};
             }(stride, std::index_sequence_for<S...>(), static_cast<T &&>(x), static_cast<S &&>(shadow)...);
}
template <bool Noneed, class T, class S> TAPEFREE_INLINE constexpr auto make_dup_of_lanes(T &x, S &shadow) {
  return dup_lanes_argument<Noneed, element_of<T>, element_of<S>>{
      x.data(), static_cast<std::size_t>(x.size()), shadow.data(), static_cast<std::size_t>(shadow.size())};
}
} // namespace detail

// A pointer or reference with its shadow, into which the derivative is added; the shadow of what the function
// writes is the seed, and is consumed. In forward mode also a value with its tangent. In a batch of N: N
// shadows.
template <class T, class... S> TAPEFREE_INLINE constexpr auto dup(T &&x, S &&...shadow) {
  return detail::make_dup<false, detail::layout::separate>(0, static_cast<T &&>(x),
                                                           static_cast<S &&>(shadow)...);
}

// The same where nobody reads what the function leaves in x.
template <class T, class... S> TAPEFREE_INLINE constexpr auto dup_noneed(T &&x, S &&...shadow) {
  return detail::make_dup<true, detail::layout::separate>(0, static_cast<T &&>(x),
                                                          static_cast<S &&>(shadow)...);
}

// In a batch: shadow k lies k * stride bytes after the first.
template <class T, class S> TAPEFREE_INLINE constexpr auto dupv(T &&x, S &&shadow, std::ptrdiff_t stride) {
  return detail::make_dup<false, detail::layout::strided>(stride, static_cast<T &&>(x),
                                                          static_cast<S &&>(shadow));
}
template <class T, class S>
TAPEFREE_INLINE constexpr auto dup_noneedv(T &&x, S &&shadow, std::ptrdiff_t stride) {
  return detail::make_dup<true, detail::layout::strided>(stride, static_cast<T &&>(x),
                                                         static_cast<S &&>(shadow));
}

// The same for spans, vectors and arrays, where f takes a pointer: the shadow holds N times as many elements
// as x, one lane behind the other. Another length is an error at run time (TAPEFREE_FAIL).
template <detail::contiguous T, detail::contiguous S> TAPEFREE_INLINE constexpr auto dupv(T &&x, S &&shadow) {
  return detail::make_dup_of_lanes<false>(x, shadow);
}
template <detail::contiguous T, detail::contiguous S>
TAPEFREE_INLINE constexpr auto dup_noneedv(T &&x, S &&shadow) {
  return detail::make_dup_of_lanes<true>(x, shadow);
}

// In a batch of N: the N lanes of each scalar are adjacent.
template <class T, class S> TAPEFREE_INLINE constexpr auto dup_interleaved(T &&x, S &&shadow) {
  return detail::make_dup<false, detail::layout::interleaved>(0, static_cast<T &&>(x),
                                                              static_cast<S &&>(shadow));
}

// ---- reverse mode ----------------------------------------------------------------------------------------
// Each comes twice: f(...) for any callable, f<function>(...) for a function named as a template argument.
// Returned are the derivatives of the active arguments: none, the one, or gradients<...>.

template <class F, class... A> TAPEFREE_INLINE auto gradient(F &&f, A &&...a) {
  return detail::differentiate<detail::mode{}>(f, a...);
}
template <auto F, class... A> TAPEFREE_INLINE auto gradient(A &&...a) {
  return detail::differentiate_constant<detail::mode{}, F>(a...);
}

// {value, gradient}; only the value where no argument is active.
template <class F, class... A> TAPEFREE_INLINE auto value_and_gradient(F &&f, A &&...a) {
  return detail::differentiate<detail::mode{.value = true}>(f, a...);
}
template <auto F, class... A> TAPEFREE_INLINE auto value_and_gradient(A &&...a) {
  return detail::differentiate_constant<detail::mode{.value = true}, F>(a...);
}

namespace detail {
template <mode M> struct reverse_calls {
  template <class F, class... A> static TAPEFREE_INLINE auto gradient(F &&f, A &&...a) {
    return differentiate<M>(f, a...);
  }
  template <auto F, class... A> static TAPEFREE_INLINE auto gradient(A &&...a) {
    return differentiate_constant<M, F>(a...);
  }
  static constexpr mode valued = [](mode m) {
    m.value = true;
    return m;
  }(M);
  template <class F, class... A> static TAPEFREE_INLINE auto value_and_gradient(F &&f, A &&...a) {
    return differentiate<valued>(f, a...);
  }
  template <auto F, class... A> static TAPEFREE_INLINE auto value_and_gradient(A &&...a) {
    return differentiate_constant<valued, F>(a...);
  }
};
} // namespace detail

// With an alias policy of its own: with<alias::c>::gradient(f, ...).
// gradient_in and workspace_size are explained below.
template <alias Policy> struct with : detail::reverse_calls<detail::mode{.policy = Policy}> {
  template <class F, class... A>
  static TAPEFREE_INLINE auto gradient_in(std::span<std::byte> workspace, F &&f, A &&...a) {
    return detail::differentiate_in<detail::mode{.policy = Policy, .workspace = true}>(
        {workspace.data(), workspace.size()}, f, a...);
  }
  template <auto F, class... A>
  static TAPEFREE_INLINE auto gradient_in(std::span<std::byte> workspace, A &&...a) {
    return detail::differentiate_constant_in<detail::mode{.policy = Policy, .workspace = true}, F>(
        {workspace.data(), workspace.size()}, a...);
  }
  template <class F, class... A>
  static TAPEFREE_INLINE auto value_and_gradient_in(std::span<std::byte> workspace, F &&f, A &&...a) {
    return detail::differentiate_in<detail::mode{.value = true, .policy = Policy, .workspace = true}>(
        {workspace.data(), workspace.size()}, f, a...);
  }
  template <auto F, class... A>
  static TAPEFREE_INLINE auto value_and_gradient_in(std::span<std::byte> workspace, A &&...a) {
    return detail::differentiate_constant_in<detail::mode{.value = true, .policy = Policy, .workspace = true},
                                             F>({workspace.data(), workspace.size()}, a...);
  }
  template <class F, class... A> static TAPEFREE_INLINE std::size_t workspace_size(F &&f, A &&...a) {
    return detail::differentiate<detail::mode{.policy = Policy, .size = true}>(f, a...);
  }
  template <auto F, class... A> static TAPEFREE_INLINE std::size_t workspace_size(A &&...a) {
    return detail::differentiate_constant<detail::mode{.policy = Policy, .size = true}, F>(a...);
  }
};

// The caller promises that buffers reached in different ways do not overlap: disjoint::gradient(f, ...).
struct disjoint : with<alias::disjoint> {};

// A compile error, with the reasons, where anything would have to be kept on the heap.
namespace strict {
template <class F, class... A> TAPEFREE_INLINE auto gradient(F &&f, A &&...a) {
  return detail::differentiate<detail::mode{.strict = true}>(f, a...);
}
template <auto F, class... A> TAPEFREE_INLINE auto gradient(A &&...a) {
  return detail::differentiate_constant<detail::mode{.strict = true}, F>(a...);
}
template <class F, class... A> TAPEFREE_INLINE auto value_and_gradient(F &&f, A &&...a) {
  return detail::differentiate<detail::mode{.value = true, .strict = true}>(f, a...);
}
template <auto F, class... A> TAPEFREE_INLINE auto value_and_gradient(A &&...a) {
  return detail::differentiate_constant<detail::mode{.value = true, .strict = true}, F>(a...);
}

// The buffers are compared when the gradient begins, and an overlap ends the program: what would be kept only
// for its sake is no error.
struct checked : detail::reverse_calls<detail::mode{.strict = true, .policy = alias::checked}> {};
// The caller promises that there is none.
struct disjoint : detail::reverse_calls<detail::mode{.strict = true, .policy = alias::disjoint}> {};
} // namespace strict

// ---- reverse mode without a heap -------------------------------------------------------------------------
// What a gradient keeps lies in memory of the caller: any memory that nothing else uses during the call.
// Where it is too small, tapefree_out_of_memory is called (docs/semantics.md).

template <class F, class... A>
TAPEFREE_INLINE auto gradient_in(std::span<std::byte> workspace, F &&f, A &&...a) {
  return detail::differentiate_in<detail::mode{.workspace = true}>({workspace.data(), workspace.size()}, f,
                                                                   a...);
}
template <auto F, class... A> TAPEFREE_INLINE auto gradient_in(std::span<std::byte> workspace, A &&...a) {
  return detail::differentiate_constant_in<detail::mode{.workspace = true}, F>(
      {workspace.data(), workspace.size()}, a...);
}
template <class F, class... A>
TAPEFREE_INLINE auto value_and_gradient_in(std::span<std::byte> workspace, F &&f, A &&...a) {
  return detail::differentiate_in<detail::mode{.value = true, .workspace = true}>(
      {workspace.data(), workspace.size()}, f, a...);
}
template <auto F, class... A>
TAPEFREE_INLINE auto value_and_gradient_in(std::span<std::byte> workspace, A &&...a) {
  return detail::differentiate_constant_in<detail::mode{.value = true, .workspace = true}, F>(
      {workspace.data(), workspace.size()}, a...);
}

// The bytes that gradient_in and value_and_gradient_in with these arguments take, exactly. A compile error
// where only the run can tell.
template <class F, class... A> TAPEFREE_INLINE std::size_t workspace_size(F &&f, A &&...a) {
  return detail::differentiate<detail::mode{.size = true}>(f, a...);
}
template <auto F, class... A> TAPEFREE_INLINE std::size_t workspace_size(A &&...a) {
  return detail::differentiate_constant<detail::mode{.size = true}, F>(a...);
}

// ---- forward mode ----------------------------------------------------------------------------------------

// The derivative of f's value along the directions given by dup.
template <class F, class... A> TAPEFREE_INLINE auto derivative(F &&f, A &&...a) {
  return detail::differentiate<detail::mode{.forward = true}>(f, a...);
}
template <auto F, class... A> TAPEFREE_INLINE auto derivative(A &&...a) {
  return detail::differentiate_constant<detail::mode{.forward = true}, F>(a...);
}

// {value, derivative}
template <class F, class... A> TAPEFREE_INLINE auto value_and_derivative(F &&f, A &&...a) {
  return detail::differentiate<detail::mode{.forward = true, .value = true}>(f, a...);
}
template <auto F, class... A> TAPEFREE_INLINE auto value_and_derivative(A &&...a) {
  return detail::differentiate_constant<detail::mode{.forward = true, .value = true}, F>(a...);
}

// derivative by the name that Jacobian-vector products go by.
template <class F, class... A> TAPEFREE_INLINE auto jvp(F &&f, A &&...a) {
  return detail::differentiate<detail::mode{.forward = true}>(f, a...);
}
template <auto F, class... A> TAPEFREE_INLINE auto jvp(A &&...a) {
  return detail::differentiate_constant<detail::mode{.forward = true}, F>(a...);
}

// ---- N calls at once, without derivatives ----------------------------------------------------------------

// The values of an argument, lane by lane: N of them, or one array, std::array or span of N.
template <class... T> TAPEFREE_INLINE constexpr auto per_lane(T &&...x) {
  return []<std::size_t... I>(std::index_sequence<I...>, T &&...v) __attribute__((always_inline)) {
    return detail::lane_argument<T...>{{detail::leaf<I, T>{static_cast<T &&>(v)}...}};
  }(std::index_sequence_for<T...>(), static_cast<T &&>(x)...);
}

// Memory of all lanes: lane k gets p moved on by k * stride bytes.
template <class T> TAPEFREE_INLINE constexpr auto buffer(T &&p, std::ptrdiff_t stride) {
  return detail::buffer_argument<std::decay_t<T>>{p, stride};
}
// A span, vector or array, cut into N pieces of equal length, where f takes a pointer. A length that N does
// not divide is an error at run time (TAPEFREE_FAIL).
template <detail::contiguous S> TAPEFREE_INLINE constexpr auto buffer(S &&all) {
  return detail::pieces_argument<detail::element_of<S>>{all.data(), static_cast<std::size_t>(all.size())};
}

// Calls f once for each of N lanes (1 to 64), in order, as a loop that the compiler may turn into SIMD:
// vmap<4>(f, per_lane(x0, x1, x2, x3), constant(y)). Returns the array of N values, or nothing.
template <unsigned N, class F, class... A> TAPEFREE_INLINE auto vmap(F &&f, A &&...a) {
  static_assert(N >= 1 && N <= 64, "tapefree: vmap takes 1 to 64 lanes");
  return detail::differentiate<detail::mode{.map = true, .width = N}>(f, a...);
}
template <unsigned N, auto F, class... A> TAPEFREE_INLINE auto vmap(A &&...a) {
  static_assert(N >= 1 && N <= 64, "tapefree: vmap takes 1 to 64 lanes");
  return detail::differentiate_constant<detail::mode{.map = true, .width = N}, F>(a...);
}

// ---- N derivatives at once -------------------------------------------------------------------------------

// Every shadow N times, the function run once: batch<4>::gradient(f, dup(w, dw0, dw1, dw2, dw3), ...).
template <unsigned N> struct batch {
  template <class F, class... A> static TAPEFREE_INLINE auto gradient(F &&f, A &&...a) {
    return detail::differentiate<detail::mode{.width = N}>(f, a...);
  }
  template <auto F, class... A> static TAPEFREE_INLINE auto gradient(A &&...a) {
    return detail::differentiate_constant<detail::mode{.width = N}, F>(a...);
  }
  template <class F, class... A> static TAPEFREE_INLINE auto value_and_gradient(F &&f, A &&...a) {
    return detail::differentiate<detail::mode{.value = true, .width = N}>(f, a...);
  }
  template <auto F, class... A> static TAPEFREE_INLINE auto value_and_gradient(A &&...a) {
    return detail::differentiate_constant<detail::mode{.value = true, .width = N}, F>(a...);
  }
  template <class F, class... A>
  static TAPEFREE_INLINE auto gradient_in(std::span<std::byte> workspace, F &&f, A &&...a) {
    return detail::differentiate_in<detail::mode{.workspace = true, .width = N}>(
        {workspace.data(), workspace.size()}, f, a...);
  }
  template <auto F, class... A>
  static TAPEFREE_INLINE auto gradient_in(std::span<std::byte> workspace, A &&...a) {
    return detail::differentiate_constant_in<detail::mode{.workspace = true, .width = N}, F>(
        {workspace.data(), workspace.size()}, a...);
  }
  template <class F, class... A>
  static TAPEFREE_INLINE auto value_and_gradient_in(std::span<std::byte> workspace, F &&f, A &&...a) {
    return detail::differentiate_in<detail::mode{.value = true, .workspace = true, .width = N}>(
        {workspace.data(), workspace.size()}, f, a...);
  }
  template <auto F, class... A>
  static TAPEFREE_INLINE auto value_and_gradient_in(std::span<std::byte> workspace, A &&...a) {
    return detail::differentiate_constant_in<detail::mode{.value = true, .workspace = true, .width = N}, F>(
        {workspace.data(), workspace.size()}, a...);
  }
  template <class F, class... A> static TAPEFREE_INLINE std::size_t workspace_size(F &&f, A &&...a) {
    return detail::differentiate<detail::mode{.size = true, .width = N}>(f, a...);
  }
  template <auto F, class... A> static TAPEFREE_INLINE std::size_t workspace_size(A &&...a) {
    return detail::differentiate_constant<detail::mode{.size = true, .width = N}, F>(a...);
  }
  template <class F, class... A> static TAPEFREE_INLINE auto derivative(F &&f, A &&...a) {
    return detail::differentiate<detail::mode{.forward = true, .width = N}>(f, a...);
  }
  template <auto F, class... A> static TAPEFREE_INLINE auto derivative(A &&...a) {
    return detail::differentiate_constant<detail::mode{.forward = true, .width = N}, F>(a...);
  }
  template <class F, class... A> static TAPEFREE_INLINE auto value_and_derivative(F &&f, A &&...a) {
    return detail::differentiate<detail::mode{.forward = true, .value = true, .width = N}>(f, a...);
  }
  template <auto F, class... A> static TAPEFREE_INLINE auto value_and_derivative(A &&...a) {
    return detail::differentiate_constant<detail::mode{.forward = true, .value = true, .width = N}, F>(a...);
  }
  // derivative by the name that Jacobian-vector products go by.
  template <class F, class... A> static TAPEFREE_INLINE auto jvp(F &&f, A &&...a) {
    return detail::differentiate<detail::mode{.forward = true, .width = N}>(f, a...);
  }
  template <auto F, class... A> static TAPEFREE_INLINE auto jvp(A &&...a) {
    return detail::differentiate_constant<detail::mode{.forward = true, .width = N}, F>(a...);
  }
};

} // namespace tapefree

#endif // TAPEFREE_TAPEFREE_HPP
