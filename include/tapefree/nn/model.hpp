// Multi-layer perceptrons that end in softmax cross-entropy: `Mlp` with sizes known to the compiler, `DynMlp`
// with sizes chosen at run time. Both are functions over memory that the caller owns: parameters, a work
// array, inputs, labels.
//
// How the work array is cut up decides whether the gradient keeps anything:
//
// * every layer has its own z and its own a, written once; nothing is overwritten when a later layer runs;
// * layer l calls layer l + 1 from inside itself, and takes its buffers and "all the work that is left" as
//   separate `__restrict__` parameters. Their scope is therefore the rest of the whole network, so it is
//   *provable* that no later layer writes the x, W, z and a that layer l's reverse sweep reads again. A loop
//   over layers would compute the same, but there the disjointness would hang on offsets that no compiler can
//   follow.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tapefree/nn/activation.hpp"
#include "tapefree/nn/config.hpp"
#include "tapefree/nn/dense.hpp"
#include "tapefree/nn/init.hpp"
#include "tapefree/nn/loss.hpp"
#include "tapefree/nn/rng.hpp"

namespace tapefree::nn {

// What stands at the end of the network. `scratch` holds softmax_scratch_per_row values for each of
// `capacity` rows.
struct loss_head {
  template <class T>
  TAPEFREE_NN_INLINE static T apply(const T *__restrict__ logits, T *__restrict__ scratch, index rows,
                                    index classes, index capacity, const std::uint8_t *__restrict__ labels) {
    return softmax_cross_entropy<T, std::uint8_t>(logits, labels, scratch, scratch + capacity, rows, classes);
  }
};

struct predict_head {
  template <class T>
  TAPEFREE_NN_INLINE static int apply(const T *__restrict__ logits, T *__restrict__, index rows,
                                      index classes, index, std::uint8_t *__restrict__ predicted) {
    for (index r = 0; r < rows; ++r)
      predicted[r] = static_cast<std::uint8_t>(arg_max(logits + r * classes, classes));
    return static_cast<int>(rows);
  }
};

namespace detail {

// The layers In -> Out -> Rest...
template <class T, int MaxBatch, class Act, int In, int Out, int... Rest> struct chain {
  using layer = Dense<In, Out, Act>;
  using tail = chain<T, MaxBatch, Act, Out, Rest...>;

  static constexpr std::size_t parameter_count = layer::parameter_count + tail::parameter_count;
  static constexpr std::size_t work_count = layer::activation_count * MaxBatch + tail::work_count;

  template <class Head, class Labels>
  TAPEFREE_NN_INLINE static auto run(const T *params, T *work, const T *x, Labels *labels, index rows) {
    constexpr std::size_t area = static_cast<std::size_t>(Out) * MaxBatch;
    return run_apart<Head, Labels>(params, params + layer::parameter_count, work, work + area,
                                   work + 2 * area, x, labels, rows);
  }

  // Nothing reached through one of these pointers is reached through another, here or in any later layer.
  template <class Head, class Labels>
  TAPEFREE_NN_INLINE static auto run_apart(const T *__restrict__ params, const T *__restrict__ tail_params,
                                           T *__restrict__ z, T *__restrict__ a, T *__restrict__ tail_work,
                                           const T *__restrict__ x, Labels *__restrict__ labels, index rows) {
    layer::forward(x, params, z, a, rows);
    return tail::template run<Head, Labels>(tail_params, tail_work, a, labels, rows);
  }

  static void initialise(rng &random, T *params) {
    default_init<Act>::fill(random, params, In, Out);
    for (int o = 0; o < Out; ++o)
      params[layer::weight_count + o] = T(0);
    tail::initialise(random, params + layer::parameter_count);
  }
};

// The last layer is linear: its z are the logits.
template <class T, int MaxBatch, class Act, int In, int Out> struct chain<T, MaxBatch, Act, In, Out> {
  using layer = Dense<In, Out, identity>;

  static constexpr std::size_t parameter_count = layer::parameter_count;
  static constexpr std::size_t work_count =
      (Out + softmax_scratch_per_row) * static_cast<std::size_t>(MaxBatch);

  template <class Head, class Labels>
  TAPEFREE_NN_INLINE static auto run(const T *params, T *work, const T *x, Labels *labels, index rows) {
    constexpr std::size_t area = static_cast<std::size_t>(Out) * MaxBatch;
    return run_apart<Head, Labels>(params, work, work + area, x, labels, rows);
  }

  template <class Head, class Labels>
  TAPEFREE_NN_INLINE static auto run_apart(const T *__restrict__ params, T *__restrict__ logits,
                                           T *__restrict__ scratch, const T *__restrict__ x,
                                           Labels *__restrict__ labels, index rows) {
    dense_forward<T>(x, params, params + layer::weight_count, logits, rows, In, Out);
    return Head::template apply<T>(logits, scratch, rows, Out, MaxBatch, labels);
  }

  static void initialise(rng &random, T *params) {
    default_init<identity>::fill(random, params, In, Out);
    for (int o = 0; o < Out; ++o)
      params[layer::weight_count + o] = T(0);
  }
};

} // namespace detail

// Mlp<float, 64, relu, 784, 100, 100, 10>: 784 inputs, two hidden layers of 100, 10 classes, at most 64
// samples at once.
template <class T, int MaxBatch, class Act, int... Sizes> struct Mlp {
  static_assert(sizeof...(Sizes) >= 2, "an Mlp needs at least an input size and an output size");
  static_assert(MaxBatch > 0, "an Mlp needs room for at least one sample");

  using value_type = T;
  using layers = detail::chain<T, MaxBatch, Act, Sizes...>;

  static constexpr int max_batch = MaxBatch;
  static constexpr int layer_count = sizeof...(Sizes) - 1;
  static constexpr std::size_t parameter_count = layers::parameter_count;
  static constexpr std::size_t activation_count = layers::work_count; // the length of `work`

  // Everything a training step touches, but for the optimiser's state. Make it static: then it is zero, as it
  // must be.
  struct arena {
    alignas(64) T params[parameter_count];
    alignas(64) T grads[parameter_count];
    alignas(64) T work[activation_count];
    alignas(64) T work_grads[activation_count];
  };

  static void initialise(rng &random, T *params) { layers::initialise(random, params); }

  // The mean loss of `batch` samples, at most MaxBatch. To be differentiated with respect to `params`.
  static T loss(const T *__restrict__ params, T *__restrict__ work, const T *__restrict__ x,
                const std::uint8_t *__restrict__ labels, int batch) {
    const index rows = batch < MaxBatch ? batch : MaxBatch;
    return layers::template run<loss_head, const std::uint8_t>(params, work, x, labels, rows);
  }

  // The most likely class of each sample.
  static void predict(const T *__restrict__ params, T *__restrict__ work, const T *__restrict__ x,
                      std::uint8_t *__restrict__ predicted, int batch) {
    const index rows = batch < MaxBatch ? batch : MaxBatch;
    layers::template run<predict_head, std::uint8_t>(params, work, x, predicted, rows);
  }
};

// The most dense layers that a DynMlp can have: four hidden ones and the output. The compiler sees them all, one inside
// the other, so the gradient's compile time grows faster than this number. An Mlp may have any number.
inline constexpr int max_layers = 5;

// The sizes of a DynMlp: sizes[0] inputs, then the outputs of each of `layers` dense layers.
struct mlp_shape {
  int layers = 0;
  int max_batch = 0;
  int sizes[max_layers + 1] = {};

