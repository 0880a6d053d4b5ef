// `tapefree mnist`: trains a multi-layer perceptron on MNIST or Fashion-MNIST.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "Gradient.hpp"

namespace tapefree::tool {

enum class Optimizer { Adam, Sgd };

struct MnistOptions {
  std::string Data = "/usr/share/datasets/fashion-mnist";
  int Epochs = 5;
  int Batch = 64;
  std::vector<int> Hidden = {100, 100};
  Activation Act = Activation::Relu;
  Optimizer Method = Optimizer::Adam;
  double Rate = 0; // 0: the optimiser's default
  double Momentum = 0.9;
  std::uint64_t Seed = 1;
  std::uint32_t Limit = 0; // 0: all training samples
  bool Quiet = false;
};

inline constexpr double AdamDefaultRate = 0.002, SgdDefaultRate = 0.05;

// Returns the program's exit status.
int runMnist(const MnistOptions &Options);

} // namespace tapefree::tool
