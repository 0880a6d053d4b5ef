// Optimisers over flat arrays. The caller owns the parameters, the gradient and the optimiser's state.
#pragma once

#include <cmath>
#include <cstddef>

namespace tapefree::nn {

// Stochastic gradient descent with momentum (Polyak): v = momentum v + g, p -= rate v. State: n values, zero
// at first.
template <class T> struct sgd {
  T rate = T(0.01);
  T momentum = T(0);
  T weight_decay = T(0); // added to the gradient: L2

  void step(T *__restrict__ params, const T *__restrict__ grads, T *__restrict__ velocity,
            std::size_t count) const {
    const T rate_now = rate, keep = momentum, decay = weight_decay;
    for (std::size_t k = 0; k < count; ++k) {
      velocity[k] = keep * velocity[k] + (grads[k] + decay * params[k]);
      params[k] -= rate_now * velocity[k];
    }
  }
};

// Adam; with weight_decay AdamW (the decay acts on the parameter and does not pass through the moments).
// State: two arrays of n values, zero at first, and the two powers held here.
template <class T> struct adam {
  T rate = T(0.001);
  T beta1 = T(0.9);
  T beta2 = T(0.999);
  T epsilon = T(1e-8);
  T weight_decay = T(0);

  // beta^t after t steps; double, because 1 - beta2^t is small at first.
  double beta1_power = 1.0;
  double beta2_power = 1.0;

  void step(T *__restrict__ params, const T *__restrict__ grads, T *__restrict__ first,
            T *__restrict__ second, std::size_t count) {
    beta1_power *= static_cast<double>(beta1);
    beta2_power *= static_cast<double>(beta2);
    // rate * (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + eps), with the two corrections taken out of the loop.
    const double correction = std::sqrt(1.0 - beta2_power);
    const T step_size = static_cast<T>(static_cast<double>(rate) * correction / (1.0 - beta1_power));
    const T floor = static_cast<T>(static_cast<double>(epsilon) * correction);
    const T shrink = T(1) - rate * weight_decay;
    const T b1 = beta1, b2 = beta2;
    for (std::size_t k = 0; k < count; ++k) {
      const T grad = grads[k];
      first[k] = b1 * first[k] + (T(1) - b1) * grad;
      second[k] = b2 * second[k] + (T(1) - b2) * grad * grad;
      params[k] = shrink * params[k] - step_size * first[k] / (std::sqrt(second[k]) + floor);
    }
  }
};

// Learning-rate schedules: the factor by which the starting rate is multiplied in step `step` of `steps`.
struct constant_schedule {
  static double factor(std::size_t, std::size_t) { return 1.0; }
};

// From 1 down to `last` along half a cosine.
struct cosine_schedule {
  double last = 0.0;
  double factor(std::size_t step, std::size_t steps) const {
    if (step >= steps)
      return last;
    const double done = static_cast<double>(step) / static_cast<double>(steps);
    return last + (1.0 - last) * 0.5 * (1.0 + std::cos(3.141592653589793 * done));
  }
};

// Multiplied by `by` after every `every` steps.
struct step_schedule {
  double by = 0.1;
  std::size_t every = 1000;
  double factor(std::size_t step, std::size_t) const {
    return std::pow(by, static_cast<double>(step / every));
  }
};

} // namespace tapefree::nn
