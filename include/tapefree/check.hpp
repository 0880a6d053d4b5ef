// For tests: compares a gradient with central differences and reports the worst entry. It allocates.
//
//   auto report = tapefree::check_gradient(loss, tapefree::input(w), tapefree::constant(x));
//   if (!report) report.print();
#ifndef TAPEFREE_CHECK_HPP
#define TAPEFREE_CHECK_HPP

#include "detail/passes.hpp"
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

namespace tapefree {

struct check_options {
  double step = 0;      // relative; 0: the cube root of the rounding error of the input's type
  double tolerance = 0; // of the error below; 0: what rounding leaves of the difference, 4e-8 for double
};

// The entry with the largest error |got - want| / (1 + |want|).
struct gradient_report {
  std::size_t index = 0;
  double got = 0;  // the gradient
  double want = 0; // the central difference
  double error = 0;
  double tolerance = 0;
  explicit operator bool() const { return error <= tolerance; }
  void print(std::FILE *to = stderr) const {
    std::fprintf(to, "%s: worst entry %zu: got %.9g, want %.9g, error %.3g (at most %.3g)\n",
                 *this ? "passed" : "failed", index, got, want, error, tolerance);
  }
};

namespace detail {

template <class F, class... X> TAPEFREE_INLINE auto call_plainly(F &f, X &&...x) {
  return f(static_cast<X &&>(x)...);
}
template <auto F, class... X> TAPEFREE_INLINE auto call_plainly(named<F>, X &&...x) {
  return F(static_cast<X &&>(x)...);
}
template <class P, class T> TAPEFREE_INLINE P plain_value(input_argument<T> &a) {
  if constexpr (std::is_pointer_v<P>)
    return a.data;
  else
    return bare<P>(a.data, a.size);
}
template <class P, class T> TAPEFREE_INLINE decltype(auto) plain_value(constant_argument<T> &a) {
  return (a.value);
}

template <class F, class G, class... P, class... A>
gradient_report compare(F &f, const G &got, check_options o, list<P...>, A &...a) {
  auto &x = pick<find_input<A...>()>(a...);
  using T = std::remove_pointer_t<decltype(x.data)>;
  check_length(got.size() == x.size, "check_gradient: the gradient must have the length of the input");
  const double epsilon = static_cast<double>(std::numeric_limits<T>::epsilon());
  const double step = o.step > 0 ? o.step : std::cbrt(epsilon);
  gradient_report worst;
  worst.error = -1;
  worst.tolerance = o.tolerance > 0 ? o.tolerance : std::fmax(10 * step * step, 1000 * epsilon / step);
  for (std::size_t i = 0; i < x.size; ++i) {
    const T old = x.data[i];
    const double h = step * std::fmax(1, std::fabs(static_cast<double>(old)));
    x.data[i] = static_cast<T>(static_cast<double>(old) + h);
    const double right = static_cast<double>(x.data[i]);
    const double above = static_cast<double>(call_plainly(f, plain_value<P>(a)...));
    x.data[i] = static_cast<T>(static_cast<double>(old) - h);
    const double left = static_cast<double>(x.data[i]);
    const double below = static_cast<double>(call_plainly(f, plain_value<P>(a)...));
    x.data[i] = old;
    const double want = (above - below) / (right - left), is = static_cast<double>(got.data()[i]);
    double error = std::fabs(is - want) / (1 + std::fabs(want));
    if (!(error >= 0)) // NaN
      error = std::numeric_limits<double>::infinity();
    if (error > worst.error) {
      worst.index = i;
      worst.got = is;
      worst.want = want;
      worst.error = error;
    }
  }
  worst.error = std::fmax(worst.error, 0);
  return worst;
}

template <class A> inline constexpr bool is_const_input = false;
template <class T> inline constexpr bool is_const_input<input_argument<const T>> = true;
template <class F, class... A> struct gradient_facts : word_facts<F, A...> {
  static constexpr bool words_right = word_facts<F, A...>::right;
  static constexpr bool one_value = !words_right || (is_floating<typename plain_binding<F, A...>::result> &&
                                                     !pass_types<F, A...>::has_output);
  static constexpr bool movable = !words_right || !(is_const_input<A> || ...);
  static constexpr bool right = words_right && one_value && movable;
};
template <class Facts> struct explain_gradient : explain_words<Facts> {
  static constexpr bool one_value = Facts::one_value, movable = Facts::movable;
  static_assert(movable,
                "tapefree: check_gradient moves the input's values (and puts them back), so they must "
                "not be const");
  static_assert(one_value,
                "tapefree: check_gradient is for a function that returns one floating-point value");
};

template <check_options O, class F, class G, class... A>
TAPEFREE_INLINE gradient_report compare_given(F &f, const G &got, A &...a) {
  if constexpr (gradient_facts<F, A...>::right)
    return compare(f, got, O, typename plain_binding<F, A...>::parameters(), a...);
  else
    return static_cast<void>(explain_gradient<gradient_facts<F, A...>>()), gradient_report();
}
template <check_options O, class F, class... A> TAPEFREE_INLINE gradient_report check_given(F &f, A &...a) {
  if constexpr (gradient_facts<F, A...>::right) {
    using types = pass_types<F, A...>;
    auto &x = pick<types::in>(a...);
    std::vector<std::remove_cv_t<std::remove_pointer_t<decltype(x.data)>>> g(x.size);
    auto dx = make_shadowed<1, types::in, F>(g.data(), a...);
    call_pass<mode{}>(f, pass_word(a, dx, dx)...);
    return compare(f, g, O, typename plain_binding<F, A...>::parameters(), a...);
  } else {
    return static_cast<void>(explain_gradient<gradient_facts<F, A...>>()), gradient_report();
  }
}
} // namespace detail

// Compares the gradient that Tapefree makes with central differences. For each parameter of f: input(x)
// (once; its values are moved one by one and put back) or constant(c).
template <check_options O = check_options{}, class F, class... A>
TAPEFREE_INLINE gradient_report check_gradient(F &&f, A &&...a) {
  return detail::check_given<O>(f, a...);
}
template <auto F, check_options O = check_options{}, class... A>
  requires(!std::is_same_v<std::remove_cv_t<decltype(F)>, check_options>)
TAPEFREE_INLINE gradient_report check_gradient(A &&...a) {
  detail::named<F> f;
  return detail::check_given<O>(f, a...);
}

// The same for a gradient from elsewhere: `got` has the length of the input.
template <check_options O = check_options{}, class F, detail::contiguous G, class... A>
TAPEFREE_INLINE gradient_report compare_gradient(F &&f, const G &got, A &&...a) {
  return detail::compare_given<O>(f, got, a...);
}
template <auto F, check_options O = check_options{}, detail::contiguous G, class... A>
  requires(!std::is_same_v<std::remove_cv_t<decltype(F)>, check_options>)
TAPEFREE_INLINE gradient_report compare_gradient(const G &got, A &&...a) {
  detail::named<F> f;
  return detail::compare_given<O>(f, got, a...);
}

} // namespace tapefree

#endif // TAPEFREE_CHECK_HPP
