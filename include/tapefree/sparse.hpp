// Sparse Jacobians and Hessians by colouring: columns that share no row are found in one direction. The plan
// is made once (coloring.hpp); evaluating it allocates nothing.
//
//   auto plan = tapefree::plan_jacobian({n, row_begin, column});
//   tapefree::sparse_jacobian(f, plan, values, tapefree::input(x), tapefree::output(y));
#ifndef TAPEFREE_SPARSE_HPP
#define TAPEFREE_SPARSE_HPP

#include "coloring.hpp"
#include "hessian.hpp"

namespace tapefree {

namespace detail {

// The sums of unit directions of the colours first .. first + lanes - 1.
template <class S>
inline void seed_colors(S &shadow, const sparse_plan &plan, std::size_t first, std::size_t lanes) {
  for (std::size_t j = 0; j < plan.colors.color.size(); ++j)
    if (std::size_t k = plan.colors.color[j] - first; k < lanes) // wraps around below first
      shadow.at(j, k) = 1;
}
template <class T, class S>
inline void read_colors(T *values, S &shadow, const sparse_plan &plan, std::size_t first, std::size_t lanes) {
  for (std::size_t p = plan.begin[first]; p < plan.begin[first + lanes]; ++p) {
    const sparse_plan::entry &e = plan.entries[p];
    values[e.value] = shadow.at(e.index, e.color - first);
  }
}

template <unsigned W, bool Forward, class F, class T, class... A>
TAPEFREE_INLINE void sparse_pass(F &f, const sparse_plan &plan, T *values, T *memory, std::size_t first,
                                 std::size_t lanes, A &...a) {
  const auto seed = [&](auto &s) { seed_colors(s, plan, first, lanes); };
  const auto read = [&](auto &s) { read_colors(values, s, plan, first, lanes); };
  if constexpr (Forward)
    forward_pass<W>(f, memory, seed, read, a...);
  else
    reverse_pass<W>(f, memory, seed, read, a...);
}
template <unsigned W, bool Forward, class F, class T, class... A>
TAPEFREE_INLINE void sparse_passes(F &f, const sparse_plan &plan, T *values, T *memory, bool wide, A &...a) {
  std::size_t first = 0;
  if constexpr (W > 1)
    for (std::size_t lanes; wide && (lanes = pass_lanes<W>(plan.colors.count - first)) > 1; first += lanes)
      sparse_pass<W, Forward>(f, plan, values, memory, first, lanes, a...);
  for (; first < plan.colors.count; ++first)
    sparse_pass<1, Forward>(f, plan, values, memory, first, 1, a...);
}

template <pass_options O, class F, class V, class T, class... A>
TAPEFREE_INLINE void sparse_jacobian_checked(F &f, const sparse_plan &plan, V &values,
                                             workspace_argument<T> scratch, A &...a) {
  using types = pass_types<F, A...>;
  static_assert(types::has_output, "tapefree: sparse_jacobian is for a function with an output(y)");
  const std::size_t n = pick<types::in>(a...).size, m = pick<types::out>(a...).size;
  check_length(n == plan.inputs && m == plan.outputs,
               "sparse_jacobian: input and output must have the lengths of the plan");
  check_length(values.size() == plan.entries.size(),
               "sparse_jacobian: there must be one value for each entry of the pattern");
  check_length(n + m <= scratch.size,
               "sparse_jacobian: the scratch memory must hold at least one value for each input and "
               "output: pass workspace(...), see jacobian_workspace");
  const bool wide = O.width * (n + m) <= scratch.size;
  if (plan.direction == sweep::forward) {
    if constexpr (O.direction != sweep::reverse)
      sparse_passes<O.width, true>(f, plan, values.data(), scratch.data, wide, a...);
  } else if constexpr (O.direction != sweep::forward) {
    sparse_passes<O.width, false>(f, plan, values.data(), scratch.data, wide, a...);
  }
}
template <pass_options O, class F, class V, class T, class... A>
TAPEFREE_INLINE void sparse_jacobian_given(F &f, const sparse_plan &plan, V &values,
                                           workspace_argument<T> &scratch, A &...a) {
  if constexpr (word_facts<F, A...>::right)
    sparse_jacobian_checked<O>(f, plan, values, scratch, a...);
  else
    static_cast<void>(explain_words<word_facts<F, A...>>());
}
template <pass_options O, class F, class V, class A0, class... A>
TAPEFREE_INLINE void sparse_jacobian_given(F &f, const sparse_plan &plan, V &values, A0 &a0, A &...a) {
  if constexpr (word_facts<F, A0, A...>::right) {
    element_of<V> stack[O.stack];
    sparse_jacobian_checked<O>(f, plan, values, workspace_argument<element_of<V>>{stack, O.stack}, a0, a...);
  } else {
    static_cast<void>(explain_words<word_facts<F, A0, A...>>());
  }
}

template <unsigned W, class F, class T, class... A>
TAPEFREE_INLINE void sparse_hessian_pass(F &f, const sparse_plan &plan, T *values, T *g, T *memory,
                                         std::size_t first, std::size_t lanes, A &...a) {
  using types = pass_types<F, A...>;
  const std::size_t n = pick<types::in>(a...).size;
  clear(memory, 2 * W * n);
  auto dx = make_shadowed<W, types::in, F>(memory, a...);
  shadowed<W, T *, T, shadows_adjacent<F, A...>()> dg(g, n, memory + W * n);
  seed_colors(dx, plan, first, lanes);
  hessian_pass<W>(f, g, dx, dg, a...);
  read_colors(values, dg, plan, first, lanes);
}
template <pass_options O, class F, class V, class G, class T, class... A>
TAPEFREE_INLINE void sparse_hessian_checked(F &f, const sparse_plan &plan, V &values, G &g,
                                            workspace_argument<T> scratch, A &...a) {
  const std::size_t n = pick<pass_types<F, A...>::in>(a...).size;
  check_length(n == plan.inputs && g.size() == n,
               "sparse_hessian: input and gradient must have the length of the plan");
  check_length(values.size() == plan.entries.size(),
               "sparse_hessian: there must be one value for each entry of the pattern");
  check_length(2 * n <= scratch.size,
               "sparse_hessian: the scratch memory must hold at least two values for each input: pass "
               "workspace(...), see hessian_workspace");
  std::size_t first = 0;
  if constexpr (O.width > 1) {
    const bool wide = 2 * O.width * n <= scratch.size;
    for (std::size_t lanes; wide && (lanes = pass_lanes<O.width>(plan.colors.count - first)) > 1;
         first += lanes)
      sparse_hessian_pass<O.width>(f, plan, values.data(), g.data(), scratch.data, first, lanes, a...);
  }
  for (; first < plan.colors.count; ++first)
    sparse_hessian_pass<1>(f, plan, values.data(), g.data(), scratch.data, first, 1, a...);
}
template <pass_options O, class F, class V, class G, class T, class... A>
TAPEFREE_INLINE void sparse_hessian_given(F &f, const sparse_plan &plan, V &values, G &g,
                                          workspace_argument<T> &scratch, A &...a) {
  if constexpr (hessian_facts<F, A...>::right)
    sparse_hessian_checked<O>(f, plan, values, g, scratch, a...);
  else
    static_cast<void>(explain_hessian<hessian_facts<F, A...>>());
}
template <pass_options O, class F, class V, class G, class A0, class... A>
TAPEFREE_INLINE void sparse_hessian_given(F &f, const sparse_plan &plan, V &values, G &g, A0 &a0, A &...a) {
  if constexpr (hessian_facts<F, A0, A...>::right) {
    element_of<G> stack[O.stack];
    sparse_hessian_checked<O>(f, plan, values, g, workspace_argument<element_of<G>>{stack, O.stack}, a0,
                              a...);
  } else {
    static_cast<void>(explain_hessian<hessian_facts<F, A0, A...>>());
  }
}
} // namespace detail

// The values of a sparse Jacobian, in the order of the pattern that `plan` was made for. Then as for
// jacobian: workspace(memory) if wanted, input(x), output(y), constant(c). With O.direction set to that of
// the plan only its passes are compiled.
template <pass_options O = pass_options{}, class F, detail::contiguous V, class... A>
TAPEFREE_INLINE void sparse_jacobian(F &&f, const sparse_plan &plan, V &&values, A &&...a) {
  detail::sparse_jacobian_given<O>(f, plan, values, a...);
}
template <auto F, pass_options O = pass_options{}, detail::contiguous V, class... A>
  requires(!std::is_same_v<std::remove_cv_t<decltype(F)>, pass_options>)
TAPEFREE_INLINE void sparse_jacobian(const sparse_plan &plan, V &&values, A &&...a) {
  detail::named<F> f;
  detail::sparse_jacobian_given<O>(f, plan, values, a...);
}

// The values of a sparse Hessian in the order of the pattern, and the gradient g of length n. Then as for
// hessian.
template <auto F, pass_options O = pass_options{}, detail::contiguous V, detail::contiguous G, class... A>
  requires(!std::is_same_v<std::remove_cv_t<decltype(F)>, pass_options>)
TAPEFREE_INLINE void sparse_hessian(const sparse_plan &plan, V &&values, G &&g, A &&...a) {
  detail::named<F> f;
  detail::sparse_hessian_given<O>(f, plan, values, g, a...);
}
template <pass_options O = pass_options{}, class F, detail::contiguous V, detail::contiguous G, class... A>
TAPEFREE_INLINE void sparse_hessian(F &&f, const sparse_plan &plan, V &&values, G &&g, A &&...a) {
  detail::sparse_hessian_given<O>(f, plan, values, g, a...);
}

} // namespace tapefree

#endif // TAPEFREE_SPARSE_HPP
