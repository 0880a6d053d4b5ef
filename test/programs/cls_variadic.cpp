// Variadic templates and folds, recursion with templates, index sequences, lambdas as template arguments.
#include "compare.hpp"
#include <utility>

template <class... T> static auto sum(T... v) { return (v + ...); }
template <class... T> static auto product_of_pairs(T... v) { return ((v * v + 1) * ...); }
template <int N> struct Power {
  template <class T> static T of(T v) { return v * Power<N - 1>::of(v); }
};
template <> struct Power<0> {
  template <class T> static T of(T) { return T(1); }
};
template <auto G, class T> static T applied(T v) { return G(G(v)); }
template <std::size_t... I> static double spread(const double *x, std::index_sequence<I...>) {
  return sum(Power<I>::of(x[I])...) * product_of_pairs(x[I]...);
}
double f(const double *x, int) {
  constexpr auto half = [](auto v) { return v * v * 0.5 + v; };
  double s = spread(x, std::make_index_sequence<4>());
  return s * applied<half>(x[1]) + applied<[](double v) { return std::sin(v) * v; }>(x[2]);
}

int main() {
  compare_at<f>("variadic", 4, -1, 1);
  return finish();
}
