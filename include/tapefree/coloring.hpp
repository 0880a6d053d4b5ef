// Groups of columns or rows of a sparse matrix that one direction can share, and the plan by which the matrix
// is read off the results. This is done once for each sparsity pattern, on the host, and allocates
// (std::vector); evaluating a plan (sparse.hpp) does not.
#ifndef TAPEFREE_COLORING_HPP
#define TAPEFREE_COLORING_HPP

#include "jacobian.hpp"
#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

namespace tapefree {

// Where a matrix may be nonzero, in compressed rows: the columns of row i are column[row_begin[i]] ..
// column[row_begin[i + 1] - 1]. The k-th of these is the k-th value of the matrix. For a Hessian: both
// triangles, and the diagonal.
struct sparsity {
  std::size_t columns;
  std::span<const std::size_t> row_begin; // rows + 1 of them
  std::span<const std::size_t> column;
  std::size_t rows() const { return row_begin.size() - 1; }
};

// A number below `count` for each row or column.
struct coloring {
  std::vector<unsigned> color;
  unsigned count = 0;
};

namespace detail {

struct owned_sparsity {
  std::size_t columns;
  std::vector<std::size_t> row_begin, column;
  operator sparsity() const { return {columns, row_begin, column}; }
};

inline owned_sparsity transpose(const sparsity &a) {
  owned_sparsity t{a.rows(), std::vector<std::size_t>(a.columns + 1),
                   std::vector<std::size_t>(a.column.size())};
  for (std::size_t j : a.column)
    ++t.row_begin[j + 1];
  std::partial_sum(t.row_begin.begin(), t.row_begin.end(), t.row_begin.begin());
  std::vector<std::size_t> next(t.row_begin.begin(), t.row_begin.end() - 1);
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t p = a.row_begin[i]; p < a.row_begin[i + 1]; ++p)
      t.column[next[a.column[p]]++] = i;
  return t;
}

// Rows of `a` by falling number of entries: those that are hard to colour come first.
inline std::vector<std::size_t> largest_first(const sparsity &a) {
  std::vector<std::size_t> order(a.rows());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    const std::size_t of_i = a.row_begin[i + 1] - a.row_begin[i], of_j = a.row_begin[j + 1] - a.row_begin[j];
    return of_i != of_j ? of_i > of_j : i < j;
  });
  return order;
}

// Colours that the vertex at hand must not get: those stamped with its number.
class forbidden_colors {
public:
  explicit forbidden_colors(std::size_t vertices) : stamp(vertices + 1, none) {}
  void add(unsigned color, std::size_t vertex) { stamp[color] = vertex; }
  unsigned smallest(std::size_t vertex) const {
    unsigned c = 0;
    while (stamp[c] == vertex)
      ++c;
    return c;
  }

private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::size_t> stamp;
};

inline constexpr unsigned uncolored = static_cast<unsigned>(-1);

} // namespace detail

// Greedy distance-2 colouring: two columns with an entry in the same row get different colours. Time: the sum
// over all rows of the square of their length.
inline coloring color_columns(const sparsity &a) {
  const detail::owned_sparsity owned = detail::transpose(a);
  const sparsity t = owned;
  coloring result{std::vector<unsigned>(a.columns, detail::uncolored), 0};
  detail::forbidden_colors forbidden(a.columns);
  for (std::size_t v : detail::largest_first(t)) {
    for (std::size_t p = t.row_begin[v]; p < t.row_begin[v + 1]; ++p)
      for (std::size_t q = a.row_begin[t.column[p]]; q < a.row_begin[t.column[p] + 1]; ++q)
        if (unsigned c = result.color[a.column[q]]; c != detail::uncolored)
          forbidden.add(c, v);
    result.color[v] = forbidden.smallest(v);
    result.count = std::max(result.count, result.color[v] + 1);
  }
  return result;
}

// The same for rows: two rows with an entry in the same column get different colours.
inline coloring color_rows(const sparsity &a) { return color_columns(detail::transpose(a)); }

// Greedy star colouring of a symmetric pattern: neighbours differ, and a path of four vertices has three
// colours. Then each entry of a Hessian can be read off from one of the two places where it contributes.
// Never more colours than color_columns would need, often far fewer: 2 for an arrow.
inline coloring color_symmetric(const sparsity &a) {
  coloring result{std::vector<unsigned>(a.columns, detail::uncolored), 0};
  std::vector<unsigned> &color = result.color;
  detail::forbidden_colors forbidden(a.columns);
  const auto each_neighbour = [&](std::size_t v, auto visit) {
    for (std::size_t p = a.row_begin[v]; p < a.row_begin[v + 1]; ++p)
      if (a.column[p] != v)
        visit(a.column[p]);
  };
  for (std::size_t v : detail::largest_first(a)) {
    each_neighbour(v, [&](std::size_t w) {
      if (color[w] != detail::uncolored)
        forbidden.add(color[w], v);
      each_neighbour(w, [&](std::size_t x) {
        if (x == v || color[x] == detail::uncolored)
          return;
        if (color[w] == detail::uncolored) { // w may become the middle of a path: its neighbours must differ
          forbidden.add(color[x], v);
          return;
        }
        each_neighbour(x, [&](std::size_t y) { // v - w - x - y must not alternate between two colours
          if (y != w && color[y] == color[w])
            forbidden.add(color[x], v);
        });
      });
    });
    color[v] = forbidden.smallest(v);
    result.count = std::max(result.count, color[v] + 1);
  }
  return result;
}

