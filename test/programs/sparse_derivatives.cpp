// NOLANES: the typed interface, or batches themselves
// LEVELS: O0 O2 fast
// Sparse Jacobians and Hessians by colouring: tridiagonal, arrows of every kind, a grid, random patterns; the colourings are
// proved against brute force, and the values against dense derivatives.
#include "support.hpp"
#include <tapefree/sparse.hpp>
namespace tf = tapefree;
using index_list = std::vector<std::size_t>;

struct Pattern {
  std::size_t columns;
  index_list begin{0}, column;
  template <class Has> Pattern(int rows, int n, Has has) : columns(n) {
    for (int i = 0; i < rows; ++i) {
      for (int j = 0; j < n; ++j)
        if (has(i, j))
          column.push_back(j);
      begin.push_back(column.size());
    }
  }
  operator tf::sparsity() const { return {columns, begin, column}; }
};

// y[i] is a sum over the entries of row i, none of them linear.
static void rows_of(const double *x, double *y, const std::size_t *begin, const std::size_t *column, int m) {
  for (int i = 0; i < m; ++i) {
    double s = 0, product = 1;
    for (std::size_t p = begin[i]; p < begin[i + 1]; ++p) {
      s += x[column[p]] * x[column[p]];
      product *= x[column[p]];
    }
    y[i] = s * product;
  }
}
// The Hessian has an entry (i, j) for each pair in the pattern.
static double pairs(const double *x, const std::size_t *begin, const std::size_t *column, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    for (std::size_t p = begin[i]; p < begin[i + 1]; ++p) {
      double d = x[i] - 2 * x[column[p]];
      s += d * d * d + x[i] * x[i] * x[i];
    }
  return s;
}

static void check_jacobian(const char *what, const Pattern &a, int m, unsigned most, tf::sweep direction) {
  const int n = static_cast<int>(a.columns);
  std::vector<double> x(n), y(m), values(a.column.size(), 99), dense(m * n);
  fill(x.data(), n, n + m, 0.5, 1.5);
  tf::sparse_plan plan = tf::plan_jacobian(a, 1); // one direction at a time, whatever the width
  check_true(what, plan.colors.count <= most && plan.direction == direction);
  const std::size_t *begin = a.begin.data(), *column = a.column.data();
  tf::jacobian(rows_of, tf::row_major(dense), tf::input(x), tf::output(y), tf::constant(begin), tf::constant(column),
               tf::constant(m));
  auto look = [&] {
    for (int i = 0; i < m; ++i)
      for (std::size_t p = begin[i]; p < begin[i + 1]; ++p)
        check(what, values[p], dense[i * n + column[p]]);
    std::fill(values.begin(), values.end(), 99);
  };
  tf::sparse_jacobian(rows_of, plan, values, tf::input(x), tf::output(y), tf::constant(begin), tf::constant(column),
                      tf::constant(m));
  look();
  std::vector<double> work(n + m);
  for (tf::sweep d : {tf::sweep::forward, tf::sweep::reverse}) { // either way, with the least scratch
    tf::sparse_plan forced = tf::plan_jacobian(a, d, d == tf::sweep::forward ? tf::color_columns(a) : tf::color_rows(a));
    tf::sparse_jacobian<rows_of>(forced, values, tf::workspace(work), tf::input(x), tf::output(y), tf::constant(begin),
                                 tf::constant(column), tf::constant(m));
    look();
  }
}

