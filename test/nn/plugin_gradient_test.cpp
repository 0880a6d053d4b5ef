// The compiler's gradient against the hand-written one, and its heap calls.
// SOURCES: ../../tools/tapefree/HeapCount.cpp
#include <vector>

#include "../../tools/tapefree/HeapCount.hpp"
#include "check.hpp"
#include "hand_gradient.hpp"
#include "tapefree/nn/gradient.hpp"

namespace nn = tapefree::nn;
using tapefree::tool::HeapCount;
using tapefree::tool::heapCount;

// `gradient(p, dp, work, dwork, x, labels, batch)` is the call under test.
template <class T, class Act, class Gradient>
static void compare(const char *name, const nn::mlp_shape &shape, int batch, double tolerance,
                    Gradient gradient) {
  const int failures_before = failures;
  nn::rng random(unsigned(batch) + unsigned(shape.layers));
  std::vector<T> p(shape.parameter_count()), dp(p.size(), T(0.5)), want(p.size(), T(0.5));
  std::vector<T> work(shape.activation_count()), dwork(work.size());
  std::vector<T> x(std::size_t(shape.sizes[0]) * shape.max_batch);
  std::vector<std::uint8_t> labels(shape.max_batch);
  nn::DynMlp<T, Act>::initialise(shape, random, p.data());
  for (T &value : p)
    value += T(0.1 * random.normal<double>());
  nn::fill_normal(random, x.data(), x.size(), 1.0);
  for (auto &label : labels)
    label = std::uint8_t(random.below(std::uint32_t(shape.sizes[shape.layers])));

  const T want_loss = nn::hand::loss_and_gradient<T, Act>(p.data(), want.data(), work.data(), dwork.data(),
                                                          x.data(), labels.data(), batch, &shape);
  const HeapCount before = heapCount();
  const T loss = gradient(p.data(), dp.data(), work.data(), dwork.data(), x.data(), labels.data(), batch);
  const HeapCount used = heapCount() - before;
  CHECK_NEAR(loss, want_loss, tolerance);
  CHECK(used.Calls == 0 && used.Bytes == 0);
  for (std::size_t k = 0; k < p.size(); ++k)
    CHECK_NEAR(dp[k], want[k], tolerance);
  for (T left : dwork)
    CHECK(left == T(0));
  if (failures != failures_before)
    std::printf("  in: %s %s, %d layers, batch %d (%llu heap calls, %llu bytes)\n", name, Act::name,
                shape.layers, batch, (unsigned long long)used.Calls, (unsigned long long)used.Bytes);
}

template <class T, class Act> static void test_dynamic(const nn::mlp_shape &shape, double tolerance) {
  for (int batch : {1, 2, shape.max_batch})
    compare<T, Act>("DynMlp", shape, batch, tolerance,
                    [&](const T *p, T *dp, T *work, T *dwork, const T *x, const std::uint8_t *labels, int n) {
                      return nn::loss_and_gradient<nn::DynMlp<T, Act>>(p, dp, work, dwork, x, labels, n,
                                                                       &shape);
                    });
}

template <class T, class Act, int MaxBatch, int... Sizes> static void test_static(double tolerance) {
  using model = nn::Mlp<T, MaxBatch, Act, Sizes...>;
  const nn::mlp_shape shape{model::layer_count, MaxBatch, {Sizes...}};
  for (int batch : {1, 2, MaxBatch})
    compare<T, Act>("Mlp", shape, batch, tolerance,
                    [](const T *p, T *dp, T *work, T *dwork, const T *x, const std::uint8_t *labels, int n) {
                      return nn::loss_and_gradient<model>(p, dp, work, dwork, x, labels, n);
                    });
}

template <class Act> static void test_activation() {
  test_static<double, Act, 5, 7, 8, 5, 3>(1e-12);
  test_static<float, Act, 9, 784, 100, 100, 10>(1e-5);
  test_dynamic<double, Act>({1, 4, {5, 3}}, 1e-12);
  test_dynamic<double, Act>({3, 5, {7, 8, 5, 3}}, 1e-12);
  test_dynamic<double, Act>({nn::max_layers, 3, {4, 5, 4, 6, 5, 3}}, 1e-12);
  test_dynamic<float, Act>({3, 9, {784, 100, 100, 10}}, 1e-5);
}

int main() {
  test_activation<nn::relu>();
  test_activation<nn::selu>();
  test_activation<nn::tanh>();
  return report("plugin_gradient_test");
}
