// The only file of the program that is compiled with -fpass-plugin=libTapefree.so.
#include "Gradient.hpp"

#include "tapefree/nn/gradient.hpp"

namespace tapefree::tool {

template <class Act>
static float lossAndGradientOf(const Network &Net, const float *Params, float *DParams, float *Work,
                               float *DWork, const float *X, const std::uint8_t *Labels, int Batch) {
  return nn::loss_and_gradient<nn::DynMlp<float, Act>>(Params, DParams, Work, DWork, X, Labels, Batch,
                                                       &Net.Shape);
}

float lossAndGradient(const Network &Net, const float *Params, float *DParams, float *Work, float *DWork,
                      const float *X, const std::uint8_t *Labels, int Batch) {
  switch (Net.Act) {
  case Activation::Relu:
    return lossAndGradientOf<nn::relu>(Net, Params, DParams, Work, DWork, X, Labels, Batch);
  case Activation::Selu:
    return lossAndGradientOf<nn::selu>(Net, Params, DParams, Work, DWork, X, Labels, Batch);
  case Activation::Tanh:
    return lossAndGradientOf<nn::tanh>(Net, Params, DParams, Work, DWork, X, Labels, Batch);
  }
  __builtin_unreachable();
}

} // namespace tapefree::tool
