// The hand-written gradient against central differences of the loss.
#include <vector>

#include "check.hpp"
#include "hand_gradient.hpp"

namespace nn = tapefree::nn;

template <class Act> static void test(const nn::mlp_shape &shape, int batch, unsigned seed) {
  nn::rng random(seed);
  std::vector<double> p(shape.parameter_count()), dp(p.size(), 0.5); // 0.5: the gradient is added
  std::vector<double> work(shape.activation_count()), dwork(work.size());
  std::vector<double> x(std::size_t(shape.sizes[0]) * shape.max_batch);
  std::vector<std::uint8_t> labels(shape.max_batch);
  nn::DynMlp<double, Act>::initialise(shape, random, p.data());
  for (double &value : p) // so that biases are not all zero
    value += 0.1 * random.normal<double>();
  nn::fill_normal(random, x.data(), x.size(), 1.0);
  for (auto &label : labels)
    label = std::uint8_t(random.below(std::uint32_t(shape.sizes[shape.layers])));

  const auto loss = [&] {
    return nn::DynMlp<double, Act>::loss(p.data(), work.data(), x.data(), labels.data(), batch, &shape);
  };
  const double value = nn::hand::loss_and_gradient<double, Act>(
      p.data(), dp.data(), work.data(), dwork.data(), x.data(), labels.data(), batch, &shape);
  CHECK(value == loss());
  for (double left : dwork)
    CHECK(left == 0);
  const double step = 1e-6;
  for (std::size_t k = 0; k < p.size(); ++k) {
    const double saved = p[k];
    p[k] = saved + step;
    const double above = loss();
    p[k] = saved - step;
    const double below = loss();
    p[k] = saved;
    CHECK_NEAR(dp[k] - 0.5, (above - below) / (2 * step), 1e-8);
  }
}

template <class Act> static void test_shapes() {
  test<Act>({1, 4, {5, 3}}, 3, 1);
  test<Act>({2, 4, {6, 9, 4}}, 4, 2);
  test<Act>({3, 5, {7, 8, 5, 3}}, 5, 3);
  test<Act>({3, 5, {7, 8, 5, 3}}, 1, 4);
  test<Act>({nn::max_layers, 3, {4, 5, 4, 6, 5, 3}}, 2, 5);
}

int main() {
  test_shapes<nn::relu>();
  test_shapes<nn::selu>();
  test_shapes<nn::tanh>();
  return report("hand_gradient_test");
}
