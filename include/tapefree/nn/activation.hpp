// Activations: functors with one static function, plain scalar C++. Their derivatives are found by the
// compiler.
#pragma once

#include <cmath>

namespace tapefree::nn {

struct identity {
  static constexpr const char *name = "identity";
  template <class T> static T apply(T x) { return x; }
};

struct relu {
  static constexpr const char *name = "relu";
  template <class T> static T apply(T x) { return x > T(0) ? x : T(0); }
};

// Self-normalising: with LeCun-normal weights, mean 0 and variance 1 are a fixed point from layer to layer.
struct selu {
  static constexpr const char *name = "selu";
  static constexpr double scale = 1.0507009873554805;
  static constexpr double alpha = 1.6732632423543772;
  template <class T> static T apply(T x) {
    return x > T(0) ? T(scale) * x : T(scale * alpha) * (std::exp(x) - T(1));
  }
};

struct tanh {
  static constexpr const char *name = "tanh";
  template <class T> static T apply(T x) { return std::tanh(x); }
};

} // namespace tapefree::nn