static void check_hessian(const char *what, const Pattern &a, unsigned most) {
  const int n = static_cast<int>(a.columns);
  std::vector<double> x(n), g(n), values(a.column.size(), 99), dense(n * n), dense_g(n), work(tf::hessian_workspace(n));
  fill(x.data(), n, n, -1, 1);
  tf::sparse_plan plan = tf::plan_hessian(a);
  check_true(what, plan.colors.count <= most);
  const std::size_t *begin = a.begin.data(), *column = a.column.data();
  tf::hessian<pairs>(dense, dense_g, tf::input(x), tf::constant(begin), tf::constant(column), tf::constant(n));
  for (int with_workspace = 0; with_workspace < 2; ++with_workspace) {
    if (with_workspace)
      tf::sparse_hessian<pairs>(plan, values, g, tf::workspace(work), tf::input(x), tf::constant(begin), tf::constant(column),
                                tf::constant(n));
    else
      tf::sparse_hessian<pairs>(plan, values, g, tf::input(x), tf::constant(begin), tf::constant(column), tf::constant(n));
    check_all(what, g.data(), dense_g.data(), n);
    for (int i = 0; i < n; ++i)
      for (std::size_t p = begin[i]; p < begin[i + 1]; ++p)
        check(what, values[p], dense[i * n + column[p]]);
    std::fill(values.begin(), values.end(), 99);
  }
}

static bool is_distance_2(const Pattern &a, const tf::coloring &c) {
  for (std::size_t i = 0; i + 1 < a.begin.size(); ++i)
    for (std::size_t p = a.begin[i]; p < a.begin[i + 1]; ++p)
      for (std::size_t q = a.begin[i]; q < p; ++q)
        if (c.color[a.column[p]] == c.color[a.column[q]])
          return false;
  return true;
}
static bool is_star(const Pattern &a, const tf::coloring &c) {
  auto each = [&](std::size_t v, auto visit) {
    for (std::size_t p = a.begin[v]; p < a.begin[v + 1]; ++p)
      if (a.column[p] != v)
        visit(a.column[p]);
  };
  bool good = true;
  for (std::size_t u = 0; u < a.columns; ++u)
    each(u, [&](std::size_t v) {
      good &= c.color[u] != c.color[v];
      each(v, [&](std::size_t w) {
        if (w != u)
          each(w, [&](std::size_t x) {
            if (x != v && x != u)
              good &= !(c.color[u] == c.color[w] && c.color[v] == c.color[x]);
          });
      });
    });
  return good;
}

int main() {
  const auto near = [](int i, int j) { return std::abs(i - j) <= 1; };
  check_jacobian("tridiagonal", Pattern(20, 20, near), 20, 3, tf::sweep::forward);
  check_jacobian("arrow to the left", Pattern(20, 20, [](int i, int j) { return j == 0 || i == j; }), 20, 2, tf::sweep::forward);
  check_jacobian("arrow upwards", Pattern(20, 20, [](int i, int j) { return i == 0 || i == j; }), 20, 2, tf::sweep::reverse);
  check_jacobian("diagonal", Pattern(9, 9, [](int i, int j) { return i == j; }), 9, 1, tf::sweep::forward);
  check_jacobian("wide", Pattern(3, 40, [](int i, int j) { return j / 10 == i || j == 39; }), 3, 3, tf::sweep::reverse);
  check_jacobian("empty rows and columns", Pattern(6, 7, [](int i, int j) { return i % 2 && j == i; }), 6, 1, tf::sweep::forward);

  check_hessian("tridiagonal", Pattern(20, 20, near), 3);
  check_hessian("arrow", Pattern(20, 20, [](int i, int j) { return i == 0 || j == 0 || i == j; }), 2);
  check_hessian("grid", Pattern(36, 36, [](int i, int j) { return std::abs(i / 6 - j / 6) + std::abs(i % 6 - j % 6) <= 1; }), 6);
  check_hessian("full", Pattern(6, 6, [](int, int) { return true; }), 6);

  for (unsigned seed = 1; seed <= 30; ++seed) {
    const int n = 5 + seed;
    std::vector<double> draw(n * n);
    fill(draw.data(), n * n, seed, 0, 1);
    Pattern any(n, n, [&](int i, int j) { return draw[i * n + j] < 3.0 / n; });
    tf::coloring c = tf::color_columns(any);
    check_true("distance 2", is_distance_2(any, c));
    Pattern symmetric(n, n, [&](int i, int j) { return i == j || draw[std::min(i, j) * n + std::max(i, j)] < 3.0 / n; });
    c = tf::color_symmetric(symmetric);
    check_true("star", is_star(symmetric, c));
    if (seed % 10 == 0)
      check_hessian("random", symmetric, n);
  }
  return finish();
}
