// From a checked call of the typed API to one call of abi.h.
//
// The function must be visible at that call even at -O0, so everything on the way is always_inline, and the
// callable is never put into an object: it is a template argument, a trampoline's address, or a parameter.
#pragma once
#include "arguments.hpp"

namespace tapefree {

// Several derivatives, in the order of their arguments. Take it apart with auto [a, b] = ... or get<0>(g).
template <class... T> struct gradients : detail::leaves<std::index_sequence_for<T...>, T...> {};
template <std::size_t I, class... T> constexpr auto &get(gradients<T...> &g) { return detail::at<I>(g); }
template <std::size_t I, class... T> constexpr const auto &get(const gradients<T...> &g) {
  return detail::at<I>(g);
}
template <std::size_t I, class... T> constexpr auto get(gradients<T...> &&g) { return detail::at<I>(g); }

template <class V, class G> struct value_and_gradient_result {
  V value;
  G gradient;
};
template <class V, class D> struct value_and_derivative_result {
  V value;
  D derivative;
};

} // namespace tapefree

template <class... T>
struct std::tuple_size<tapefree::gradients<T...>> : std::integral_constant<std::size_t, sizeof...(T)> {};
template <std::size_t I, class... T> struct std::tuple_element<I, tapefree::gradients<T...>> {
  using type = tapefree::detail::nth<I, T...>;
};

