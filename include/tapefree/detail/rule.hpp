// What tapefree/rule.hpp leaves for the plugin: arrays of constants, and functions through which it calls
// yours. These take everything by address, so that nothing depends on how classes are passed.
#pragma once

namespace tapefree::detail {

template <class T> inline constexpr bool is_function_pointer = false;
template <class T> inline constexpr bool is_function_pointer<T *> = std::is_function_v<T>;

// ---- parameters ----------------------------------------------------------------------------------------

// What a pointer or reference leads to, if that may carry a derivative; else void.
template <class T> struct behind {
  using type = void;
};
template <class T> struct behind<T *> {
  using type = T;
};
template <class T> struct behind<T &> {
  using type = T;
};
template <class T>
using behind_t = typename behind<std::conditional_t<std::is_reference_v<T>, T, std::remove_cv_t<T>>>::type;

template <class T>
inline constexpr bool has_shadow = (std::is_pointer_v<std::remove_cv_t<T>> || std::is_reference_v<T>) &&
                                   !is_function_pointer<std::remove_cv_t<T>> &&
                                   !std::is_integral_v<behind_t<T>> && !std::is_enum_v<behind_t<T>>;

template <class T>
inline constexpr bool rule_parameter =
    std::is_arithmetic_v<T> || std::is_enum_v<T> || std::is_pointer_v<T> || std::is_lvalue_reference_v<T>;

// The type of a shadow: adjoints are added to, tangents of constants only read.
template <class T> using adjoint_of = std::remove_const_t<behind_t<T>> *;
template <class T> using tangent_of = behind_t<T> *;

template <class P>
using reverse_parameters = std::conditional_t<has_shadow<P>, list<P, adjoint_of<P>>, list<P>>;
template <class P>
using forward_parameters = std::conditional_t<has_shadow<P>, list<P, tangent_of<P>>,
                                              std::conditional_t<is_floating<P>, list<P, P>, list<P>>>;

template <class T> using if_floating = std::conditional_t<is_floating<T>, list<T>, list<>>;

template <class L> struct partials_of;
template <> struct partials_of<list<>> {
  using type = void;
};
template <class T> struct partials_of<list<T>> {
  using type = T;
};
template <class A, class B, class... T> struct partials_of<list<A, B, T...>> {
  using type = gradients<A, B, T...>;
};

// ---- checks --------------------------------------------------------------------------------------------

template <class Result, class L> struct function_of;
template <class Result, class... P> struct function_of<Result, list<P...>> {
  using type = Result(P...);
};
template <class F> using bare_function = std::remove_pointer_t<F>;

template <class Found, class Wanted>
inline constexpr bool parameter_fits = std::is_same_v<Found, Wanted> || std::is_same_v<Found, not_read>;

// Whether parameters are as wanted, up to not_read.
template <class Found, class Wanted> inline constexpr bool parameters_fit = false;
template <class... Found, class... Wanted>
  requires(sizeof...(Found) == sizeof...(Wanted))
inline constexpr bool parameters_fit<list<Found...>, list<Wanted...>> =
    (parameter_fits<Found, Wanted> && ...);

// The two appear in the error of the compiler.
template <class Function, class Found, class Expected, bool Fits> struct check_gradient {
  static_assert(Fits,
                "tapefree: the gradient of a function has another signature than it should have: compare "
                "Found and Expected (not_read may stand for what the gradient does not read)");
  static constexpr bool value = Fits;
};
template <class Function, class Found, class Expected, bool Fits> struct check_augmented {
  static_assert(
      Fits, "tapefree: the augmented function has another signature than it should have: compare Found and "
            "Expected (the tape may be of any trivially copyable type)");
  static constexpr bool value = Fits;
};
template <class Function, class Found, class Expected, bool Fits> struct check_derivative {
  static_assert(Fits,
                "tapefree: the derivative of a function has another signature than it should have: compare "
                "Found and Expected (value_and_tangent<R> may stand for R)");
  static constexpr bool value = Fits;
};

// The known_signature behind signature<F>.
template <class F> struct as_known_t {
  template <class R, class... P>
  static std::type_identity<known_signature<R, P...>> of(known_signature<R, P...> *);
  using type = typename decltype(of(static_cast<signature<F> *>(nullptr)))::type;
};

template <class F> struct rule_signature;
template <class R, class... P> struct rule_signature<known_signature<R, P...>> {
  static_assert((rule_parameter<P> && ...),
                "tapefree: a rule is for a function of numbers, pointers and references: "
                "pass classes by pointer or reference");
  static_assert(std::is_void_v<R> || std::is_arithmetic_v<R>,
                "tapefree: a rule is for a function that returns a number or nothing");
  using result = R;
  using parameters = list<P...>;
  using reverse = concat<reverse_parameters<P>...>;
  using forward = concat<forward_parameters<P>...>;
  using partials = typename partials_of<concat<if_floating<P>...>>::type;
  static constexpr std::size_t size = sizeof...(P);
  static constexpr std::size_t partial_count = (std::size_t(is_floating<P>) + ... + 0);
};
template <class F>
  requires is_function_pointer<F>
struct rule_signature<F> : rule_signature<typename as_known_t<F>::type> {};

// ---- arguments by address ------------------------------------------------------------------------------

// Where argument I of a function is found: in the array of primals or of shadows.
struct rule_source {
  unsigned char parameter;
  bool shadow;
};

// The value of a parameter from its address; pointers and references are pointers there.
template <class T> TAPEFREE_INLINE T from_address(void *const *all, std::size_t i) {
  if constexpr (std::is_same_v<T, not_read>)
    return {};
  else if constexpr (std::is_reference_v<T>)
    return **static_cast<std::remove_reference_t<T> *const *>(all[i]);
  else
    return *static_cast<const std::remove_cv_t<T> *>(all[i]);
}

template <class... P> struct sources {
  // For each argument of the rule's function: the parameter of the primal, twice for those with a shadow.
  template <bool Forward> static constexpr auto make() {
    struct {
      rule_source at[2 * sizeof...(P) + 1]{};
      std::size_t count = 0;
    } all;
    unsigned char number = 0;
    auto add = [&](bool second) {
      all.at[all.count++] = {number, false};
      if (second)
        all.at[all.count++] = {number, true};
      ++number;
    };
    (add(has_shadow<P> || (Forward && is_floating<P>)), ...);
    return all;
  }
};

// ---- gradients -----------------------------------------------------------------------------------------

struct no_tape {};
template <class R, class A> struct tape_of {
  static constexpr bool fits = false;
  using type = no_tape;
};
template <class R, class T> struct tape_of<R, with_tape<R, T>> {
  static constexpr bool fits = std::is_trivially_copyable_v<T>;
  using type = T;
};
template <class T>
  requires(!std::is_void_v<T>)
struct tape_of<void, T> {
  static constexpr bool fits = std::is_trivially_copyable_v<T>;
  using type = T;
};

template <auto F, auto G, class Tape, class Parameters> struct gradient_thunk;
template <auto F, auto G, class Tape, class... P> struct gradient_thunk<F, G, Tape, list<P...>> {
  using primal = rule_signature<decltype(F)>;
  using rule = typename as_known_t<decltype(G)>::type;
  using R = typename primal::result;
  using with_seed = concat<typename primal::reverse, if_floating<R>>;
  using expected =
      std::conditional_t<std::is_same_v<Tape, no_tape>, with_seed, concat<with_seed, list<const Tape &>>>;
  using found = typename rule::parameters;
  static constexpr bool checked = check_gradient < bare_function<decltype(F)>, bare_function<decltype(G)>,
                        typename function_of<typename primal::partials, expected>::type,
                        parameters_fit<found, expected> &&std::is_same_v < typename rule::result,
                        typename primal::partials >> ::value;

  static constexpr auto from = sources<P...>::template make<false>();

  template <class T, std::size_t I>
  static TAPEFREE_INLINE T argument(void **primals, void **shadows, void *seed, void *tape) {
    if constexpr (I < from.count)
      return from_address<T>(from.at[I].shadow ? shadows : primals, from.at[I].parameter);
    else if constexpr (I == from.count && is_floating<R>)
      return from_address<T>(&seed, 0);
    else
      return *static_cast<std::remove_reference_t<T> *>(tape);
  }
  template <class... T, std::size_t... I>
  static TAPEFREE_INLINE void call(list<T...>, std::index_sequence<I...>, void **primals, void **shadows,
                                   void *seed, void *tape, void *out) {
    if constexpr (std::is_void_v<typename primal::partials>)
      G(argument<T, I>(primals, shadows, seed, tape)...);
    else
      *static_cast<typename primal::partials *>(out) = G(argument<T, I>(primals, shadows, seed, tape)...);
  }
  static void entry(void **primals, void **shadows, void *seed, void *tape, void *out) {
    if constexpr (checked)
      call(found{}, std::make_index_sequence<found::size>{}, primals, shadows, seed, tape, out);
  }

  // One bit for each parameter that the gradient does not read.
  template <class... T> static constexpr std::uint64_t unread(list<T...>) {
    std::uint64_t bits = 0;
    std::size_t i = 0;
    auto look = [&](bool is) {
      if (i < from.count && !from.at[i].shadow && is)
        bits |= std::uint64_t(1) << from.at[i].parameter;
      ++i;
    };
    (look(std::is_same_v<T, not_read>), ...);
    return bits;
  }
};

template <auto F, auto A, class Parameters> struct augmented_thunk;
template <auto F, auto A, class... P> struct augmented_thunk<F, A, list<P...>> {
  using primal = rule_signature<decltype(F)>;
  using rule = typename as_known_t<decltype(A)>::type;
  using R = typename primal::result;
  using tape = tape_of<R, typename rule::result>;
  struct tape_type; // any
  using wanted = std::conditional_t<std::is_void_v<R>, tape_type,
                                    with_tape<std::conditional_t<std::is_void_v<R>, int, R>, tape_type>>;
  static constexpr bool checked = check_augmented < bare_function<decltype(F)>, bare_function<decltype(A)>,
                        typename function_of<wanted, list<P...>>::type,
                        tape::fits &&std::is_same_v < typename rule::parameters, list < P... >>> ::value;

  template <std::size_t... I>
  static TAPEFREE_INLINE void call(std::index_sequence<I...>, void **primals, void *memory, void *out) {
    if constexpr (std::is_void_v<R>) {
      *static_cast<typename tape::type *>(memory) = A(from_address<P>(primals, I)...);
    } else {
      auto both = A(from_address<P>(primals, I)...);
      *static_cast<typename tape::type *>(memory) = both.tape;
      *static_cast<R *>(out) = both.value;
    }
  }
  static void entry(void **primals, void **, void *, void *memory, void *out) {
    if constexpr (checked)
      call(std::index_sequence_for<P...>{}, primals, memory, out);
  }
};

// Arrays of what the plugin reads. Conversions like these are constants to the compiler, but not constexpr.
#define TAPEFREE_ENTRY __attribute__((used)) static inline const void *const

template <auto F, auto... G> struct gradient_entry;
template <auto F, auto G> struct gradient_entry<F, G> {
  using thunk = gradient_thunk<F, G, no_tape, typename rule_signature<decltype(F)>::parameters>;
  TAPEFREE_ENTRY __tapefree_cxx_gradient[] = {(const void *)F, nullptr, (const void *)&thunk::entry, nullptr,
                                              (const void *)thunk::unread(typename thunk::found{})};
};
template <auto F, auto A, auto G> struct gradient_entry<F, A, G> {
  using augmented = augmented_thunk<F, A, typename rule_signature<decltype(F)>::parameters>;
  using tape = typename augmented::tape::type;
  using thunk = gradient_thunk<F, G, tape, typename rule_signature<decltype(F)>::parameters>;
  TAPEFREE_ENTRY __tapefree_cxx_gradient[] = {(const void *)F, (const void *)&augmented::entry,
                                              (const void *)&thunk::entry, (const void *)sizeof(tape),
                                              (const void *)thunk::unread(typename thunk::found{})};
};

// ---- derivatives ---------------------------------------------------------------------------------------

template <auto F, auto D, class Parameters> struct derivative_thunk;
template <auto F, auto D, class... P> struct derivative_thunk<F, D, list<P...>> {
  using primal = rule_signature<decltype(F)>;
  using rule = typename as_known_t<decltype(D)>::type;
  using R = typename primal::result;
  using found = typename rule::parameters;
  template <class T> struct both_of {
    using type = value_and_tangent<T>;
  };
  template <class T>
    requires std::is_void_v<T>
  struct both_of<T> {
    using type = void;
  };
  static constexpr bool gives_value =
      !is_floating<R> || std::is_same_v<typename rule::result, typename both_of<R>::type>;
  static constexpr bool checked = check_derivative < bare_function<decltype(F)>, bare_function<decltype(D)>,
                        typename function_of<R, typename primal::forward>::type,
                        std::is_same_v<found, typename primal::forward> &&
                            (std::is_same_v<typename rule::result, R> || (is_floating<R> && gives_value)) >
                                ::value;
  static constexpr auto from = sources<P...>::template make<true>();

  template <class... T, std::size_t... I>
  static TAPEFREE_INLINE void call(list<T...>, std::index_sequence<I...>, void **primals, void **shadows,
                                   void *out) {
    if constexpr (std::is_void_v<R>)
      D(from_address<T>(from.at[I].shadow ? shadows : primals, from.at[I].parameter)...);
    else if constexpr (!is_floating<R>)
      static_cast<R *>(out)[0] =
          D(from_address<T>(from.at[I].shadow ? shadows : primals, from.at[I].parameter)...);
    else if constexpr (gives_value)
      *static_cast<value_and_tangent<R> *>(out) =
          D(from_address<T>(from.at[I].shadow ? shadows : primals, from.at[I].parameter)...);
    else
      static_cast<R *>(out)[1] =
          D(from_address<T>(from.at[I].shadow ? shadows : primals, from.at[I].parameter)...);
  }
  static void entry(void **primals, void **shadows, void *, void *, void *out) {
    if constexpr (checked)
      call(found{}, std::make_index_sequence<found::size>{}, primals, shadows, out);
  }
};

template <auto F, auto D> struct derivative_entry {
  using thunk = derivative_thunk<F, D, typename rule_signature<decltype(F)>::parameters>;
  TAPEFREE_ENTRY __tapefree_cxx_derivative[] = {(const void *)F, (const void *)&thunk::entry,
                                                (const void *)std::size_t(thunk::gives_value)};
};

// ---- the rest ------------------------------------------------------------------------------------------

template <std::size_t N> struct fixed_string {
  char text[N];
  constexpr fixed_string(const char (&from)[N]) {
    for (std::size_t i = 0; i < N; ++i)
      text[i] = from[i];
  }
};
template <fixed_string S> inline constexpr auto stored_string = S;

template <auto F> struct inactive_entry {
  TAPEFREE_ENTRY __tapefree_inactivefn[] = {(const void *)F};
};
template <auto *G> struct inactive_global_entry {
  TAPEFREE_ENTRY __tapefree_inactive_global[] = {(const void *)G};
};
template <auto F, fixed_string Name> struct function_like_entry {
  TAPEFREE_ENTRY __tapefree_function_like[] = {(const void *)F, (const void *)stored_string<Name>.text};
};
template <auto Allocate, std::size_t Size, auto Release> struct allocation_entry {
  TAPEFREE_ENTRY __tapefree_allocation_like[] = {(const void *)Allocate, (const void *)Size,
                                                 (const void *)"-1", (const void *)Release};
};
#undef TAPEFREE_ENTRY

} // namespace tapefree::detail
