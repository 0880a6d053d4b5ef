// The dense layer: z = x W + b, a = act(z), over a mini-batch.
//
// Layout: x [rows][in], W [in][out] (input-major), b [out], z and a [rows][out]. The innermost loop runs
// along the outputs: unit stride in W and z, every output independent, so it vectorises without reordering
// any sum. The loop over inputs is the outermost, so that each row of W is read once per mini-batch and z
// stays in the cache.
//
// z and a are different arrays and neither is overwritten after it is complete. What the gradient needs later
// (x, W, z) is therefore still in memory when it needs it, and nothing has to be kept.
#pragma once

#include <cstddef>

#include "tapefree/nn/config.hpp"

namespace tapefree::nn {

// A signed 64-bit index: the compiler's own loop counter, and it cannot wrap round.
using index = std::ptrdiff_t;

namespace detail {

// z0 and z1 += the products of four inputs of two samples with four rows of W. Each row of W that is loaded
// serves two samples, and each sum that is loaded and stored takes four products: enough work for the
// multipliers. (A loop of its own for the outputs beyond the last multiple of 8 was measured: it does not
// pay.)
template <class T>
TAPEFREE_NN_INLINE void add_products_two_rows(const T *__restrict__ x0, const T *__restrict__ x1,
                                              const T *__restrict__ w, T *__restrict__ z0, T *__restrict__ z1,
                                              index out) {
  TAPEFREE_NN_REASSOCIATE
  const T *w0 = w, *w1 = w + out, *w2 = w + 2 * out, *w3 = w + 3 * out;
  const T x00 = x0[0], x01 = x0[1], x02 = x0[2], x03 = x0[3];
  const T x10 = x1[0], x11 = x1[1], x12 = x1[2], x13 = x1[3];
  for (index o = 0; o < out; ++o) {
    z0[o] = z0[o] + x00 * w0[o] + x01 * w1[o] + x02 * w2[o] + x03 * w3[o];
    z1[o] = z1[o] + x10 * w0[o] + x11 * w1[o] + x12 * w2[o] + x13 * w3[o];
  }
}

template <class T>
TAPEFREE_NN_INLINE void add_products_one_row(const T *__restrict__ x0, const T *__restrict__ w,
                                             T *__restrict__ z0, index out) {
  TAPEFREE_NN_REASSOCIATE
  const T *w0 = w, *w1 = w + out, *w2 = w + 2 * out, *w3 = w + 3 * out;
  const T x00 = x0[0], x01 = x0[1], x02 = x0[2], x03 = x0[3];
  for (index o = 0; o < out; ++o)
    z0[o] = z0[o] + x00 * w0[o] + x01 * w1[o] + x02 * w2[o] + x03 * w3[o];
}

} // namespace detail

// z = x W + b.
template <class T>
TAPEFREE_NN_INLINE void dense_forward(const T *__restrict__ x, const T *__restrict__ w,
                                      const T *__restrict__ b, T *__restrict__ z, index rows, index in,
                                      index out) {
  TAPEFREE_NN_REASSOCIATE
  for (index r = 0; r < rows; ++r)
    for (index o = 0; o < out; ++o)
      z[r * out + o] = b[o];

  const index quads = in / 4;
  const index pairs = rows / 2;
  for (index q = 0; q < quads; ++q) {
    const T *w4 = w + 4 * q * out;
    const T *x4 = x + 4 * q;
    for (index p = 0; p < pairs; ++p) {
      const T *x0 = x4 + 2 * p * in;
      T *z0 = z + 2 * p * out;
      detail::add_products_two_rows(x0, x0 + in, w4, z0, z0 + out, out);
    }
    if (2 * pairs < rows)
      detail::add_products_one_row(x4 + 2 * pairs * in, w4, z + 2 * pairs * out, out);
  }

  for (index i = 4 * quads; i < in; ++i)
    for (index r = 0; r < rows; ++r) {
      const T xi = x[r * in + i];
      for (index o = 0; o < out; ++o)
        z[r * out + o] += xi * w[i * out + o];
    }
}

// a = act(z), element by element.
template <class Act, class T>
TAPEFREE_NN_INLINE void activate(const T *__restrict__ z, T *__restrict__ a, index count) {
  for (index k = 0; k < count; ++k)
    a[k] = Act::apply(z[k]);
}

// A dense layer whose sizes are known to the compiler. The parameters lie as W, then b.
template <int In, int Out, class Act> struct Dense {
  static_assert(In > 0 && Out > 0, "a dense layer needs at least one input and one output");

  static constexpr int inputs = In;
  static constexpr int outputs = Out;
  static constexpr std::size_t weight_count = static_cast<std::size_t>(In) * Out;
  static constexpr std::size_t parameter_count = weight_count + Out;
  // The pre-activations z and the activations a of one sample.
  static constexpr std::size_t activation_count = 2 * static_cast<std::size_t>(Out);

  template <class T>
  TAPEFREE_NN_INLINE static void forward(const T *__restrict__ x, const T *__restrict__ params,
                                         T *__restrict__ z, T *__restrict__ a, index rows) {
    dense_forward<T>(x, params, params + weight_count, z, rows, In, Out);
    activate<Act, T>(z, a, rows * Out);
  }
};

} // namespace tapefree::nn
