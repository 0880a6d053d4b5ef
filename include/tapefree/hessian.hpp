// Second derivatives, forward over reverse: Hessians times vectors, and dense Hessians several columns at
// once. Nothing is allocated.
//
//   double f(const double *x);
//   tapefree::hvp<f>(v, g, Hv, tapefree::input(x));       // g = gradient, Hv = Hessian times v
//   tapefree::hessian<f>(H, g, tapefree::input(x));       // H[i * n + j] = d2 f / d x[i] d x[j]
#ifndef TAPEFREE_HESSIAN_HPP
#define TAPEFREE_HESSIAN_HPP

#include "detail/passes.hpp"

namespace tapefree {

namespace detail {

// ---- the gradient as a function -------------------------------------------------------------------------

// x |-> gradient of f at x, added into g: what the forward sweep then differentiates. It is a function of its
// own, so that the inner request is seen with f by name; f is a constant, or an object that comes as the
// first parameter.
template <class F, class Parameters, class... A> struct gradient_function;

template <class F, class... P, class... A> struct gradient_function<F, list<P...>, A...> {
  static constexpr std::size_t in = find_input<A...>();
  using value_type = std::remove_cv_t<std::remove_pointer_t<decltype(pick<in>(std::declval<A &>()...).data)>>;

  template <class Given, class X> struct inner_word { // a constant
    static TAPEFREE_INLINE auto make(X &x, value_type *) { return tapefree::constant(x); }
  };
  template <class T, class X> struct inner_word<input_argument<T>, X> {
    static TAPEFREE_INLINE auto make(X &x, value_type *g) {
      if constexpr (std::is_pointer_v<X>)
        return shadowed<1, X, T>(const_cast<T *>(x), 0, g);
      else
        return shadowed<1, X, T>(const_cast<T *>(x.data()), x.size(), g);
    }
  };
  template <class W> static TAPEFREE_INLINE decltype(auto) unwrap(W &w) {
    if constexpr (is_argument<W>)
      return (w);
    else
      return w.word();
  }
  template <class G, class... W> static TAPEFREE_INLINE void ask(G &f, W &&...w) {
    call_pass<mode{}>(f, unwrap(w)...);
  }
  static void call_object(const F *f, P... p, value_type *g) {
    ask(*f, inner_word<A, std::remove_reference_t<P>>::make(p, g)...);
  }
  static void call_plain(P... p, value_type *g) {
    F f{};
    ask(f, inner_word<A, std::remove_reference_t<P>>::make(p, g)...);
  }
};

template <class F> inline constexpr bool is_named = false;
template <auto F> inline constexpr bool is_named<named<F>> = true;

// One pass: the Hessian times W directions. x's shadows are the directions, `product` takes the results; g is
// scratch for the gradient, which is there afterwards.
template <unsigned W, class F, class T, class X, class Y, class... A>
TAPEFREE_INLINE void hessian_pass(F &f, T *g, X &dx, Y &product, A &...a) {
  using function =
      gradient_function<std::remove_const_t<F>, typename plain_binding<F, A...>::parameters, A...>;
  constexpr mode forward{.forward = true, .width = W};
  clear(g, pick<pass_types<F, A...>::in>(a...).size);
  if constexpr (is_named<F> || is_stateless<std::remove_const_t<F>>) {
    named<&function::call_plain> outer;
    call_pass<forward>(outer, pass_word(a, dx, dx)..., product.word());
  } else {
    named<&function::call_object> outer;
    call_pass<forward>(outer, tapefree::constant(&f), pass_word(a, dx, dx)..., product.word());
  }
}

template <class F, class... A> struct hessian_facts : word_facts<F, A...> {
  static constexpr bool by_name = !std::is_function_v<std::remove_pointer_t<F>>;
  static constexpr bool words_right = word_facts<F, A...>::right;
  static constexpr bool one_value = !words_right || (is_floating<typename plain_binding<F, A...>::result> &&
                                                     !pass_types<F, A...>::has_output);
  static constexpr bool right = words_right && by_name && one_value;
};
template <class Facts> struct explain_hessian : explain_words<Facts> {
  static constexpr bool by_name = Facts::by_name, one_value = Facts::one_value;
  static_assert(
      by_name,
      "tapefree: second derivatives need the function by name: write hvp<f>(...) or hessian<f>(...) in place "
      "of hvp(f, ...), or pass a lambda");
  static_assert(one_value, "tapefree: the function of a Hessian returns one floating-point value");
};

// ---- Hessian times vector -------------------------------------------------------------------------------

template <class F, class V, class G, class H, class... A>
TAPEFREE_INLINE void hvp_checked(F &f, V &v, G &g, H &product, A &...a) {
  using types = pass_types<F, A...>;
  auto &x = pick<types::in>(a...);
  using T = std::remove_pointer_t<decltype(x.data)>;
  using value_type = std::remove_cv_t<T>;
  const std::size_t n = x.size;
  check_length(v.size() == n && g.size() == n && product.size() == n,
               "hvp: direction, gradient and product must have the length of the input");
  // Directions are only read.
  auto dx = make_shadowed<1, types::in, F>(const_cast<value_type *>(v.data()), a...);
  shadowed<1, value_type *, value_type> dg(g.data(), n, product.data());
  clear(product.data(), n);
  hessian_pass<1>(f, g.data(), dx, dg, a...);
}

template <class F, class V, class G, class H, class... A>
TAPEFREE_INLINE void hvp_given(F &f, V &v, G &g, H &product, A &...a) {
  if constexpr (hessian_facts<F, A...>::right)
    hvp_checked(f, v, g, product, a...);
  else
    static_cast<void>(explain_hessian<hessian_facts<F, A...>>());
}

// ---- dense ----------------------------------------------------------------------------------------------

template <unsigned W, class F, class T, class... A>
TAPEFREE_INLINE void hessian_columns(F &f, T *h, T *g, T *memory, std::size_t first, std::size_t lanes,
                                     A &...a) {
  using types = pass_types<F, A...>;
  const std::size_t n = pick<types::in>(a...).size;
  clear(memory, 2 * W * n);
  auto dx = make_shadowed<W, types::in, F>(memory, a...);
  shadowed<W, T *, T, shadows_adjacent<F, A...>()> dg(g, n, memory + W * n);
  for (std::size_t k = 0; k < lanes; ++k)
    dx.at(first + k, k) = 1;
  hessian_pass<W>(f, g, dx, dg, a...);
  for (std::size_t i = first; i < n; ++i)
    for (std::size_t k = 0; k < lanes && first + k <= i; ++k)
      h[i * n + first + k] = h[(first + k) * n + i] = dg.at(i, k);
}

template <pass_options O, class F, class H, class G, class T, class... A>
TAPEFREE_INLINE void hessian_checked(F &f, H &matrix, G &g, workspace_argument<T> scratch, A &...a) {
  const std::size_t n = pick<pass_types<F, A...>::in>(a...).size;
  check_length(matrix.size() >= n * n, "hessian: the matrix must hold the square of the number of inputs");
  check_length(g.size() == n, "hessian: the gradient must have the length of the input");
  check_length(2 * n <= scratch.size,
               "hessian: the scratch memory must hold at least two values for each input: pass "
               "workspace(...), see hessian_workspace");
  std::size_t first = 0;
  if constexpr (O.width > 1) {
    const bool wide = 2 * O.width * n <= scratch.size;
    for (std::size_t lanes; wide && (lanes = pass_lanes<O.width>(n - first)) > 1; first += lanes)
      hessian_columns<O.width>(f, matrix.data(), g.data(), scratch.data, first, lanes, a...);
  }
  for (; first < n; ++first)
    hessian_columns<1>(f, matrix.data(), g.data(), scratch.data, first, 1, a...);
}

template <pass_options O, class F, class H, class G, class T, class... A>
TAPEFREE_INLINE void hessian_given(F &f, H &matrix, G &g, workspace_argument<T> &scratch, A &...a) {
  if constexpr (hessian_facts<F, A...>::right)
    hessian_checked<O>(f, matrix, g, scratch, a...);
  else
    static_cast<void>(explain_hessian<hessian_facts<F, A...>>());
}
template <pass_options O, class F, class H, class G, class A0, class... A>
TAPEFREE_INLINE void hessian_given(F &f, H &matrix, G &g, A0 &a0, A &...a) {
  if constexpr (hessian_facts<F, A0, A...>::right) {
    element_of<G> stack[O.stack];
    hessian_checked<O>(f, matrix, g, workspace_argument<element_of<G>>{stack, O.stack}, a0, a...);
  } else {
    static_cast<void>(explain_hessian<hessian_facts<F, A0, A...>>());
  }
}
} // namespace detail

// How many values of scratch hessian wants for n inputs; with fewer than that, but 2 * n, it makes one pass
// for each column.
constexpr std::size_t hessian_workspace(std::size_t n, unsigned width = default_width) {
  return 2 * width * n;
}

// product = Hessian of f times v, g = its gradient, all of the length n of the input. Behind them stands, for
// each parameter of f, input(x) (once) or constant(c). f is named as a template argument, or is a function
// object.
template <auto F, detail::contiguous V, detail::contiguous G, detail::contiguous H, class... A>
TAPEFREE_INLINE void hvp(V &&v, G &&g, H &&product, A &&...a) {
  detail::named<F> f;
  detail::hvp_given(f, v, g, product, a...);
}
template <class F, detail::contiguous V, detail::contiguous G, detail::contiguous H, class... A>
TAPEFREE_INLINE void hvp(F &&f, V &&v, G &&g, H &&product, A &&...a) {
  detail::hvp_given(f, v, g, product, a...);
}

// The n by n Hessian of f, exactly symmetric, and its gradient g. Behind them stand workspace(memory) if
// wanted, and then the arguments as for hvp. One pass takes O.width columns; O.stack values on the stack are
// scratch where no workspace is given, and less than 2 * n of it is an error at run time (TAPEFREE_FAIL).
template <auto F, pass_options O = pass_options{}, detail::contiguous H, detail::contiguous G, class... A>
  requires(!std::is_same_v<std::remove_cv_t<decltype(F)>, pass_options>)
TAPEFREE_INLINE void hessian(H &&matrix, G &&g, A &&...a) {
  detail::named<F> f;
  detail::hessian_given<O>(f, matrix, g, a...);
}
template <pass_options O = pass_options{}, class F, detail::contiguous H, detail::contiguous G, class... A>
TAPEFREE_INLINE void hessian(F &&f, H &&matrix, G &&g, A &&...a) {
  detail::hessian_given<O>(f, matrix, g, a...);
}

} // namespace tapefree

#endif // TAPEFREE_HESSIAN_HPP