  constexpr bool valid() const {
    if (layers < 1 || layers > max_layers || max_batch < 1)
      return false;
    for (int l = 0; l <= layers; ++l)
      if (sizes[l] < 1)
        return false;
    return true;
  }

  constexpr std::size_t parameter_count() const {
    std::size_t count = 0;
    for (int l = 0; l < layers; ++l)
      count += (static_cast<std::size_t>(sizes[l]) + 1) * static_cast<std::size_t>(sizes[l + 1]);
    return count;
  }

  // The length of `work`.
  constexpr std::size_t activation_count() const {
    std::size_t per_row = softmax_scratch_per_row;
    for (int l = 0; l < layers; ++l)
      per_row += static_cast<std::size_t>(sizes[l + 1]) * (l + 1 < layers ? 2 : 1);
    return per_row * static_cast<std::size_t>(max_batch);
  }
};

namespace detail {

// Layer `Level` and those after it; the nesting is that of `chain`, unrolled to max_layers.
template <class T, class Act, int Level> struct dyn_chain {
  template <class Head, class Labels>
  TAPEFREE_NN_INLINE static auto run(const mlp_shape *__restrict__ shape, const T *params, T *work,
                                     const T *x, Labels *labels, index rows) {
    const index in = shape->sizes[Level], out = shape->sizes[Level + 1];
    const index area = out * shape->max_batch;
    if constexpr (Level + 1 < max_layers)
      if (Level + 1 < shape->layers)
        return run_hidden<Head, Labels>(shape, params, params + (in + 1) * out, work, work + area,
                                        work + 2 * area, x, labels, rows, in, out);
    return run_last<Head, Labels>(params, work, work + area, x, labels, rows, in, out, shape->max_batch);
  }

  template <class Head, class Labels>
  TAPEFREE_NN_INLINE static auto run_hidden(const mlp_shape *__restrict__ shape, const T *__restrict__ params,
                                            const T *__restrict__ tail_params, T *__restrict__ z,
                                            T *__restrict__ a, T *__restrict__ tail_work,
                                            const T *__restrict__ x, Labels *__restrict__ labels, index rows,
                                            index in, index out) {
    dense_forward<T>(x, params, params + in * out, z, rows, in, out);
    activate<Act, T>(z, a, rows * out);
    return dyn_chain<T, Act, Level + 1>::template run<Head, Labels>(shape, tail_params, tail_work, a, labels,
                                                                    rows);
  }

  template <class Head, class Labels>
  TAPEFREE_NN_INLINE static auto run_last(const T *__restrict__ params, T *__restrict__ logits,
                                          T *__restrict__ scratch, const T *__restrict__ x,
                                          Labels *__restrict__ labels, index rows, index in, index out,
                                          index capacity) {
    dense_forward<T>(x, params, params + in * out, logits, rows, in, out);
    return Head::template apply<T>(logits, scratch, rows, out, capacity, labels);
  }
};

} // namespace detail

// The same network with sizes chosen at run time. Parameters and work are laid out as in Mlp.
template <class T, class Act> struct DynMlp {
  using value_type = T;

  static void initialise(const mlp_shape &shape, rng &random, T *params) {
    for (int l = 0; l < shape.layers; ++l) {
      const auto in = static_cast<std::size_t>(shape.sizes[l]),
                 out = static_cast<std::size_t>(shape.sizes[l + 1]);
      if (l + 1 < shape.layers)
        default_init<Act>::fill(random, params, in, out);
      else
        default_init<identity>::fill(random, params, in, out);
      for (std::size_t o = 0; o < out; ++o)
        params[in * out + o] = T(0);
      params += (in + 1) * out;
    }
  }

  // The mean loss of `batch` samples, at most shape->max_batch. To be differentiated with respect to
  // `params`.
  static T loss(const T *__restrict__ params, T *__restrict__ work, const T *__restrict__ x,
                const std::uint8_t *__restrict__ labels, int batch, const mlp_shape *__restrict__ shape) {
    const index rows = batch < shape->max_batch ? batch : shape->max_batch;
    return detail::dyn_chain<T, Act, 0>::template run<loss_head, const std::uint8_t>(shape, params, work, x,
                                                                                     labels, rows);
  }

  static void predict(const T *__restrict__ params, T *__restrict__ work, const T *__restrict__ x,
                      std::uint8_t *__restrict__ predicted, int batch, const mlp_shape *__restrict__ shape) {
    const index rows = batch < shape->max_batch ? batch : shape->max_batch;
    detail::dyn_chain<T, Act, 0>::template run<predict_head, std::uint8_t>(shape, params, work, x, predicted,
                                                                           rows);
  }
};

} // namespace tapefree::nn
