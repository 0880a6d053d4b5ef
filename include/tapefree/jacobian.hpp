// Dense Jacobians, several directions at once. Nothing is allocated: the directions lie on the stack, or in a
// workspace.
//
//   void f(const double *x, double *y);                            // R^n -> R^m
//   tapefree::jacobian(f, tapefree::row_major(J), tapefree::input(x), tapefree::output(y)); // J[i * n + j] =
//   d y[i] / d x[j]
#ifndef TAPEFREE_JACOBIAN_HPP
#define TAPEFREE_JACOBIAN_HPP

#include "detail/passes.hpp"

namespace tapefree {

namespace detail {
template <bool RowMajor, class T> struct matrix_argument {
  T *data;
  std::size_t size;    // of the whole, 0 where unknown
  std::size_t leading; // elements from one row (column) to the next, 0 for no gaps
};
} // namespace detail

// Where an m by n matrix is written: element (i, j) at [i * n + j] (row_major) or [j * m + i] (column_major).
// A span must hold at least m * n elements, else it is an error at run time (TAPEFREE_FAIL). With a pointer,
// `leading` stands in place of n (of m).
template <detail::contiguous S> TAPEFREE_INLINE auto row_major(S &&all) {
  return detail::matrix_argument<true, detail::element_of<S>>{all.data(),
                                                              static_cast<std::size_t>(all.size()), 0};
}
template <class T> TAPEFREE_INLINE auto row_major(T *p, std::size_t leading) {
  return detail::matrix_argument<true, T>{p, 0, leading};
}
template <detail::contiguous S> TAPEFREE_INLINE auto column_major(S &&all) {
  return detail::matrix_argument<false, detail::element_of<S>>{all.data(),
                                                               static_cast<std::size_t>(all.size()), 0};
}
template <class T> TAPEFREE_INLINE auto column_major(T *p, std::size_t leading) {
  return detail::matrix_argument<false, T>{p, 0, leading};
}

// How many values of scratch jacobian wants for n inputs and m outputs; with fewer than that, but n + m, it
// makes one pass for each direction.
constexpr std::size_t jacobian_workspace(std::size_t n, std::size_t m, unsigned width = default_width) {
  return width * (n + m);
}

// Whether forward passes are cheaper: one costs about one run of f more, a reverse pass about three.
constexpr bool prefers_forward(std::size_t n, std::size_t m, unsigned width = default_width) {
  return (n + width - 1) / width <= 2 * ((m + width - 1) / width);
}

namespace detail {

// Columns first .. first + lanes - 1 of the matrix.
template <unsigned W, class F, class J, class T, class... A>
TAPEFREE_INLINE void jacobian_columns(F &f, J at, T *memory, std::size_t first, std::size_t lanes, A &...a) {
  const std::size_t m = pick<pass_types<F, A...>::out>(a...).size;
  forward_pass<W>(
      f, memory,
      [=](auto &dx) {
        for (std::size_t k = 0; k < lanes; ++k)
          dx.at(first + k, k) = 1;
      },
      [=](auto &dy) {
        for (std::size_t i = 0; i < m; ++i)
          for (std::size_t k = 0; k < lanes; ++k)
            at(i, first + k) = dy.at(i, k);
      },
      a...);
}

// Rows first .. first + lanes - 1 of the matrix.
template <unsigned W, class F, class J, class T, class... A>
TAPEFREE_INLINE void jacobian_rows(F &f, J at, T *memory, std::size_t first, std::size_t lanes, A &...a) {
  const std::size_t n = pick<pass_types<F, A...>::in>(a...).size;
  reverse_pass<W>(
      f, memory,
      [=](auto &dy) {
        for (std::size_t k = 0; k < lanes; ++k)
          dy.at(first + k, k) = 1;
      },
      [=](auto &dx) {
        for (std::size_t j = 0; j < n; ++j)
          for (std::size_t k = 0; k < lanes; ++k)
            at(first + k, j) = dx.at(j, k);
      },
      a...);
}

template <pass_options O, class F, class J, class T, class... A>
TAPEFREE_INLINE void jacobian_in(F &f, J at, workspace_argument<T> scratch, A &...a) {
  using types = pass_types<F, A...>;
  const std::size_t n = pick<types::in>(a...).size, m = pick<types::out>(a...).size;
  check_length(n + m <= scratch.size,
               "jacobian: the scratch memory must hold at least one value for each input and "
               "output: pass workspace(...), see jacobian_workspace");
  const bool wide = O.width > 1 && O.width * (n + m) <= scratch.size;
  std::size_t first = 0;
  if (O.direction == sweep::forward ||
      (O.direction == sweep::automatic && prefers_forward(n, m, wide ? O.width : 1))) {
    if constexpr (O.direction != sweep::reverse) {
      if constexpr (O.width > 1)
        for (std::size_t lanes; wide && (lanes = pass_lanes<O.width>(n - first)) > 1; first += lanes)
          jacobian_columns<O.width>(f, at, scratch.data, first, lanes, a...);
      for (; first < n; ++first)
        jacobian_columns<1>(f, at, scratch.data, first, 1, a...);
    }
  } else if constexpr (O.direction != sweep::forward) {
    if constexpr (O.width > 1)
      for (std::size_t lanes; wide && (lanes = pass_lanes<O.width>(m - first)) > 1; first += lanes)
        jacobian_rows<O.width>(f, at, scratch.data, first, lanes, a...);
    for (; first < m; ++first)
      jacobian_rows<1>(f, at, scratch.data, first, 1, a...);
  }
}

// A function that returns its only output: the matrix is one row, its gradient.
template <class F, class J, class... A> TAPEFREE_INLINE void jacobian_row(F &f, J matrix, A &...a) {
  using types = pass_types<F, A...>;
  auto dx = make_shadowed<1, types::in, F>(matrix.data, a...);
  clear(matrix.data, pick<types::in>(a...).size);
  call_pass<mode{}>(f, pass_word(a, dx, dx)...);
}

template <class F, class... A> struct jacobian_facts : word_facts<F, A...> {
  static constexpr bool words_right = word_facts<F, A...>::right;
  static constexpr bool one_result =
      !words_right || is_floating<typename plain_binding<F, A...>::result> != pass_types<F, A...>::has_output;
  static constexpr bool right = words_right && one_result;
};
template <class Facts> struct explain_jacobian : explain_words<Facts> {
  static constexpr bool one_result = Facts::one_result;
  static_assert(one_result,
                "tapefree: jacobian is for a function that returns a floating-point value, or writes "
                "its results through output(y): one of both");
};

template <pass_options O, class F, bool RowMajor, class T, class... A>
TAPEFREE_INLINE void jacobian_checked(F &f, matrix_argument<RowMajor, T> matrix,
                                      workspace_argument<T> scratch, A &...a) {
  using types = pass_types<F, A...>;
  const std::size_t n = pick<types::in>(a...).size;
  std::size_t m = 1;
  if constexpr (types::has_output)
    m = pick<types::out>(a...).size;
  if (matrix.leading == 0) {
    check_length(matrix.size >= m * n, "jacobian: the matrix must hold outputs times inputs elements");
    matrix.leading = RowMajor ? n : m;
  }
  if constexpr (!types::has_output) {
    static_assert(RowMajor || types::has_output,
                  "tapefree: the Jacobian of a function that returns its value is one row: use row_major");
    jacobian_row(f, matrix, a...);
  } else {
    T *const data = matrix.data;
    const std::size_t leading = matrix.leading;
    jacobian_in<O>(
        f,
        [=](std::size_t i, std::size_t j) -> T & {
          return data[RowMajor ? i * leading + j : j * leading + i];
        },
        scratch, a...);
  }
}

template <pass_options O, class F, bool RowMajor, class T, class... A>
TAPEFREE_INLINE void jacobian_given(F &f, matrix_argument<RowMajor, T> matrix, workspace_argument<T> scratch,
                                    A &...a) {
  if constexpr (jacobian_facts<F, A...>::right)
    jacobian_checked<O>(f, matrix, scratch, a...);
  else
    static_cast<void>(explain_jacobian<jacobian_facts<F, A...>>());
}
template <pass_options O, class F, bool RowMajor, class T, class A0, class... A>
TAPEFREE_INLINE void jacobian_given(F &f, matrix_argument<RowMajor, T> matrix, A0 &a0, A &...a) {
  if constexpr (jacobian_facts<F, A0, A...>::right) {
    T stack[pass_types<F, A0, A...>::has_output ? O.stack : 1];
    jacobian_checked<O>(f, matrix, workspace_argument<T>{stack, sizeof stack / sizeof *stack}, a0, a...);
  } else {
    static_cast<void>(explain_jacobian<jacobian_facts<F, A0, A...>>());
  }
}
} // namespace detail

// Fills `matrix` (row_major or column_major) with the derivatives of all outputs of f by all inputs. Behind
// it stand, for each parameter of f, input(x), output(y) or constant(c), before them workspace(memory) if
// wanted. One input; one output, or f returns its value. Afterwards y holds what f writes. Forward or reverse
// is chosen by n and m, and the directions go in passes of O.width. Without a workspace O.stack values on the
// stack are scratch; less than n + m of scratch is an error at run time (TAPEFREE_FAIL).
template <pass_options O = pass_options{}, class F, class J, class... A>
TAPEFREE_INLINE void jacobian(F &&f, J matrix, A &&...a) {
  detail::jacobian_given<O>(f, matrix, a...);
}
template <auto F, pass_options O = pass_options{}, class J, class... A>
  requires(!std::is_same_v<std::remove_cv_t<decltype(F)>, pass_options>)
TAPEFREE_INLINE void jacobian(J matrix, A &&...a) {
  detail::named<F> f;
  detail::jacobian_given<O>(f, matrix, a...);
}

} // namespace tapefree

#endif // TAPEFREE_JACOBIAN_HPP
