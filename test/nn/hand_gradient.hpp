// The gradient of a DynMlp (or an Mlp: the layout is the same), written by hand: the reference that the
// compiler's gradient is compared with, in numbers and in speed.
#pragma once

#include <cmath>
#include <cstdint>

#include "tapefree/nn/model.hpp"

namespace tapefree::nn::hand {

// act'(z), from z and a = act(z).
template <class Act> struct derivative;

template <> struct derivative<identity> {
  template <class T> static T at(T, T) { return T(1); }
};
template <> struct derivative<relu> {
  template <class T> static T at(T z, T) { return z > T(0) ? T(1) : T(0); }
};
template <> struct derivative<selu> {
  template <class T> static T at(T z, T a) {
    return z > T(0) ? T(selu::scale) : a + T(selu::scale * selu::alpha);
  }
};
template <> struct derivative<tanh> {
  template <class T> static T at(T, T a) { return T(1) - a * a; }
};

// dw += x0' dz0 + x1' dz1 for four rows of W; with Inner also dx0, dx1 += W dz.
template <bool Inner, class T>
TAPEFREE_NN_INLINE void reverse_two_rows(const T *__restrict__ x0, const T *__restrict__ x1,
                                         T *__restrict__ dx0, T *__restrict__ dx1, const T *__restrict__ w,
                                         T *__restrict__ dw, const T *__restrict__ dz0,
                                         const T *__restrict__ dz1, index out) {
  TAPEFREE_NN_REASSOCIATE
  const T x00 = x0[0], x01 = x0[1], x02 = x0[2], x03 = x0[3];
  const T x10 = x1[0], x11 = x1[1], x12 = x1[2], x13 = x1[3];
  for (index o = 0; o < out; ++o) {
    dw[o] += x00 * dz0[o] + x10 * dz1[o];
    dw[out + o] += x01 * dz0[o] + x11 * dz1[o];
    dw[2 * out + o] += x02 * dz0[o] + x12 * dz1[o];
    dw[3 * out + o] += x03 * dz0[o] + x13 * dz1[o];
  }
  if constexpr (Inner)
    for (int i = 0; i < 4; ++i) {
      T sum0 = T(0), sum1 = T(0);
      for (index o = 0; o < out; ++o) {
        sum0 += w[i * out + o] * dz0[o];
        sum1 += w[i * out + o] * dz1[o];
      }
      dx0[i] += sum0;
      dx1[i] += sum1;
    }
}

template <bool Inner, class T>
TAPEFREE_NN_INLINE void reverse_one_input(T x, T *dx, const T *__restrict__ w, T *__restrict__ dw,
                                          const T *__restrict__ dz, index out) {
  TAPEFREE_NN_REASSOCIATE
  for (index o = 0; o < out; ++o)
    dw[o] += x * dz[o];
  if constexpr (Inner) {
    T sum = T(0);
    for (index o = 0; o < out; ++o)
      sum += w[o] * dz[o];
    *dx += sum;
  }
}

// The reverse of dense_forward: dw, db and (Inner) dx are added to, dz is consumed.
template <bool Inner, class T>
void reverse_dense(const T *__restrict__ x, T *__restrict__ dx, const T *__restrict__ w, T *__restrict__ dw,
                   T *__restrict__ db, T *__restrict__ dz, index rows, index in, index out) {
  TAPEFREE_NN_REASSOCIATE
  const index quads = in / 4, pairs = rows / 2;
  for (index q = 0; q < quads; ++q) {
    const index i = 4 * q;
    for (index p = 0; p < pairs; ++p) {
      const T *x0 = x + 2 * p * in + i, *x1 = x0 + in;
      T *dx0 = Inner ? dx + 2 * p * in + i : nullptr, *dx1 = Inner ? dx0 + in : nullptr;
      const T *dz0 = dz + 2 * p * out, *dz1 = dz0 + out;
      reverse_two_rows<Inner, T>(x0, x1, dx0, dx1, w + i * out, dw + i * out, dz0, dz1, out);
    }
    for (index r = 2 * pairs; r < rows; ++r)
      for (index k = i; k < i + 4; ++k)
        reverse_one_input<Inner, T>(x[r * in + k], Inner ? dx + r * in + k : nullptr, w + k * out,
                                    dw + k * out, dz + r * out, out);
  }
  for (index i = 4 * quads; i < in; ++i)
    for (index r = 0; r < rows; ++r)
      reverse_one_input<Inner, T>(x[r * in + i], Inner ? dx + r * in + i : nullptr, w + i * out, dw + i * out,
                                  dz + r * out, out);
  for (index r = 0; r < rows; ++r)
    for (index o = 0; o < out; ++o) {
      db[o] += dz[r * out + o];
      dz[r * out + o] = T(0);
    }
}

// Same contract as loss_and_gradient in gradient.hpp.
template <class T, class Act>
T loss_and_gradient(const T *params, T *dparams, T *work, T *dwork, const T *x, const std::uint8_t *labels,
                    int batch, const mlp_shape *shape) {
  const T loss = DynMlp<T, Act>::loss(params, work, x, labels, batch, shape);
  const index capacity = shape->max_batch;
  const index rows = batch < capacity ? batch : capacity;

  index at_params[max_layers], at_work[max_layers];
  index params_used = 0, work_used = 0;
  for (int l = 0; l < shape->layers; ++l) {
    const index in = shape->sizes[l], out = shape->sizes[l + 1];
    at_params[l] = params_used;
    at_work[l] = work_used;
    params_used += (in + 1) * out;
    work_used += 2 * out * capacity;
  }

  const int last = shape->layers - 1;
  const index classes = shape->sizes[last + 1];
  const T *logits = work + at_work[last];
  const T *shift = logits + classes * capacity, *sum = shift + capacity;
  T *dlogits = dwork + at_work[last];
  for (index r = 0; r < rows; ++r)
    for (index k = 0; k < classes; ++k) {
      const T probability = std::exp(logits[r * classes + k] - shift[r]) / sum[r];
      dlogits[r * classes + k] += (probability - (k == labels[r] ? T(1) : T(0))) / static_cast<T>(rows);
    }

  for (int l = last; l >= 0; --l) {
    const index in = shape->sizes[l], out = shape->sizes[l + 1];
    const T *w = params + at_params[l];
    T *dw = dparams + at_params[l], *db = dw + in * out;
    T *z = work + at_work[l], *dz = dwork + at_work[l];
    if (l < last) {
      const T *a = z + out * capacity;
      T *da = dz + out * capacity;
      for (index k = 0; k < rows * out; ++k) {
        dz[k] += da[k] * derivative<Act>::at(z[k], a[k]);
        da[k] = T(0);
      }
    }
    if (l > 0) {
      const index area = in * capacity; // the previous layer's z is in front of its a
      reverse_dense<true, T>(work + at_work[l - 1] + area, dwork + at_work[l - 1] + area, w, dw, db, dz, rows,
                             in, out);
    } else {
      reverse_dense<false, T>(x, nullptr, w, dw, db, dz, rows, in, out);
    }
  }
  return loss;
}

} // namespace tapefree::nn::hand