namespace tapefree::detail {

// ---- what is called --------------------------------------------------------------------------------------
// exact: address() is a constant by itself; otherwise the address is a parameter that inlining makes
// constant.

template <class F, class Result, class Parameters> struct pointer_target {
  static constexpr bool exact = false, has_object = false, has_trampoline = false;
};

template <auto F, class Result, class Parameters> struct constant_target;
template <auto F, class Result, class... P> struct constant_target<F, Result, list<P...>> {
  static constexpr bool exact = true, has_object = false;
  static constexpr bool has_trampoline =
      !std::is_pointer_v<decltype(F)> || (is_class_by_value<P> || ... || false);
  template <class Object, class... Rest>
  static TAPEFREE_INLINE Result invoke(Object &&object, Rest &&...rest) {
    return (object.*F)(static_cast<Rest &&>(rest)...);
  }
  static Result call(lowered<P>... p) {
    if constexpr (std::is_member_function_pointer_v<decltype(F)>)
      return invoke(raise<P>(p)...);
    else
      return F(raise<P>(p)...);
  }
  static TAPEFREE_INLINE void *address() {
    if constexpr (has_trampoline)
      return reinterpret_cast<void *>(&call);
    else
      return reinterpret_cast<void *>(F);
  }
};

template <class F>
inline constexpr bool is_stateless = std::is_empty_v<F> && std::is_default_constructible_v<F>;

template <class F, class Result, class Parameters> struct object_target;
template <class F, class Result, class... P> struct object_target<F, Result, list<P...>> {
  static constexpr bool exact = true, has_object = !is_stateless<std::remove_const_t<F>>;
  static constexpr bool has_trampoline = true;
  static Result call_stateless(lowered<P>... p) { return std::remove_const_t<F>{}(raise<P>(p)...); }
  static Result call_object(void *object, lowered<P>... p) {
    return (*static_cast<F *>(object))(raise<P>(p)...);
  }
  static TAPEFREE_INLINE void *address() {
    if constexpr (has_object)
      return reinterpret_cast<void *>(&call_object);
    else
      return reinterpret_cast<void *>(&call_stateless);
  }
};

// ---- parameters and result -------------------------------------------------------------------------------

// The parameter that a generic callable has for an argument.
template <mode M, class A> struct guessed_parameter {
  using type = A;
};
template <mode M, class T> struct guessed_parameter<M, active_argument<T>> {
  using type = T;
};
template <mode M, class T> struct guessed_parameter<M, constant_argument<T>> {
  using type = std::conditional_t<is_scalar<std::decay_t<T>>, std::decay_t<T>, const bare<T> &>;
};
template <mode M, bool N, layout L, class T, class... S>
struct guessed_parameter<M, dup_argument<N, L, T, S...>> {
  using type =
      std::conditional_t<std::is_pointer_v<std::decay_t<T>> || (M.forward && is_floating<std::decay_t<T>>),
                         std::decay_t<T>, std::remove_reference_t<T> &>;
};

template <mode M, bool N, class T, class S> struct guessed_parameter<M, dup_lanes_argument<N, T, S>> {
  using type = T *;
};

struct no_result {};
template <class F, class... P> auto result_of_call(list<P...>) {
  if constexpr (std::is_invocable_v<F &, P...>)
    return std::type_identity<std::invoke_result_t<F &, P...>>();
  else
    return std::type_identity<no_result>();
}

template <mode M, class F, class Signature, class... A> struct binding {
  using parameters = list<typename guessed_parameter<M, A>::type...>;
  using result = typename decltype(result_of_call<F>(parameters()))::type;
};
template <mode M, class F, class Signature, class... A>
  requires Signature::known
struct binding<M, F, Signature, A...> {
  using parameters = typename Signature::parameters;
  using result = typename Signature::result;
};

// ---- checks ----------------------------------------------------------------------------------------------

template <std::size_t Parameters, std::size_t Given> struct check_count {
  static constexpr bool one_for_each_parameter = Parameters == Given;
  static_assert(one_for_each_parameter,
                "tapefree: wrong number of arguments: give one for each parameter of the function");
};
template <class F, class Result> struct check_callable {
  static constexpr bool can_be_called = !std::is_same_v<Result, no_result>;
  static_assert(can_be_called, "tapefree: this cannot be called with these arguments");
};
template <mode M, class Result> struct check_result {
  static constexpr bool is_plain = std::is_void_v<Result> || is_scalar<Result>;
  static_assert(is_plain || !M.map, "tapefree: the function must return one value, or nothing and write its "
                                    "results through pointers or references");
  static_assert(is_plain || M.map,
                "tapefree: the function must return a floating-point value, or nothing and write its "
                "results through pointers or references");
  static constexpr bool has_value = !is_plain || !M.value || is_floating<Result>; // one error at a time
  static_assert(has_value, "tapefree: the value asked for must be floating-point");
};
template <class Target> struct check_by_value {
  static constexpr bool can_pass_class = false;
  static_assert(can_pass_class,
                "tapefree: this function takes a class by value: write gradient<f>(...) in place "
                "of gradient(f, ...), or pass a lambda");
};

template <class... Check> struct check_arguments : Check... {};

// What is wrong with a call: `complaint` is the check that fails when it is instantiated, void if all is
// well.
template <mode M, class Target, class F, class Result, class Parameters, class Arguments> struct verdict;
template <mode M, class Target, class F, class Result, class... P, class... A>
struct verdict<M, Target, F, Result, list<P...>, list<A...>> {
  template <std::size_t... I> static auto find(std::index_sequence<I...>) {
    if constexpr (sizeof...(P) != sizeof...(A))
      return std::type_identity<check_count<sizeof...(P), sizeof...(A)>>();
    else if constexpr (((find_mistake<M, P, A>::value != mistake::none) || ...))
      return std::type_identity<
          check_arguments<check_argument<I + 1, P, A, find_mistake<M, P, A>::value>...>>();
    else if constexpr (std::is_same_v<Result, no_result>)
      return std::type_identity<check_callable<F, Result>>();
    else if constexpr (!Target::exact && (is_class_by_value<P> || ...))
      return std::type_identity<check_by_value<Target>>();
    else if constexpr (!(std::is_void_v<Result> || is_scalar<Result>) || (M.value && !is_floating<Result>))
      return std::type_identity<check_result<M, Result>>();
    else
      return std::type_identity<void>();
  }
  using complaint = typename decltype(find(std::index_sequence_for<A...>()))::type;
};

// Stands for the result of a call that has been refused, so that one mistake makes one error.
struct refused {
  template <class T> operator T() const { __builtin_trap(); }
};

// ---- the call --------------------------------------------------------------------------------------------

template <std::size_t K, std::size_t I = 0, class Slots> TAPEFREE_INLINE auto item_at(Slots &slots) {
  auto &s = at<I>(slots);
  constexpr std::size_t n = std::remove_reference_t<decltype(s)>::items;
  if constexpr (K < n)
    return s.template item<K>();
  else
    return item_at<K - n, I + 1>(slots);
}

template <mode M, class R, class Target, class Slots, std::size_t... K>
TAPEFREE_INLINE R request(void *f, Slots &slots, std::index_sequence<K...>) {
  if constexpr (M.size && Target::exact)
    return __tapefree_workspacesize<R>(Target::address(), item_at<K>(slots)...);
  else if constexpr (M.size)
    return __tapefree_workspacesize<R>(f, item_at<K>(slots)...);
  else if constexpr (M.map && Target::exact)
    return __tapefree_batch<R>(Target::address(), item_at<K>(slots)...);
  else if constexpr (M.map)
    return __tapefree_batch<R>(f, item_at<K>(slots)...);
  else if constexpr (M.forward && Target::exact)
    return __tapefree_fwddiff<R>(Target::address(), item_at<K>(slots)...);
  else if constexpr (M.forward)
    return __tapefree_fwddiff<R>(f, item_at<K>(slots)...);
  else if constexpr (Target::exact)
    return __tapefree_autodiff<R>(Target::address(), item_at<K>(slots)...);
  else
    return __tapefree_autodiff<R>(f, item_at<K>(slots)...);
}

// What the plugin returns for a list of results: nothing, the one, or a struct of them.
template <class L> struct collapse_t;
template <> struct collapse_t<list<>> {
  using type = void;
};
template <class T> struct collapse_t<list<T>> {
  using type = T;
};
template <class A, class B, class... T> struct collapse_t<list<A, B, T...>> {
  using type = gradients<A, B, T...>;
};
template <class L> using collapse = typename collapse_t<L>::type;

// A batch without derivatives returns the function's value for each lane.
template <mode M, class L> struct plugin_result : collapse_t<L> {};
template <mode M, class T>
  requires(M.map)
struct plugin_result<M, list<T>> {
  using type = lane_array<T, M.width>;
};

template <mode M, class L>
  requires(M.size)
struct plugin_result<M, L> {
  using type = std::size_t;
};

template <std::size_t I, class T> TAPEFREE_INLINE auto part(const T &raw) { return raw; }
template <std::size_t I, class... T> TAPEFREE_INLINE auto part(const gradients<T...> &raw) {
  return at<I>(raw);
}

// For each argument: what the plugin returns for it, and what the user gets for it.
template <mode M, class P, class A> struct returned {
  using raw = list<>;
  using user = list<>;
};
template <mode M, class P, class T> struct returned<M, P, active_argument<T>> {
  using user = list<lanes_of<bare<P>, M.width>>;
  using raw = std::conditional_t<by_address<P>, list<>, user>;
};

template <mode M, class Target, class Result, class Parameters, class... A> struct invocation;

template <mode M, class Target, class Result, class... P, class... A>
struct invocation<M, Target, Result, list<P...>, A...> {
  static constexpr bool has_value = M.value && !std::is_void_v<Result>;
  using value_list = std::conditional_t<has_value, list<Result>, list<>>;
  using tangent_list =
      std::conditional_t<M.forward && is_floating<Result>, list<lanes_of<Result, M.width>>, list<>>;
  using lanes = std::conditional_t<std::is_void_v<Result>, list<>, list<Result>>;
  using raw = typename plugin_result<
      M, std::conditional_t<M.map, lanes,
                            concat<value_list, tangent_list, typename returned<M, P, A>::raw...>>>::type;
  using user_list = concat<tangent_list, typename returned<M, P, A>::user...>;
  using user = collapse<user_list>;
  static constexpr std::size_t before = has_value; // results of the plugin before those of the arguments

