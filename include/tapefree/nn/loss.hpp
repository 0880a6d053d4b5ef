// Softmax cross-entropy, the mean over a mini-batch, and arg max.
#pragma once

#include <cmath>
#include <cstddef>

#include "tapefree/nn/config.hpp"
#include "tapefree/nn/dense.hpp"

namespace tapefree::nn {

// Scratch values that softmax_cross_entropy needs for each row: a shift and a sum.
inline constexpr std::size_t softmax_scratch_per_row = 2;

// mean over r of log(sum over k of exp(z[r][k])) - z[r][label[r]].
//
// `shift` and `sum` hold one value per row. The three loops hand their results on through memory, each place
// written once, so the gradient reads them again instead of keeping them.
//
// The shift prevents overflow and cancels in the result. Any value near the row's maximum will do, so it is
// the maximum cut to an integer: no derivative passes through an integer, which is exact here (the derivative
// with respect to the shift is 0) and spares the gradient the whole search for the maximum.
template <class T, class Label>
TAPEFREE_NN_INLINE T softmax_cross_entropy(const T *__restrict__ z, const Label *__restrict__ labels,
                                           T *__restrict__ shift, T *__restrict__ sum, index rows,
                                           index classes) {
  for (index r = 0; r < rows; ++r) {
    T largest = z[r * classes];
    for (index k = 1; k < classes; ++k)
      largest = z[r * classes + k] > largest ? z[r * classes + k] : largest;
    const bool fits = largest > T(-1e9) && largest < T(1e9); // also false for a NaN
    shift[r] = static_cast<T>(fits ? static_cast<int>(largest) : 0);
  }
  for (index r = 0; r < rows; ++r) {
    T total = T(0);
    for (index k = 0; k < classes; ++k)
      total += std::exp(z[r * classes + k] - shift[r]);
    sum[r] = total;
  }
  T loss = T(0);
  for (index r = 0; r < rows; ++r)
    loss += std::log(sum[r]) + shift[r] - z[r * classes + labels[r]];
  return loss / static_cast<T>(rows);
}

// The class with the largest value, the first one in case of a tie.
template <class T> TAPEFREE_NN_INLINE int arg_max(const T *z, index classes) {
  int best = 0;
  for (index k = 1; k < classes; ++k)
    if (z[k] > z[best])
      best = static_cast<int>(k);
  return best;
}

} // namespace tapefree::nn
