// The differentiated loss of the networks that `tapefree mnist` trains.
#pragma once

#include <cstdint>

#include "tapefree/nn/model.hpp"

namespace tapefree::tool {

enum class Activation { Relu, Selu, Tanh };

struct Network {
  Activation Act = Activation::Relu;
  nn::mlp_shape Shape;
};

// Adds the gradient to DParams and returns the mean loss. DWork must be zero, and is zero again afterwards.
float lossAndGradient(const Network &Net, const float *Params, float *DParams, float *Work, float *DWork,
                      const float *X, const std::uint8_t *Labels, int Batch);

} // namespace tapefree::tool