  using slots_type =
      std::conditional_t<Target::has_object, pack<option_slot<M>, object_slot<M>, slot<M, P, A>...>,
                         pack<option_slot<M>, slot<M, P, A>...>>;
  static constexpr std::size_t first = 1 + Target::has_object;
  static constexpr std::size_t items =
      option_slot<M>::items + 2 * Target::has_object + (slot<M, P, A>::items + ... + 0);

  // The user's derivative of argument I, from the plugin's result or from the shadow kept for it.
  template <std::size_t I, class Raw>
  static TAPEFREE_INLINE auto derivative_of(const Raw &raw, slots_type &slots) {
    if constexpr (by_address<nth<I, P...>>) {
      return at<first + I>(slots).derivative();
    } else {
      constexpr std::size_t earlier = []<std::size_t... J>(std::index_sequence<J...>) {
        return ((J < I ? returned<M, P, A>::raw::size : 0) + ... + 0);
      }(std::index_sequence_for<P...>());
      return part<before + earlier>(raw);
    }
  }
  // The argument that the K-th derivative belongs to.
  template <std::size_t K> static consteval std::size_t active_argument_number() {
    std::size_t seen = 0, number = 0, found = 0;
    ((returned<M, P, A>::user::size != 0 && seen++ == K ? void(found = number) : void(), ++number), ...);
    return found;
  }
  template <class Raw, std::size_t... K>
  static TAPEFREE_INLINE user collect(const Raw &raw, slots_type &slots, std::index_sequence<K...>) {
    if constexpr (M.forward)
      return part<before>(raw);
    else if constexpr (sizeof...(K) == 1)
      return derivative_of<active_argument_number<0>()>(raw, slots);
    else
      return user{leaf<K, decltype(derivative_of<active_argument_number<K>()>(raw, slots))>{
          derivative_of<active_argument_number<K>()>(raw, slots)}...};
  }

