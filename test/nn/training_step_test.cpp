// A whole training run of the compile-time model in static memory: it learns, and no step calls the heap.
// With -DTAPEFREE_HAND_GRADIENT the gradient is the hand-written one, and no plugin is needed.
// SOURCES: ../../tools/tapefree/HeapCount.cpp
#include <cstdlib>
#include <vector>

#include "../../tools/tapefree/HeapCount.hpp"
#include "check.hpp"
#include "tapefree/nn/optim.hpp"
#ifdef TAPEFREE_HAND_GRADIENT
#include "hand_gradient.hpp"
#else
#include "tapefree/nn/gradient.hpp"
#endif

namespace nn = tapefree::nn;
using namespace tapefree::tool;

using model = nn::Mlp<float, 16, nn::selu, 2, 16, 16, 3>;
static model::arena memory;
static float first[model::parameter_count], second[model::parameter_count];

static float loss_and_gradient(const float *x, const std::uint8_t *labels, int batch) {
#ifdef TAPEFREE_HAND_GRADIENT
  static const nn::mlp_shape shape{3, 16, {2, 16, 16, 3}};
  return nn::hand::loss_and_gradient<float, nn::selu>(memory.params, memory.grads, memory.work,
                                                      memory.work_grads, x, labels, batch, &shape);
#else
  return nn::loss_and_gradient<model>(memory.params, memory.grads, memory.work, memory.work_grads, x, labels,
                                      batch);
#endif
}

// Three rings around the origin.
static void sample(nn::rng &random, float *x, std::uint8_t *label) {
  *label = std::uint8_t(random.below(3));
  const double radius = *label + 0.2 + 0.6 * random.uniform<double>(),
               angle = 6.2831853 * random.uniform<double>();
  x[0] = float(radius * std::cos(angle));
  x[1] = float(radius * std::sin(angle));
}

int main() {
  if (heapCountAvailable()) { // the counter itself works, also for operator new
    const HeapCount before = heapCount();
    volatile char *volatile memory_asked_for = static_cast<char *>(std::malloc(100));
    std::free(const_cast<char *>(memory_asked_for));
    CHECK((heapCount() - before).Calls == 2 && (heapCount() - before).Bytes == 100);
    std::vector<int> *volatile items = new std::vector<int>(50);
    CHECK((heapCount() - before).Calls == 4 && (heapCount() - before).Bytes >= 300);
    delete items;
    void *aligned = nullptr;
    CHECK(posix_memalign(&aligned, 64, 10) == 0 && reinterpret_cast<std::uintptr_t>(aligned) % 64 == 0);
    CHECK(posix_memalign(&aligned, 3, 10) != 0);
    std::free(aligned);
  }

  nn::rng random(1);
  model::initialise(random, memory.params);
  nn::adam<float> optimiser{.rate = 0.01f};
  float x[16 * 2];
  std::uint8_t labels[16], predicted[16];
  const HeapCount before = heapCount();
  double loss = 0;
  for (int step = 0; step < 2000; ++step) {
    const int batch = step % 7 == 0 ? 11 : 16;
    for (int k = 0; k < batch; ++k)
      sample(random, x + 2 * k, labels + k);
    for (float &grad : memory.grads)
      grad = 0;
    loss = loss_and_gradient(x, labels, batch);
    optimiser.step(memory.params, memory.grads, first, second, model::parameter_count);
  }
  int right = 0;
  for (int round = 0; round < 100; ++round) {
    for (int k = 0; k < 16; ++k)
      sample(random, x + 2 * k, labels + k);
    model::predict(memory.params, memory.work, x, predicted, 16);
    for (int k = 0; k < 16; ++k)
      right += predicted[k] == labels[k];
  }
  const HeapCount used = heapCount() - before;
  CHECK(used.Calls == 0);
  CHECK(used.Bytes == 0);
  CHECK(std::isfinite(loss));
  CHECK(right > 1500); // of 1600
  for (float left : memory.work_grads)
    CHECK(left == 0);
  return report("training_step_test");
}