// From the results of all passes to the values of a sparse matrix.
struct sparse_plan {
  struct entry {
    std::size_t value; // which value of the matrix
    std::size_t index; // which element of a result
    unsigned color;    // of which direction
  };
  sweep direction; // of a Jacobian
  std::size_t inputs, outputs;
  coloring colors;                // of columns (forward, Hessian) or rows (reverse)
  std::vector<entry> entries;     // by colour
  std::vector<std::size_t> begin; // entries of colour c: begin[c] .. begin[c + 1] - 1
};

namespace detail {
inline void sort_entries(sparse_plan &plan) {
  plan.begin.assign(plan.colors.count + 1, 0);
  for (const sparse_plan::entry &e : plan.entries)
    ++plan.begin[e.color + 1];
  std::partial_sum(plan.begin.begin(), plan.begin.end(), plan.begin.begin());
  std::sort(plan.entries.begin(), plan.entries.end(),
            [](const sparse_plan::entry &a, const sparse_plan::entry &b) {
              return a.color != b.color ? a.color < b.color : a.value < b.value;
            });
}
inline void check_pattern(const sparsity &a) {
  check_length(!a.row_begin.empty() && a.row_begin.back() == a.column.size(),
               "sparsity: row_begin must end with the number of entries");
  for (std::size_t j : a.column)
    check_length(j < a.columns, "sparsity: a column is out of range");
}
} // namespace detail

// A plan for a Jacobian with a colouring from elsewhere: of columns for forward, of rows for reverse. Colours
// that do not fit the pattern are an error at run time (TAPEFREE_FAIL).
inline sparse_plan plan_jacobian(const sparsity &a, sweep direction, coloring colors) {
  const bool forward = direction == sweep::forward;
  detail::check_pattern(a);
  detail::check_length(colors.color.size() == (forward ? a.columns : a.rows()),
                       "coloring: give one colour for each column (forward) or row (reverse)");
  sparse_plan plan{direction, a.columns, a.rows(), std::move(colors), {}, {}};
  std::vector<std::size_t> taken(plan.colors.count * (forward ? 1 : a.columns), static_cast<std::size_t>(-1));
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t p = a.row_begin[i]; p < a.row_begin[i + 1]; ++p) {
      const std::size_t j = a.column[p];
      const unsigned c = plan.colors.color[forward ? j : i];
      std::size_t &by = taken[forward ? c : c * a.columns + j];
      detail::check_length(c < plan.colors.count && by != (forward ? i : 0),
                           "coloring: two entries of one row (column) have the same colour");
      by = forward ? i : 0;
      plan.entries.push_back({p, forward ? i : j, c});
    }
  detail::sort_entries(plan);
  return plan;
}

// A plan for a Jacobian with this pattern: forward or reverse, whichever takes less, `width` directions at
// once.
inline sparse_plan plan_jacobian(const sparsity &a, unsigned width = default_width) {
  detail::check_pattern(a);
  coloring columns = color_columns(a), rows = color_rows(a);
  return prefers_forward(columns.count, rows.count, width)
             ? plan_jacobian(a, sweep::forward, std::move(columns))
             : plan_jacobian(a, sweep::reverse, std::move(rows));
}

// A plan for a Hessian with a colouring from elsewhere (star, acyclic where entries can be read directly, or
// distance-2). Colours that do not do are an error at run time (TAPEFREE_FAIL).
inline sparse_plan plan_hessian(const sparsity &a, coloring colors) {
  detail::check_pattern(a);
  detail::check_length(a.rows() == a.columns && colors.color.size() == a.columns,
                       "plan_hessian: the pattern must be square, with one colour for each column");
  sparse_plan plan{sweep::forward, a.columns, a.columns, std::move(colors), {}, {}};
  const std::vector<unsigned> &color = plan.colors.color;
  // Whether, of all entries of row i, only the one in column j is in directions of j's colour.
  const auto alone = [&](std::size_t i, std::size_t j) {
    std::size_t n = 0;
    bool seen = false;
    for (std::size_t p = a.row_begin[i]; p < a.row_begin[i + 1]; ++p) {
      n += color[a.column[p]] == color[j];
      seen |= a.column[p] == j;
    }
    return seen && n == 1;
  };
  for (std::size_t i = 0; i < a.rows(); ++i)
    for (std::size_t p = a.row_begin[i]; p < a.row_begin[i + 1]; ++p) {
      const std::size_t j = a.column[p];
      detail::check_length(color[j] < plan.colors.count, "coloring: a colour is not below their count");
      const bool here = alone(i, j);
      detail::check_length(here || alone(j, i),
                           "coloring: an entry of the Hessian cannot be told from others; is the pattern "
                           "symmetric, with its diagonal, and the colouring a star colouring?");
      plan.entries.push_back({p, here ? i : j, color[here ? j : i]});
    }
  detail::sort_entries(plan);
  return plan;
}
inline sparse_plan plan_hessian(const sparsity &a) {
  detail::check_pattern(a);
  return plan_hessian(a, color_symmetric(a));
}

} // namespace tapefree

#endif // TAPEFREE_COLORING_HPP
