// Starting weights. `in` and `out` are the layer's fan-in and fan-out; a layer has in * out weights.
#pragma once

#include <cmath>
#include <cstddef>

#include "tapefree/nn/activation.hpp"
#include "tapefree/nn/rng.hpp"

namespace tapefree::nn {

template <class T> void fill_uniform(rng &random, T *weights, std::size_t count, double limit) {
  for (std::size_t k = 0; k < count; ++k)
    weights[k] = static_cast<T>(random.uniform<double>(-limit, limit));
}

template <class T> void fill_normal(rng &random, T *weights, std::size_t count, double deviation) {
  for (std::size_t k = 0; k < count; ++k)
    weights[k] = static_cast<T>(deviation * random.normal<double>());
}

// Variance 2 / (in + out): keeps the variance of values and of gradients, for tanh and linear layers.
template <class T> void glorot_uniform(rng &random, T *weights, std::size_t in, std::size_t out) {
  fill_uniform(random, weights, in * out, std::sqrt(6.0 / static_cast<double>(in + out)));
}

template <class T> void glorot_normal(rng &random, T *weights, std::size_t in, std::size_t out) {
  fill_normal(random, weights, in * out, std::sqrt(2.0 / static_cast<double>(in + out)));
}

// Variance 2 / in: for relu, which drops half of its input's variance.
template <class T> void he_normal(rng &random, T *weights, std::size_t in, std::size_t out) {
  fill_normal(random, weights, in * out, std::sqrt(2.0 / static_cast<double>(in)));
}

// Variance 1 / in: for selu.
template <class T> void lecun_normal(rng &random, T *weights, std::size_t in, std::size_t out) {
  fill_normal(random, weights, in * out, std::sqrt(1.0 / static_cast<double>(in)));
}

// The usual choice for a layer that is followed by the activation `Act`.
template <class Act> struct default_init {
  template <class T> static void fill(rng &random, T *weights, std::size_t in, std::size_t out) {
    glorot_uniform(random, weights, in, out);
  }
};

template <> struct default_init<relu> {
  template <class T> static void fill(rng &random, T *weights, std::size_t in, std::size_t out) {
    he_normal(random, weights, in, out);
  }
};

template <> struct default_init<selu> {
  template <class T> static void fill(rng &random, T *weights, std::size_t in, std::size_t out) {
    lecun_normal(random, weights, in, out);
  }
};

} // namespace tapefree::nn