  static TAPEFREE_INLINE auto answer(const auto &raw, slots_type &slots) {
    constexpr std::make_index_sequence<user_list::size> all;
    if constexpr (M.map || M.size)
      return raw;
    else if constexpr (!has_value && user_list::size == 0)
      return;
    else if constexpr (!has_value)
      return collect(raw, slots, all);
    else if constexpr (user_list::size == 0)
      return part<0>(raw);
    else if constexpr (M.forward)
      return value_and_derivative_result<Result, user>{part<0>(raw), collect(raw, slots, all)};
    else
      return value_and_gradient_result<Result, user>{part<0>(raw), collect(raw, slots, all)};
  }

  static TAPEFREE_INLINE auto run(void *f, void *object, kept_memory memory, A &...a) {
    constexpr std::make_index_sequence<items> all;
    slots_type slots = make(object, memory, a...);
    if constexpr (std::is_void_v<raw>) {
      request<M, void, Target>(f, slots, all);
      if constexpr (!M.map)
        return answer(no_result(), slots);
    } else {
      const raw r = request<M, raw, Target>(f, slots, all);
      return answer(r, slots);
    }
  }
  static TAPEFREE_INLINE slots_type make(void *object, kept_memory memory, A &...a) {
    return make(object, memory, std::index_sequence_for<A...>(), a...);
  }
  template <std::size_t... I>
  static TAPEFREE_INLINE slots_type make([[maybe_unused]] void *object, kept_memory memory,
                                         std::index_sequence<I...>, A &...a) {
    if constexpr (Target::has_object)
      return slots_type{leaf<0, option_slot<M>>{{memory}}, leaf<1, object_slot<M>>{{object}},
                        leaf<first + I, slot<M, P, A>>{slot<M, P, A>(a)}...};
    else
      return slots_type{leaf<0, option_slot<M>>{{memory}},
                        leaf<first + I, slot<M, P, A>>{slot<M, P, A>(a)}...};
  }
};

// ---- entries
// -----------------------------------------------------------------------------------------------

template <mode M, class F, class Signature, template <class, class, class> class Target, class... A>
struct bound_call {
  using bound = binding<M, F, Signature, A...>;
  using target = Target<F, typename bound::result, typename bound::parameters>;
  using complaint = typename verdict<M, target, F, typename bound::result, typename bound::parameters,
                                     list<A...>>::complaint;
  using invocation = detail::invocation<M, target, typename bound::result, typename bound::parameters, A...>;
};

template <mode M, class F, class... A>
TAPEFREE_INLINE auto differentiate_in(kept_memory memory, F &f, A &...a) {
  if constexpr (std::is_function_v<std::remove_pointer_t<F>>) {
    using function = std::remove_pointer_t<F>;
    using call = bound_call<M, function, signature<function>, pointer_target, A...>;
    if constexpr (std::is_void_v<typename call::complaint>)
      return call::invocation::run(reinterpret_cast<void *>(static_cast<function *>(f)), nullptr, memory,
                                   a...);
    else
      return static_cast<void>(typename call::complaint()), refused();
  } else {
    using call = bound_call<M, F, signature<std::remove_cv_t<F>>, object_target, A...>;
    if constexpr (std::is_void_v<typename call::complaint>)
      return call::invocation::run(nullptr, erase(__builtin_addressof(f)), memory, a...);
    else
      return static_cast<void>(typename call::complaint()), refused();
  }
}

template <auto F> struct constant_function {
  template <class, class Result, class Parameters> using target = constant_target<F, Result, Parameters>;
};
template <mode M, auto F, class... A>
TAPEFREE_INLINE auto differentiate_constant_in(kept_memory memory, A &...a) {
  using type = std::remove_cv_t<decltype(F)>;
  using call = bound_call<M, type, signature<type>, constant_function<F>::template target, A...>;
  if constexpr (std::is_void_v<typename call::complaint>)
    return call::invocation::run(nullptr, nullptr, memory, a...);
  else
    return static_cast<void>(typename call::complaint()), refused();
}

template <mode M, class F, class... A> TAPEFREE_INLINE auto differentiate(F &f, A &...a) {
  return differentiate_in<M>(kept_memory(), f, a...);
}
template <mode M, auto F, class... A> TAPEFREE_INLINE auto differentiate_constant(A &...a) {
  return differentiate_constant_in<M, F>(kept_memory(), a...);
}

} // namespace tapefree::detail
